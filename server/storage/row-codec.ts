// Encodes rows as a checksum over key and text, followed by JSON of the newest shape of the row (see `row-formats.ts`).
// Decoded rows are validated, so that a damaged row causes a defined error and never a wrong result.
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { limits } from '../limits.js'
import type { Key } from './keys.js'
import { changesOf, checksumBytes, checksumOf, frame, RowNewer, upgraded, versionOf } from './row-formats.js'
import type { Value } from './store.js'

export type RowFault = 'checksum' | 'json' | 'schema'

/** The stored bytes of a row are damaged, or were written by another program. */
export class RowCorrupt extends Error {
  constructor(
    readonly table: string,
    readonly fault: RowFault,
    cause?: unknown,
  ) {
    super(
      `A row of ${table} is damaged (${fault}); "agents serve --check" on the stopped server lists all damage`,
      cause === undefined ? undefined : { cause },
    )
    this.name = 'RowCorrupt'
  }
}

export interface RowCodec<Row> {
  /**
   * Encodes a row. Throws a TypeError for a row that does not match the schema, and a RangeError for one that is too
   * large.
   */
  encode(key: Key, row: Row): Value
  /** Decodes a row of any version up to the newest. Throws `RowCorrupt`, and `RowNewer` for a later version. */
  decode(key: Key, value: Value): Row
}

export function rowCodec<Schema extends TSchema>(table: string, schema: Schema): RowCodec<Static<Schema>> {
  const validator = Compile(schema)
  const changes = changesOf(table)
  const newest = 1 + changes.length
  return {
    encode(key, row) {
      if (!validator.Check(row)) throw new TypeError(`A row of ${table} does not have the shape of its table`)
      const value = frame(key, Buffer.from(JSON.stringify(row), 'utf8'), newest)
      if (value.length > limits.valueBytesMax) {
        throw new RangeError(
          `A row of ${table} has ${value.length} bytes; above ${limits.valueBytesMax} it belongs in a blob`,
        )
      }
      return value
    },
    decode(key, value) {
      const view = new DataView(value.buffer, value.byteOffset, value.byteLength)
      if (value.length < checksumBytes || view.getUint32(0) !== checksumOf(key, value)) {
        throw new RowCorrupt(table, 'checksum')
      }
      const version = versionOf(value)
      if (version === undefined) throw new RowCorrupt(table, 'json')
      if (version > newest) throw new RowNewer(table, version)
      const found = parsed(table, value.subarray(version > 1 ? checksumBytes + 1 : checksumBytes))
      const row = version === newest ? found : upgrade(found, version)
      if (!validator.Check(row)) throw new RowCorrupt(table, 'schema')
      return row
    },
  }

  function upgrade(found: unknown, version: number): unknown {
    try {
      return upgraded(changes, Object(found), version)
    } catch (error) {
      throw new RowCorrupt(table, 'schema', error)
    }
  }
}

function parsed(table: string, json: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8'))
  } catch {
    throw new RowCorrupt(table, 'json')
  }
}
