// Reads objects from an object stream (ISO 32000-2, 7.5.7).
import { MemoryBytes } from './bytes/memory-bytes.js'
import { NotStrict } from './strict-document.js'
import { strictLimits } from './strict-limits.js'
import { parseValue } from './syntax/parse-value.js'
import { Scanner } from './syntax/scanner.js'
import type { StrictStream, StrictValue } from './values.js'
import { integerOf, nameOf, ofKind } from './values-of.js'

interface Member {
  readonly number: number
  readonly offset: number
}

export class ObjectStream {
  readonly sizeBytes: number
  readonly #source: MemoryBytes
  readonly #members: readonly Member[]
  /** Offset of the stream in the file, for errors. */
  readonly #place: number

  /** Parses the index of the stream. `data`: its decoded bytes. */
  constructor(stream: StrictStream, data: Uint8Array) {
    const { entries } = stream.dictionary
    const count = integerOf(entries.get('N'))
    const first = integerOf(entries.get('First'))
    const extended = entries.get('Extends') ?? null
    this.#place = stream.offset
    this.sizeBytes = data.length
    this.#source = new MemoryBytes(data)
    const isRight = nameOf(entries.get('Type')) === 'ObjStm' && count !== undefined && first !== undefined
    if (!isRight || count < 0 || first < 0 || first > data.length || count > strictLimits.streamObjectsMax) {
      throw new NotStrict('The dictionary of an object stream is malformed', this.#place)
    }
    // Every object is found by its cross-reference entry, so `/Extends` defines nothing here.
    if (extended !== null && ofKind(extended, 'reference') === undefined) {
      throw new NotStrict('/Extends is not a reference', this.#place)
    }
    this.#members = this.#readHeader(count, first)
  }

  /** Returns the object; it must be at this index, as its cross-reference entry says. */
  value(number: number, index: number): StrictValue {
    const { start, end } = this.#spanOf(number, index)
    const scanner = new Scanner(this.#source, start, end, this.#place)
    const value = parseValue(scanner)
    scanner.skipSpace()
    if (scanner.at < end) throw new NotStrict('Data follows an object in its stream', this.#place)
    return value
  }

  /** Returns the bytes of the object. */
  bytesOf(number: number, index: number): Uint8Array {
    const { start, end } = this.#spanOf(number, index)
    return this.#source.bytes.subarray(start, end)
  }

  #spanOf(number: number, index: number) {
    const member = this.#members[index]
    if (member?.number !== number) throw new NotStrict('An object is not where its entry says', this.#place)
    const end = this.#members[index + 1]?.offset ?? this.#source.sizeBytes
    if (end < member.offset) throw new NotStrict('An object stream is out of order', this.#place)
    return { start: member.offset, end }
  }

  #readHeader(count: number, first: number): readonly Member[] {
    const scanner = new Scanner(this.#source, 0, first, this.#place)
    const members: Member[] = []
    const numbers = new Set<number>()
    for (let index = 0; index < count; index++) {
      scanner.skipSpace()
      const number = scanner.integer('An object number')
      scanner.skipSpace()
      const offset = first + scanner.integer('An offset')
      if (numbers.has(number) || offset > this.#source.sizeBytes) scanner.fail('An object stream is ambiguous')
      numbers.add(number)
      members.push({ number, offset })
    }
    return members
  }
}
