// Reads a cross-reference table and its trailer (ISO 32000-2, 7.5.4 and 7.5.5).
import type { Bytes } from '../bytes/bytes.js'
import { NotStrict } from '../strict-document.js'
import { strictLimits } from '../strict-limits.js'
import { isDigit } from '../syntax/characters.js'
import { parseDictionary } from '../syntax/parse-value.js'
import { Scanner } from '../syntax/scanner.js'
import { integerOf } from '../values-of.js'
import { type NumberRange, orderedRanges, rangeOf } from './ranges.js'
import { type Entry, free, type Section } from './section.js'

const entryBytes = 20
const freeHead = 65_535
/** Ends of entries: two bytes by the standard, in the forms that writers use. */
const entryPattern = /^(\d{10}) (\d{5}) ([nf])(?: \r| \n|\r\n| {2})$/

/** Offsets in the table count from the header, at `origin`. */
export function readTable(source: Bytes, offset: number, origin: number): Section {
  const scanner = new Scanner(source, offset)
  scanner.expect('xref')
  const ranges = readSubsections(scanner)
  scanner.skipSpace()
  scanner.areRealsRefused = true
  const trailer = parseDictionary(scanner)
  const size = integerOf(trailer.entries.get('Size'))
  if (size === undefined) throw new NotStrict('A trailer has no /Size', offset)
  const ordered = orderedRanges(ranges, { size, offset })
  const entryAt = (range: NumberRange, number: number): Entry =>
    readEntry(source, range.position + (number - range.first) * entryBytes, origin)
  for (const range of ordered) refuseShifted(source, range)
  return {
    offset,
    end: scanner.at,
    trailer,
    ranges: ordered,
    furtherRanges: [],
    entry: (number) => {
      const range = rangeOf(ordered, number)
      return range && entryAt(range, number)
    },
  }
}

/**
 * Reads up to and with the keyword `trailer`. Comments, and numbers of a subsection on different lines, make readers
 * repair the file.
 */
function readSubsections(scanner: Scanner): readonly NumberRange[] {
  const ranges: NumberRange[] = []
  for (;;) {
    scanner.skipBlanks()
    if (!isDigit(scanner.peek())) break
    const first = scanner.integer('The first number of a subsection')
    scanner.skipSpaces()
    const count = scanner.integer('The length of a subsection')
    scanner.skipSpaces()
    scanner.skipEndOfLine()
    const position = scanner.at
    if (count > strictLimits.objectNumbersMax || position + count * entryBytes > scanner.end) {
      scanner.fail('A subsection is longer than the file')
    }
    if (ranges.push({ first, count, position }) > strictLimits.subsectionsMax) scanner.fail('Too many subsections')
    scanner.at = position + count * entryBytes
  }
  scanner.expect('trailer')
  return ranges
}

/** Some writers begin at 1 with the entry of object 0: readers disagree on what the numbers are. */
function refuseShifted(source: Bytes, { first, position }: NumberRange): void {
  const [, , generation, kind] = entryPattern.exec(textOf(source, position)) ?? []
  if (first > 0 && kind === 'f' && Number(generation) === freeHead && /^0{10}/.test(textOf(source, position))) {
    throw new NotStrict('The numbers of a cross-reference table are shifted', position)
  }
}

function readEntry(source: Bytes, offset: number, origin: number): Entry {
  const [, place = '', generation = '', kind] = entryPattern.exec(textOf(source, offset)) ?? []
  if (kind === undefined) throw new NotStrict('An entry of a cross-reference table is malformed', offset)
  if (kind === 'f') return free
  if (Number(place) === 0 || Number(generation) > strictLimits.generationMax) {
    throw new NotStrict('An entry of a cross-reference table is impossible', offset)
  }
  return { kind: 'file', offset: Number(place) + origin, generation: Number(generation) }
}

function textOf(source: Bytes, offset: number): string {
  let text = ''
  for (let at = offset; at < offset + entryBytes; at++) text += String.fromCharCode(Math.max(0, source.byte(at)))
  return text
}
