// Keys of objects: `blobs/<tenant>/<document>/<name>/<id>`, below the prefix of the address.
//
// Every write of a blob creates a new object with an id of its own. A removal therefore never meets an object that
// another process writes later, and no write has a condition. Any object of a name may be read, because a name
// determines the content:
// - `version-<uuid>.pdf`, `working-<uuid>.pdf`, `page-facts-<uuid>.json`, `change-<uuid>.pack`, `redacted-<token>.pdf`,
//   `signing-<id>.section`, `signing-<id>.pdf`: written once;
// - `upload.pdf`, `upload-<id>.pdf`: by the hash that the request announced, which every write checks, or by the tag of
//   the source, which every attempt compares;
// - `thumbnail.webp`, `thumbnail-<version>.webp`, `<file>.references`: derived from a file that never changes.
// What clients upload directly has the name `presigned.pdf`: no row names it, and it is never read as a blob.
import type { Random } from '../../../core/ports/random.js'
import { type BlobOwner, checkedPart, isBlobNamePart } from '../blob-paths.js'
import type { BlobName } from '../blobs.js'

export const blobsPrefix = 'blobs/'
export const probesPrefix = 'probes/'

/** Name of what clients upload directly. */
export const presignedName = 'presigned.pdf'

/** Throws a TypeError for names that are no internal names. */
export function ownerPrefix({ tenant, document }: BlobOwner): string {
  return `${blobsPrefix}${[tenant, ...(document === undefined ? [] : [document])].map(checkedPart).join('/')}/`
}

export const namePrefix = (blob: BlobName): string => `${ownerPrefix(blob)}${checkedPart(blob.name)}/`

/** Ids are ordered by the time of the writing process, for those written within a second. */
export function newKey(blob: BlobName, random: Random): string {
  return `${namePrefix(blob)}${Date.now().toString(36).padStart(9, '0')}-${random.uuid()}`
}

/** Returns the name of the blob of a key; undefined for an object of somebody else. */
export function blobOf(key: string): BlobName | undefined {
  const [root, tenant = '', document = '', name = '', id = '', ...more] = key.split('/')
  const isOurs = `${root}/` === blobsPrefix && more.length === 0 && [tenant, document, name, id].every(isBlobNamePart)
  return isOurs ? { tenant, document, name } : undefined
}
