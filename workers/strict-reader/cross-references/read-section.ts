// Reads the cross-reference section at an offset: a table, a stream or a hybrid.
import type { Bytes } from '../bytes/bytes.js'
import { NotStrict } from '../strict-document.js'
import { codeOf } from '../syntax/characters.js'
import { integerOf } from '../values-of.js'
import { joinHybrid } from './hybrid.js'
import type { Section } from './section.js'
import { readStream } from './stream.js'
import { readTable } from './table.js'

export function readSection(source: Bytes, offset: number, origin: number): Section {
  if (offset <= origin || offset >= source.sizeBytes) {
    throw new NotStrict('The offset of a cross-reference section is outside of the file', offset)
  }
  if (source.byte(offset) !== codeOf('x')) return readStream(source, offset, origin)
  const table = readTable(source, offset, origin)
  const hidden = offsetIn(table, 'XRefStm', origin)
  if (hidden === undefined) return table
  return joinHybrid(table, readStream(source, hidden, origin, integerOf(table.trailer.entries.get('Size'))))
}

/** Returns the offset that an entry of the trailer gives: `/Prev`, `/XRefStm`. */
export function offsetIn(section: Section, key: string, origin: number): number | undefined {
  const value = section.trailer.entries.get(key)
  if (value === undefined || value === null) return undefined
  const offset = integerOf(value)
  if (offset === undefined || offset <= 0) throw new NotStrict(`/${key} is not an offset`, section.offset)
  return offset + origin
}
