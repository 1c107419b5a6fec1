// Streams a backup as a tar archive; `receiveBackup` unpacks and verifies it, and any `tar` program can unpack it.
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Random } from '../../core/ports/random.js'
import { isBlobNamePart } from '../storage/blob-paths.js'
import type { Blobs } from '../storage/blobs.js'
import { nodeFiles } from '../storage/files.js'
import { type BackupOptions, writeBackup } from './backup.js'
import { ByteReader } from './byte-reader.js'
import { type BackupManifest, BackupUnfit, backupNames } from './manifest.js'
import { blockBytes, decodeHeader, encodeHeader, endOfArchive, paddingOf } from './tar.js'
import { verifyBackup } from './verify.js'

export interface StreamOptions extends Omit<BackupOptions, 'into'> {
  readonly storage: BackupOptions['storage'] & { readonly blobs: Blobs }
  readonly random: Random
}

/**
 * Yields the archive. The copy is complete before the first bytes are yielded; it is removed when the stream ends or is
 * aborted.
 */
export async function* streamBackup({ random, ...options }: StreamOptions): AsyncIterable<Uint8Array> {
  const folder = join(options.storage.blobs.staging, `backup-${random.uuid()}`)
  try {
    const { blobs } = await writeBackup({ ...options, into: folder })
    yield* packed(folder, backupNames.rows)
    for (const { tenant, document, name } of blobs) {
      yield* packed(folder, [backupNames.blobs, tenant, document, name].join('/'))
    }
    // The manifest is last, as in the folder: without it the backup is incomplete.
    yield* packed(folder, backupNames.manifest)
    yield endOfArchive
  } finally {
    await nodeFiles.remove(folder)
  }
}

/**
 * Unpacks an archive into a folder that is empty or does not exist. Throws `BackupUnfit` for an incomplete or damaged
 * backup.
 */
export async function receiveBackup(bytes: AsyncIterable<Uint8Array>, into: string): Promise<BackupManifest> {
  await mkdir(into, { recursive: true, mode: 0o700 })
  if ((await readdir(into)).length > 0)
    throw new BackupUnfit(`${into} is not empty; a backup needs a folder of its own.`)
  const reader = new ByteReader(bytes, cutOff)
  try {
    await unpackAll(reader, into)
  } finally {
    await reader.close()
  }
  await nodeFiles.syncFolder(into)
  return verifyBackup(into)
}

async function unpackAll(reader: ByteReader, into: string): Promise<void> {
  for (;;) {
    const header = await reader.take(blockBytes)
    if (header === undefined) throw cutOff()
    const entry = decode(header)
    if (!entry) break
    await unpack(join(into, ...safeParts(entry.path)), reader.pass(entry.sizeBytes))
    await reader.take(paddingOf(entry.sizeBytes))
  }
  // The response is read to its end, because an unread rest would keep the client's process alive.
  await reader.take(endOfArchive.length - blockBytes)
  if ((await reader.take(1)) !== undefined) throw new BackupUnfit('The stream continues after the end of the backup')
}

async function* packed(folder: string, path: string): AsyncIterable<Uint8Array> {
  const file = join(folder, ...path.split('/'))
  const sizeBytes = (await nodeFiles.size(file)) ?? 0
  yield encodeHeader({ path, sizeBytes })
  if (sizeBytes > 0) yield* nodeFiles.read(file, { first: 0, last: sizeBytes - 1 })
  yield new Uint8Array(paddingOf(sizeBytes))
}

async function unpack(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const sink = await nodeFiles.create(path)
  try {
    for await (const chunk of bytes) await sink.write(chunk)
    await sink.sync()
  } finally {
    await sink.close()
  }
}

function decode(header: Uint8Array) {
  try {
    return decodeHeader(header)
  } catch (error) {
    throw new BackupUnfit('What arrives is not a backup of a document server', { cause: error })
  }
}

/** Returns the path segments of a file of a backup; refuses others, because an archive must not write elsewhere. */
function safeParts(path: string): readonly string[] {
  const parts = path.split('/')
  const [first, ...rest] = parts
  const isFile = rest.length === 0 && (first === backupNames.rows || first === backupNames.manifest)
  const isBlob = first === backupNames.blobs && rest.length === 3 && rest.every(isBlobNamePart)
  if (isFile || isBlob) return parts
  throw new BackupUnfit(`What arrives holds ${JSON.stringify(path)}, which no backup has`)
}

const cutOff = () => new BackupUnfit('The backup ended before it was whole; nothing can be restored from it')
