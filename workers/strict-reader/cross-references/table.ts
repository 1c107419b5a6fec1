// Reads a cross-reference table and its trailer (ISO 32000-2, 7.5.4 and 7.5.5).
import type { Bytes } from '../bytes/bytes.js'
import { NotStrict } from '../strict-document.js'
import { strictLimits } from '../strict-limits.js'
import { codeOf, isDigit } from '../syntax/characters.js'
import { parseDictionary } from '../syntax/parse-value.js'
import { Scanner } from '../syntax/scanner.js'
import { integerOf } from '../values-of.js'
import { type NumberRange, orderedRanges, rangeOf } from './ranges.js'
import { type Entry, free, type Section } from './section.js'

const entryBytes = 20
const freeHead = 65_535

/** Reads a table. Offsets in it count from the header, at `origin`. */
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
    entry: (number) => {
      const range = rangeOf(ordered, number)
      return range && entryAt(range, number)
    },
  }
}

/**
 * Reads the subsections and the keyword `trailer`. Comments, and numbers of a subsection on different lines, make
 * readers repair the file.
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

/**
 * Refuses a table that lists object 0 under number 1, as some writers do: readers disagree on the numbers of such a
 * table.
 */
function refuseShifted(source: Bytes, { first, position }: NumberRange): void {
  const isHead = digitsAt(source, position, 10) === 0 && digitsAt(source, position + 11, 5) === freeHead
  if (first > 0 && isHead && source.byte(position + 17) === unused) {
    throw new NotStrict('The numbers of a cross-reference table are shifted', position)
  }
}

function readEntry(source: Bytes, offset: number, origin: number): Entry {
  const [place, generation, kind] = [
    digitsAt(source, offset, 10),
    digitsAt(source, offset + 11, 5),
    source.byte(offset + 17),
  ]
  const isRight = place >= 0 && generation >= 0 && (kind === inUse || kind === unused) && isSpaced(source, offset)
  if (!isRight) throw new NotStrict('An entry of a cross-reference table is malformed', offset)
  if (kind === unused) return free
  if (place === 0 || generation > strictLimits.generationMax) {
    throw new NotStrict('An entry of a cross-reference table is impossible', offset)
  }
  return { kind: 'file', offset: place + origin, generation }
}

const [inUse, unused] = [codeOf('n'), codeOf('f')]
const [space, lineFeed, carriageReturn] = [32, 10, 13]

/** True if an entry has its two spaces, and one of the ends that writers use: two bytes by the standard. */
function isSpaced(source: Bytes, offset: number): boolean {
  const [last, end] = [source.byte(offset + 18), source.byte(offset + 19)]
  const isEnd =
    (last === space && (end === carriageReturn || end === lineFeed || end === space)) ||
    (last === carriageReturn && end === lineFeed)
  return isEnd && source.byte(offset + 10) === space && source.byte(offset + 16) === space
}

/** Returns -1 if there is anything but digits. */
function digitsAt(source: Bytes, offset: number, count: number): number {
  let number = 0
  for (let at = offset; at < offset + count; at++) {
    const code = source.byte(at)
    if (!isDigit(code)) return -1
    number = number * 10 + code - 0x30
  }
  return number
}
