// Restores a backup into an empty data folder, or into an empty database and storage of files. No server opens the
// target before the restore has succeeded.
import { join } from 'node:path'
import { checkContents } from '../check/check.js'
import { type Finding, isError } from '../check/findings.js'
import { blobPath } from '../storage/blob-paths.js'
import type { Store } from '../storage/store.js'
import { type BackupManifest, BackupUnfit, backupNames } from './manifest.js'
import { everyKey, putRows } from './put-rows.js'
import { type RestoreEngines, RestoreTarget } from './restore-target.js'
import { factsOfRows, readRows } from './rows-file.js'
import { digestHere, verifyBackup } from './verify.js'

export interface RestoreOptions {
  readonly from: string
  /**
   * The data folder, created if missing. May contain the secrets of the server, which no backup contains, and nothing
   * else, unless both records and files are restored elsewhere.
   */
  readonly folder: string
  /** Addresses of the database and the storage of files; undefined = the data folder. */
  readonly engines?: RestoreEngines
  readonly digest?: (path: string) => Promise<string>
}

/**
 * Restores a backup. Throws `BackupUnfit`, `DataFolderUnfit`, `FolderInUse` or `RestoreRefused`, after removing what was restored so
 * far. A killed process leaves the target marked as unfinished, and the next restore into it starts over.
 */
export async function restoreBackup({
  from,
  folder,
  engines = {},
  digest = digestHere,
}: RestoreOptions): Promise<BackupManifest> {
  const target = await RestoreTarget.open(folder, engines)
  try {
    const manifest = await verified(target, { from, digest })
    try {
      const store = await target.begin()
      await fill(target, store, { from, manifest, digest })
    } catch (error) {
      await target.clear().catch(() => {}) // The target stays marked.
      throw error
    }
    await target.finish()
    return manifest
  } finally {
    await target.close()
  }
}

async function verified(
  target: RestoreTarget,
  { from, digest }: Omit<RestoreSource, 'manifest'>,
): Promise<BackupManifest> {
  try {
    return await verifyBackup(from, digest)
  } catch (error) {
    await target.giveUp()
    throw error
  }
}

interface RestoreSource {
  readonly from: string
  readonly manifest: BackupManifest
  readonly digest: (path: string) => Promise<string>
}

/** Number of files that are copied at once. */
const filesAtOnce = 8

async function fill(target: RestoreTarget, store: Store, { from, manifest, digest }: RestoreSource): Promise<void> {
  const blobFolder = join(from, backupNames.blobs)
  const left = manifest.blobs.values()
  const putSome = async () => {
    for (const blob of left) await target.files.put(blob, blobPath(blobFolder, blob))
  }
  const ends = await Promise.allSettled(Array.from({ length: filesAtOnce }, putSome))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  await putRows(store, readRows(join(from, backupNames.rows)), lost)
  const { rows, sha256 } = await factsOfRows(store.range(everyKey))
  if (rows !== manifest.rows.rows || sha256 !== manifest.rows.sha256) throw changed()
  await target.files.verify(manifest.blobs)
  const findings: Finding[] = []
  const report = (finding: Finding) => findings.push(finding)
  // Files elsewhere were compared with those of the backup.
  await checkContents({ store, blobFolder: target.blobFolder ?? blobFolder, digest, report })
  const first = findings.find(isError)
  if (first) throw new BackupUnfit(`The restored data is damaged: ${first.where}: ${first.detail}`)
}

const lost = () => new BackupUnfit('The connection to the database was lost; run the command again.')
const changed = () => new BackupUnfit('The records were changed during the restore. Stop every server on the target.')
