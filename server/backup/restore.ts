// Restores a backup into an empty data folder. No server opens the folder before the restore has succeeded.
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkContents } from '../check/check.js'
import { type Finding, isError } from '../check/findings.js'
import { limits } from '../limits.js'
import { blobPath } from '../storage/blob-paths.js'
import { type DataFolder, DataFolderUnfit, dataFolderAt, layOut, raiseFolder } from '../storage/data-folder.js'
import { nodeFiles } from '../storage/files.js'
import { LevelStore } from '../storage/level-store.js'
import type { Entry, Store } from '../storage/store.js'
import { type BackupManifest, BackupUnfit, backupNames } from './manifest.js'
import { readRows } from './rows-file.js'
import { digestHere, verifyBackup } from './verify.js'

export interface RestoreOptions {
  readonly from: string
  /**
   * The data folder, created if missing. May contain the secrets of the server, which no backup contains, and nothing
   * else.
   */
  readonly folder: string
  readonly digest?: (path: string) => Promise<string>
}

/** Files that may exist before a restore: secrets are created and backed up apart from the data. */
const allowedNames: ReadonlySet<string> = new Set(['secrets.json'])

/**
 * Restores a backup. Throws `BackupUnfit` or `DataFolderUnfit`, after removing the files restored so far. A killed
 * process leaves the folder marked as unfinished.
 */
export async function restoreBackup({ from, folder, digest = digestHere }: RestoreOptions): Promise<BackupManifest> {
  const data = dataFolderAt(folder)
  await refuseNotEmpty(folder)
  const manifest = await verifyBackup(from, digest)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(data.restoring, '', { mode: 0o600 })
  await nodeFiles.syncFolder(folder)
  try {
    await fill(data, { from, manifest, digest })
  } catch (error) {
    await clear(data)
    throw error
  }
  await raiseFolder(data)
  await rm(data.restoring)
  await layOut(data)
  return manifest
}

async function refuseNotEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = (await readdir(folder)).filter((name) => !allowedNames.has(name))
  if (found.length === 0) return
  throw new DataFolderUnfit(`${folder} is not empty (${found.slice(0, 5).join(', ')}). Restore into a new folder.`)
}

interface RestoreSource {
  readonly from: string
  readonly manifest: BackupManifest
  readonly digest: (path: string) => Promise<string>
}

async function fill(data: DataFolder, { from, manifest, digest }: RestoreSource): Promise<void> {
  for (const blob of manifest.blobs) {
    await copy(blobPath(join(from, backupNames.blobs), blob), blobPath(data.blobs, blob))
  }
  await restoreRows(join(from, backupNames.rows), data, digest)
}

/** Removes the restored files. The mark is removed last, so that an incomplete folder always has it. */
async function clear(data: DataFolder): Promise<void> {
  for (const path of [data.blobs, data.store, data.restoring]) await nodeFiles.remove(path)
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await copyFile(from, to)
  await nodeFiles.sync(to)
  await nodeFiles.syncFolder(dirname(to))
}

async function restoreRows(path: string, data: DataFolder, digest: (path: string) => Promise<string>): Promise<void> {
  await mkdir(data.store, { recursive: true, mode: 0o700 })
  const store = await LevelStore.open({ folder: data.store })
  try {
    await putAll(store, readRows(path))
    const findings: Finding[] = []
    await checkContents({ store, blobFolder: data.blobs, digest, report: (finding) => findings.push(finding) })
    const first = findings.find(isError)
    if (first) throw new BackupUnfit(`The restored data is damaged: ${first.where}: ${first.detail}`)
  } finally {
    await store.close()
  }
}

async function putAll(store: Store, entries: AsyncIterable<Entry>): Promise<void> {
  let put: Entry[] = []
  for await (const entry of entries) {
    put.push(entry)
    if (put.length < limits.sweepRowsMax) continue
    await store.commit({ expect: [], put, delete: [] })
    put = []
  }
  await store.commit({ expect: [], put, delete: [] })
}
