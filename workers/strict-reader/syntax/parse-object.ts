// Parses an indirect object at its offset: `N G obj`, its value or stream, `endobj`.
import type { Bytes } from '../bytes/bytes.js'
import type { StrictDictionary, StrictStream, StrictValue } from '../values.js'
import { ofKind } from '../values-of.js'
import { codeOf, isRegular } from './characters.js'
import { parseValue } from './parse-value.js'
import { Scanner } from './scanner.js'

export interface IndirectObject {
  readonly number: number
  readonly generation: number
  /** Value of the object. In an encrypted file, strings and streams are still encrypted. */
  readonly value: StrictValue
  /** Offset of the object number; `end` is the offset after `endobj`. */
  readonly offset: number
  readonly end: number
}

export interface ObjectPlace {
  readonly offset: number
  /** Offset before which the object must end. */
  readonly limit: number
  /** Returns the length of a stream from the value of `/Length`, which may be a reference. */
  readonly lengthOf: (length: StrictValue | undefined) => number
  /** True if all numbers have to be integers. */
  readonly areRealsRefused?: true
}

export function parseObject(source: Bytes, { offset, limit, lengthOf, areRealsRefused }: ObjectPlace): IndirectObject {
  const scanner: Scanner = new Scanner(source, offset, limit)
  scanner.areRealsRefused = areRealsRefused ?? false
  scanner.skipBlanks()
  const start = scanner.at
  // If the offset is in the middle of a number, the bytes would look like another object. Some updates follow "%%EOF" at once.
  if (isRegular(source.byte(start - 1)) && !isAfterMarker(source, start)) {
    scanner.fail('The offset of an object is inside a token')
  }
  const number = scanner.integer('An object number')
  scanner.skipSpace()
  const generation = scanner.integer('A generation')
  scanner.skipSpace()
  scanner.expect('obj')
  const value = parseValue(scanner)
  scanner.skipSpace()
  const keywordAt = scanner.at
  const keyword = scanner.token()
  if (keyword === 'endobj') return { number, generation, value, offset: start, end: scanner.at }
  const dictionary = ofKind(value, 'dictionary')
  if (keyword !== 'stream' || dictionary === undefined) scanner.fail('"endobj" is missing', keywordAt)
  const stream = parseStream(scanner, dictionary, lengthOf)
  scanner.skipSpace()
  scanner.expect('endobj')
  return { number, generation, value: stream, offset: start, end: scanner.at }
}

function isAfterMarker(source: Bytes, offset: number): boolean {
  const marker = '%%EOF'
  return [...marker].every((character, index) => source.byte(offset - marker.length + index) === codeOf(character))
}

function parseStream(scanner: Scanner, dictionary: StrictDictionary, lengthOf: ObjectPlace['lengthOf']): StrictStream {
  const isLineFeed = scanner.peek() === 10
  if (!isLineFeed && !(scanner.peek() === 13 && scanner.peek(1) === 10)) {
    scanner.fail('"stream" is not followed by CR LF or LF')
  }
  scanner.at += isLineFeed ? 1 : 2
  const offset = scanner.at
  const length = lengthOf(dictionary.entries.get('Length'))
  if (!Number.isInteger(length) || length < 0 || offset + length > scanner.end) {
    scanner.fail('The length of a stream is impossible', offset)
  }
  scanner.at = offset + length
  scanner.skipEndOfLine()
  scanner.expect('endstream')
  return { kind: 'stream', dictionary, offset, length }
}
