// Reads the cross-reference section at an offset: a table, a stream or a hybrid.
import type { Bytes } from '../bytes/bytes.js'
import { NotStrict } from '../strict-document.js'
import { codeOf } from '../syntax/characters.js'
import { Scanner } from '../syntax/scanner.js'
import { integerOf } from '../values-of.js'
import { joinHybrid } from './hybrid.js'
import type { Section } from './section.js'
import { readStream } from './stream.js'
import { readTable } from './table.js'

/** Reads the section that a pointer names; some point at the white space before it. */
export function readSection(source: Bytes, pointer: number, origin: number): Section {
  if (pointer <= origin || pointer >= source.sizeBytes) {
    throw new NotStrict('The offset of a cross-reference section is outside of the file', pointer)
  }
  const offset = afterBlanks(source, pointer)
  if (source.byte(offset) !== codeOf('x')) return readStream(source, offset, origin)
  const table = readTable(source, offset, origin)
  const hidden = offsetIn(table, 'XRefStm', origin)
  if (hidden === undefined) return table
  const stream = readStream(source, hidden, origin, integerOf(table.trailer.entries.get('Size')))
  // A stream of an older section comes with a trailer that was copied: it says nothing new.
  const previous = offsetIn(table, 'Prev', origin)
  return joinHybrid(table, stream, previous !== undefined && stream.end <= previous)
}

/** Returns the offset of the first byte from there on that is no white space. */
export function afterBlanks(source: Bytes, offset: number): number {
  const scanner = new Scanner(source, offset)
  scanner.skipBlanks()
  return scanner.at
}

/** Returns the offset that an entry of the trailer gives: `/Prev`, `/XRefStm`. */
export function offsetIn(section: Section, key: string, origin: number): number | undefined {
  const value = section.trailer.entries.get(key)
  if (value === undefined || value === null) return undefined
  const offset = integerOf(value)
  if (offset === undefined || offset <= 0) throw new NotStrict(`/${key} is not an offset`, section.offset)
  return offset + origin
}
