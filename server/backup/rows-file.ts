// File format of the rows of a backup: `length key length value`, lengths in four bytes. Keys and values are the exact
// bytes of the store.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { limits } from '../limits.js'
import { keyBytesMax } from '../storage/keys.js'
import type { Entry } from '../storage/store.js'
import { ByteReader } from './byte-reader.js'
import { BackupUnfit } from './manifest.js'

const lengthBytes = 4

export interface WrittenRows {
  readonly rows: number
  readonly sizeBytes: number
  readonly sha256: string
}

/** Writes all rows into one file, in key order; durable when it resolves. */
export async function writeRows(path: string, entries: AsyncIterable<Entry>): Promise<WrittenRows> {
  const stream = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  const failed = once(stream, 'error').then(([error]) => Promise.reject(error))
  const hash = createHash('sha256')
  let [rows, sizeBytes] = [0, 0]
  try {
    for await (const { key, value } of entries) {
      const bytes = encode({ key, value })
      hash.update(bytes)
      rows += 1
      sizeBytes += bytes.length
      if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), failed])
    }
    stream.end()
    await Promise.race([once(stream, 'close'), failed])
  } finally {
    failed.catch(() => {}) // The failure is reported above; this only prevents an unhandled rejection.
    stream.destroy()
  }
  return { rows, sizeBytes, sha256: hash.digest('hex') }
}

/** Returns what `writeRows` would return for the rows, without writing them. */
export async function factsOfRows(entries: AsyncIterable<Entry>): Promise<WrittenRows> {
  const hash = createHash('sha256')
  let [rows, sizeBytes] = [0, 0]
  for await (const entry of entries) {
    const bytes = encode(entry)
    hash.update(bytes)
    rows += 1
    sizeBytes += bytes.length
  }
  return { rows, sizeBytes, sha256: hash.digest('hex') }
}

/** Yields the rows of the file. Throws `BackupUnfit` if it is truncated or was not written by `writeRows`. */
export async function* readRows(path: string): AsyncIterable<Entry> {
  const reader = new ByteReader(createReadStream(path), cutOff)
  let before: Uint8Array = new Uint8Array()
  for (;;) {
    const key = await nextPart(reader, keyBytesMax)
    if (key === undefined) return
    if (Buffer.compare(before, key) >= 0) throw cutOff()
    before = key
    const value = await nextPart(reader, limits.valueBytesMax)
    if (value === undefined) throw cutOff()
    yield { key, value }
  }
}

/** Returns the next key or value; undefined at the end of the file, where it may end. */
async function nextPart(reader: ByteReader, bytesMax: number): Promise<Uint8Array | undefined> {
  const length = await reader.take(lengthBytes)
  if (length === undefined) return undefined
  const bytes = Buffer.from(length).readUInt32BE()
  if (bytes > bytesMax) throw cutOff()
  const part = await reader.take(bytes)
  if (part === undefined) throw cutOff()
  return Uint8Array.from(part)
}

const encode = ({ key, value }: Entry): Buffer => Buffer.concat([lengthOf(key), key, lengthOf(value), value])

function lengthOf(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(bytes.length)
  return length
}

const cutOff = () => new BackupUnfit('The rows of the backup are cut off or damaged; use another backup.')
