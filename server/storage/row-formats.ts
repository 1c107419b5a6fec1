// Versions of the shapes of rows. The server works with the newest shape; older rows are upgraded when they are decoded,
// and rows are downgraded on their way into a deployment that is still written in the previous format. Rows of a kind
// with recorded changes have their version as a byte before the JSON; those of version 1 have none, so that the rows of
// an unchanged kind are the same in every format.
import { crc32 } from 'node:zlib'
import type { Key } from './keys.js'
import { decodeKey } from './keys.js'
import { type RowChange, rowFormats } from './row-format-table.js'
import type { Value } from './store.js'

/** Bytes of the checksum, in front of the version and the JSON. */
export const checksumBytes = 4

/** Versions are below the first byte of any JSON text of a row, which is `{`. */
const versionMax = 31

export const newestFormat = 1 + rowFormats.length

/** Oldest format that this server can write; older deployments are raised by an earlier release first. */
export const oldestWrittenFormat = Math.max(1, newestFormat - 1)

type Members = Readonly<Record<string, unknown>>

/** The row was written by a newer release, which this one must not serve beside any more. */
export class RowNewer extends Error {
  override readonly name = 'RowNewer'

  constructor(table: string, version: number) {
    super(`A row of ${table} has version ${version} of its shape, which this version of the server does not know`)
  }
}

/** Returns the changes of a row kind, oldest first. Throws a RangeError if there are more than a version can number. */
export function changesOf(table: string): readonly RowChange[] {
  const changes = rowFormats.flatMap((format) => format[table] ?? [])
  if (changes.length >= versionMax) throw new RangeError(`${table} has more than ${versionMax} versions`)
  return changes
}

/** Returns the version of a kind's shape in a format. */
export const versionIn = (format: number, table: string): number =>
  1 + rowFormats.slice(0, format - 1).filter((changes) => changes[table] !== undefined).length

/** Returns the version that the bytes of a row name; undefined if none could have been written. */
export function versionOf(value: Value): number | undefined {
  const first = value[checksumBytes] ?? 0
  if (first > versionMax) return 1
  return first >= 2 ? first : undefined
}

/** Encodes JSON of a version with its checksum, which includes the key: a value under another key is damage too. */
export function frame(key: Key, json: Uint8Array, version: number): Value {
  const start = version > 1 ? checksumBytes + 1 : checksumBytes
  const value = new Uint8Array(start + json.length)
  if (version > 1) value[checksumBytes] = version
  value.set(json, start)
  new DataView(value.buffer).setUint32(0, checksumOf(key, value))
  return value
}

/** Returns the checksum of the bytes after it. */
export const checksumOf = (key: Key, value: Value): number => crc32(value.subarray(checksumBytes), crc32(key))

/** Converts a row of an older version to the newest shape. */
export const upgraded = (changes: readonly RowChange[], row: Members, version: number): Members =>
  changes.slice(version - 1).reduce((older, change) => change.upgrade(older), row)

/** Returns the value of a row as the format has it. `value`: a row that this server encoded. */
export function valueIn(format: number, key: Key, value: Value): Value {
  const version = versionOf(value) ?? 1
  if (version === 1) return value
  const table = String(decodeKey(key)?.[0])
  const wanted = versionIn(format, table)
  if (wanted >= version) return value
  let row: Members = JSON.parse(Buffer.from(value.subarray(checksumBytes + 1)).toString('utf8'))
  for (const change of changesOf(table)
    .slice(wanted - 1, version - 1)
    .reverse())
    row = change.downgrade(row)
  return frame(key, Buffer.from(JSON.stringify(row), 'utf8'), wanted)
}
