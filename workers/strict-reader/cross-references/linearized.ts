// Recognizes the two cross-reference sections of a linearized file, which are one revision (ISO 32000-2, annex F).
import type { Bytes } from '../bytes/bytes.js'
import { parseObject } from '../syntax/parse-object.js'
import { Scanner } from '../syntax/scanner.js'
import { dictionaryOf, integerOf } from '../values-of.js'
import { revisionEnd } from './file-end.js'
import type { Section } from './section.js'

/** True if `section` is the first-page section of a linearized file, and `main` its other one. */
export function isFirstSection(source: Bytes, section: Section, main: Section, origin: number): boolean {
  const scanner = new Scanner(source, origin)
  // The header and the line after it are comments.
  scanner.skipSpace()
  const limit = section.offset
  if (scanner.at >= limit) return false
  const parameters = dictionaryOf(parseObject(source, { offset: scanner.at, limit, lengthOf: () => -1 }).value)
  const length = integerOf(parameters?.entries.get('L'))
  if (parameters?.entries.get('Linearized') === undefined || length === undefined) return false
  return Math.abs(origin + length - revisionEnd(source, main.end, section.offset - origin, origin)) <= 2
}
