// Verifies a backup: reads its manifest and compares every file with it.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Compile } from 'typebox/compile'
import { hasCode } from '../../core/ports/disk.js'
import { blobPath } from '../storage/blob-paths.js'
import { newestFormat } from '../storage/row-formats.js'
import { BackupManifest, BackupUnfit, backupNames } from './manifest.js'

/** A manifest has some 200 bytes for each file. */
const manifestBytesMax = 400_000_000

const manifestValidator = Compile(BackupManifest)

/** Throws `BackupUnfit` with the reason. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const path = join(folder, backupNames.manifest)
  const manifest = await read(path)
  if (manifest === undefined) throw new BackupUnfit(`${folder} holds no finished backup: ${path} is not there.`)
  if (manifest.format <= newestFormat) return manifest
  throw new BackupUnfit(
    `The backup has data format ${manifest.format}; this version restores formats up to ${newestFormat}.`,
  )
}

/** Verifies every file of the backup. `digest`: SHA-256 of a file in lower-case hex. */
export async function verifyBackup(
  folder: string,
  digest: (path: string) => Promise<string> = digestHere,
): Promise<BackupManifest> {
  const manifest = await readManifest(folder)
  const { rows, blobs } = manifest
  await verifyFile(join(folder, backupNames.rows), rows, digest)
  for (const blob of blobs) await verifyFile(blobPath(join(folder, backupNames.blobs), blob), blob, digest)
  return manifest
}

async function verifyFile(
  path: string,
  { sizeBytes, sha256 }: { readonly sizeBytes: number; readonly sha256: string },
  digest: (path: string) => Promise<string>,
): Promise<void> {
  const size = await sizeOf(path)
  if (size === undefined) throw new BackupUnfit(`${path} is missing from the backup.`)
  if (size !== sizeBytes || (await digest(path)) !== sha256) {
    throw new BackupUnfit(`${path} is not what was backed up; use another backup.`)
  }
}

async function read(path: string): Promise<BackupManifest | undefined> {
  const text = await textOf(path)
  if (text === undefined) return undefined
  const value = parsed(text)
  if (manifestValidator.Check(value)) return value
  throw new BackupUnfit(`${path} is not what a document server wrote; use another backup.`)
}

async function textOf(path: string): Promise<string | undefined> {
  const size = await sizeOf(path)
  if (size === undefined) return undefined
  if (size > manifestBytesMax) throw new BackupUnfit(`${path} is not what a document server wrote; use another backup.`)
  return readFile(path, 'utf8')
}

/** Returns undefined if there is no file. Throws `BackupUnfit` for a link, a device or a pipe, which no backup has. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await lstat(path)
    if (found.isFile()) return found.size
    throw new BackupUnfit(`${path} is no regular file; copy the backup with its files.`)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Computes the digest in this thread, for programs without worker threads. */
export async function digestHere(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
