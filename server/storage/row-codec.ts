// Encodes rows as a checksum over key and text, followed by JSON. Decoded rows are validated, so that a damaged row causes a
// defined error and never a wrong result.
import { crc32 } from 'node:zlib'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { limits } from '../limits.js'
import type { Key } from './keys.js'
import type { Value } from './store.js'

const checksumBytes = 4

export type RowFault = 'checksum' | 'json' | 'schema'

/** The stored bytes of a row are damaged, or were written by another program. */
export class RowCorrupt extends Error {
  constructor(
    readonly table: string,
    readonly fault: RowFault,
  ) {
    super(`A row of ${table} is damaged (${fault}); "agents serve --check" on the stopped server lists all damage`)
    this.name = 'RowCorrupt'
  }
}

export interface RowCodec<Row> {
  /**
   * Encodes a row. Throws a TypeError for a row that does not match the schema, and a RangeError for one that is too
   * large.
   */
  encode(key: Key, row: Row): Value
  /** Throws `RowCorrupt`. */
  decode(key: Key, value: Value): Row
}

export function rowCodec<Schema extends TSchema>(table: string, schema: Schema): RowCodec<Static<Schema>> {
  const validator = Compile(schema)
  return {
    encode(key, row) {
      if (!validator.Check(row)) throw new TypeError(`A row of ${table} does not have the shape of its table`)
      const json = Buffer.from(JSON.stringify(row), 'utf8')
      const bytes = json.length + checksumBytes
      if (bytes > limits.valueBytesMax) {
        throw new RangeError(`A row of ${table} has ${bytes} bytes; above ${limits.valueBytesMax} it belongs in a blob`)
      }
      const value = new Uint8Array(bytes)
      new DataView(value.buffer).setUint32(0, checksumOf(key, json))
      value.set(json, checksumBytes)
      return value
    },
    decode(key, value) {
      const json = value.subarray(checksumBytes)
      const view = new DataView(value.buffer, value.byteOffset, value.byteLength)
      if (value.length < checksumBytes || view.getUint32(0) !== checksumOf(key, json)) {
        throw new RowCorrupt(table, 'checksum')
      }
      const row = parsed(table, json)
      if (!validator.Check(row)) throw new RowCorrupt(table, 'schema')
      return row
    },
  }
}

/** Returns the checksum, which includes the key: a value stored under another key is damage too. */
const checksumOf = (key: Key, json: Uint8Array): number => crc32(json, crc32(key))

function parsed(table: string, json: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8'))
  } catch {
    throw new RowCorrupt(table, 'json')
  }
}
