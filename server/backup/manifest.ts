// Manifest of a backup: names every file with its size and hash. Written last, so that a backup without it is
// incomplete.
import { type Static, Type } from 'typebox'
import { blobNamePart } from '../storage/blob-paths.js'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
/** Schema of a blob name. It refuses other names, because they could address files outside the folder. */
const BlobPart = Type.String({ pattern: blobNamePart.source })
const Bytes = Type.Integer({ minimum: 0 })

export const BackupManifest = Type.Object({
  /** Version of the backup format. */
  backup: Type.Literal(1),
  /** Newest format that its rows may have, see `server/storage/row-formats.ts`. */
  format: Type.Integer({ minimum: 1 }),
  /** Milliseconds since 1970. */
  createdAt: Type.Integer({ minimum: 0 }),
  rows: Type.Object({ rows: Type.Integer({ minimum: 0 }), sizeBytes: Bytes, sha256: Sha256 }),
  blobs: Type.Array(
    Type.Object({
      tenant: BlobPart,
      document: BlobPart,
      name: BlobPart,
      sizeBytes: Bytes,
      sha256: Sha256,
    }),
  ),
})
export type BackupManifest = Static<typeof BackupManifest>

export const backupNames = { manifest: 'backup.json', rows: 'rows.bin', blobs: 'blobs' } as const

/** The folder is not a complete backup, or differs from what was backed up. */
export class BackupUnfit extends Error {
  override readonly name = 'BackupUnfit'
}
