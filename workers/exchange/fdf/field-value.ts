// Reads values of fields in an FDF: texts, which may be streams, lists of texts, and names of states.

import type { Bytes } from '../../strict-reader/bytes/bytes.js'
import { decodeFilters, filtersOf } from '../../strict-reader/filters/decode-filters.js'
import { NotStrict } from '../../strict-reader/strict-document.js'
import type { StrictStream, StrictValue } from '../../strict-reader/values.js'
import { nameOf, ofKind } from '../../strict-reader/values-of.js'
import { exchangeLimits } from '../exchange-limits.js'
import { tooMany } from '../read-source.js'
import type { FileValue } from '../values/file-value.js'
import type { DecodeString } from './string-encoding.js'

type Read = Pick<FileValue, 'value' | 'isState'>

export interface FdfValues {
  readonly source: Bytes
  readonly decode: DecodeString
  readonly resolve: (value: StrictValue | undefined) => StrictValue | undefined
}

export class FieldValueReader {
  /** What was read before, because many fields may refer to one object. */
  readonly #known = new Map<StrictValue, Read>()
  #decodedBytes = 0

  constructor(private readonly from: FdfValues) {}

  /** Returns undefined if the field has no value. Throws `PayloadTooLarge`. */
  read(value: StrictValue | undefined): Read | undefined {
    const resolved = this.from.resolve(value)
    return resolved === undefined || resolved === null ? undefined : this.#once(resolved)
  }

  #once(value: StrictValue): Read {
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const items = ofKind(value, 'array')?.items
    const read = items === undefined ? this.#single(value) : this.#list(items)
    this.#known.set(value, read)
    return read
  }

  #list(items: readonly StrictValue[]): Read {
    const texts: string[] = []
    for (const item of items.slice(0, exchangeLimits.fieldsMax)) {
      const resolved = this.from.resolve(item) ?? null
      const { value } = ofKind(resolved, 'array') ? unreadable('a list within a list') : this.#once(resolved)
      if (typeof value !== 'string') return { value }
      texts.push(value)
    }
    return { value: texts }
  }

  #single(value: StrictValue): Read {
    const name = nameOf(value)
    // Names are bytes in UTF-8.
    if (name !== undefined) return { value: Buffer.from(name, 'latin1').toString('utf8'), isState: true }
    const stream = ofKind(value, 'stream')
    const bytes = stream === undefined ? ofKind(value, 'string')?.bytes : this.#dataOf(stream)
    if (bytes === undefined) return unreadable(stream ? 'a stream that cannot be decoded' : 'no text and no name')
    const text = this.from.decode(bytes)
    return text === undefined ? unreadable('no text in the encoding of the file') : { value: text }
  }

  #dataOf(stream: StrictStream): Uint8Array | undefined {
    const { source, resolve } = this.from
    const resolved = (value: StrictValue | undefined) => resolve(value) ?? null
    try {
      const bytes = source.slice(stream.offset, stream.length)
      const data = decodeFilters(bytes, filtersOf(stream.dictionary, resolved), resolved)
      this.#decodedBytes += data.length
      if (this.#decodedBytes > exchangeLimits.fileBytesMax) {
        throw tooMany('fileBytesMax', 'The values of the FDF are too large', this.#decodedBytes)
      }
      return data
    } catch (error) {
      if (error instanceof NotStrict) return undefined
      throw error
    }
  }
}

const unreadable = (what: string): Read => ({ value: { problem: `The value is ${what}` } })
