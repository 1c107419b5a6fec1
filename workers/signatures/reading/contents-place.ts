// Finds the place of `/Contents` in the file: the string with its delimiters, which its signature cannot cover.
import { MemoryBytes } from '../../strict-reader/bytes/memory-bytes.js'
import { NotStrict, type StrictDocument, type StrictRevision } from '../../strict-reader/strict-document.js'
import { codeOf } from '../../strict-reader/syntax/characters.js'
import { parseName } from '../../strict-reader/syntax/parse-strings.js'
import { parseValue } from '../../strict-reader/syntax/parse-value.js'
import { Scanner } from '../../strict-reader/syntax/scanner.js'

export interface ByteSpan {
  readonly start: number
  readonly end: number
}

/**
 * Returns the span of the value at a path of keys in the object with this number; undefined if the object is in an
 * object stream, or the value is not a hexadecimal string.
 */
export function hexStringSpan(
  document: StrictDocument,
  revision: StrictRevision,
  { number, path }: { readonly number: number; readonly path: readonly string[] },
): ByteSpan | undefined {
  const place = revision.placeOf(number)
  if (place?.kind !== 'file') return undefined
  const scanner = new Scanner(new MemoryBytes(document.bytes(place.offset, place.end - place.offset)), 0)
  for (const _ of ['number', 'generation', 'obj']) {
    scanner.skipSpace()
    scanner.token()
  }
  if (!path.every((key) => moveTo(scanner, key))) return undefined
  const start = scanner.at
  if (scanner.peek() !== codeOf('<') || scanner.peek(1) === codeOf('<')) return undefined
  parseValue(scanner)
  return { start: place.offset + start, end: place.offset + scanner.at }
}

/** Moves to the value of a key in the dictionary at the position; returns false if there is none. */
function moveTo(scanner: Scanner, key: string): boolean {
  scanner.skipSpace()
  if (scanner.peek() !== codeOf('<') || scanner.peek(1) !== codeOf('<')) return false
  scanner.at += 2
  for (;;) {
    scanner.skipSpace()
    if (scanner.peek() === codeOf('>')) return false
    if (scanner.peek() !== codeOf('/')) throw new NotStrict('A key of a dictionary is expected')
    const isFound = parseName(scanner).name === key
    scanner.skipSpace()
    if (isFound) return true
    parseValue(scanner)
  }
}
