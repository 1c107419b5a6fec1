// Puts the characters of rows in logical order.
import type { Point, Quad } from 'mupdf'
import type { EngineLine, LineCharacter } from './engine-lines.js'
import { textOf, type Unit } from './line-units.js'
import { type Base, type LogicalLine, lettersOf, logicalOrder, mirror } from './logical-order.js'
import { areLevel, type Row } from './rows.js'

export interface OrderedCharacter extends LineCharacter {
  /** Place among the glyphs of the row from left to right; undefined where this is the order of reading. */
  readonly place?: number
}

export type OrderedLine = EngineLine<OrderedCharacter>

interface ReadRow {
  readonly line: LogicalLine
  /** From left to right. */
  readonly seen: readonly Unit[]
}

export function orderedLines(rows: readonly Row[]): readonly OrderedLine[] {
  const ofPage = baseOf(rows, decisive)
  const likely = baseOf(rows, evenly) ?? 'ltr'
  const baseOfRows = (some: readonly Row[]) => baseOf(some, decisive) ?? ofPage ?? baseOfEnds(some) ?? likely
  const ordered = levelRows(rows).flatMap((group) => readingOrder(group, baseOfRows(group)))
  const read = ordered.map((row) => (row.turns ? readRow(row, baseOfRows([row])) : undefined))
  const isPageMirrored = read.reduce((all, one) => all + (one?.line.mirroredPairs ?? 0), 0) > 0
  return ordered.map(({ direction, isVertical, endsBlock, characters }, index) => {
    const one = read[index]
    return {
      direction,
      isVertical,
      endsBlock,
      characters: one === undefined ? characters : charactersOf(one, isPageMirrored),
    }
  })
}

/** Maximum number of rows on one level. */
const cellsMax = 50

/** Groups rows that follow each other on one level, such as the cells of a table. */
function levelRows(rows: readonly Row[]): readonly (readonly Row[])[] {
  const groups: Row[][] = []
  for (const row of rows) {
    const group = groups.at(-1)
    if (group !== undefined && group.length < cellsMax && group.every((one) => areLevel(one, row))) group.push(row)
    else groups.push([row])
  }
  return groups
}

function readingOrder(group: readonly Row[], base: Base): readonly Row[] {
  if (base === 'ltr' || group.length === 1 || !group.some(({ turns }) => turns)) return group
  const fromRight = group.toSorted((one, other) => other.from - one.from)
  return fromRight.map((row, index) => ({ ...row, endsBlock: group[index]?.endsBlock ?? row.endsBlock }))
}

/** Programs name a mirrored bracket by what it means or by what it looks like: the pairs of the row, or of the page, tell. */
function charactersOf({ line, seen }: ReadRow, isPageMirrored: boolean): readonly OrderedCharacter[] {
  const isMirrored = line.mirroredPairs === 0 ? isPageMirrored : line.mirroredPairs > 0
  return line.order.flatMap((place, index) =>
    (seen[place]?.characters ?? []).map((character) => {
      const text = isMirrored && line.isRightToLeft[index] ? mirror(character.text) : character.text
      return { ...character, text, place }
    }),
  )
}

/** Shares of letters of one direction that decide. */
const [evenly, decisive] = [0.5, 0.7]

function baseOf(rows: readonly Row[], share: number): Base | undefined {
  const counts = rows.flatMap(({ units }) => units.map((unit) => lettersOf(textOf(unit))))
  const ltr = counts.reduce((sum, one) => sum + one.ltr, 0)
  const rtl = counts.reduce((sum, one) => sum + one.rtl, 0)
  if (rtl > share * (ltr + rtl)) return 'rtl'
  return ltr > share * (ltr + rtl) ? 'ltr' : undefined
}

/** Returns the direction of the letters at both ends of rows. */
function baseOfEnds(rows: readonly Row[]): Base | undefined {
  const units = rows.flatMap((row) => row.units).sort((one, other) => one.from - other.from)
  const bases = units.flatMap((unit) => {
    const { ltr, rtl } = lettersOf(textOf(unit))
    return ltr > 0 ? (['ltr'] as const) : rtl > 0 ? (['rtl'] as const) : []
  })
  return bases[0] === bases.at(-1) ? bases[0] : undefined
}

function readRow({ units, direction }: Row, base: Base): ReadRow {
  const drawn = new Map(units.map((unit, index) => [unit, index]))
  const seen = withGaps(
    units.toSorted((one, other) => one.from + one.to - other.from - other.to),
    direction,
    drawn,
  )
  const byDrawing = seen
    .map((unit, place) => [drawn.get(unit) ?? 0, place] as const)
    .sort(([one], [other]) => one - other)
  const line = logicalOrder({ texts: seen.map(textOf), drawn: byDrawing.map(([, place]) => place), base })
  return { line, seen }
}

/** Least distance in ems that is read as a space, the engine's. */
const spaceMin = 0.15

/** Adds spaces between units, from left to right, that stand apart. */
function withGaps(units: readonly Unit[], [x, y]: Point, drawn: Map<Unit, number>): readonly Unit[] {
  const all: Unit[] = []
  let end: Unit | undefined
  for (const unit of units) {
    const gap = end === undefined ? 0 : unit.from - end.to
    const beside = end?.characters[0]
    if (end !== undefined && beside !== undefined && gap > spaceMin * unit.size && !isBlank(end) && !isBlank(unit)) {
      const [, , urx, ury, , , lrx, lry] = beside.quad
      const quad: Quad = [urx, ury, urx + x * gap, ury + y * gap, lrx, lry, lrx + x * gap, lry + y * gap]
      const character = { text: ' ', origin: [lrx, lry] as Point, size: unit.size, quad }
      const space: Unit = { from: end.to, to: unit.from, size: unit.size, characters: [character] }
      drawn.set(space, Math.min(drawn.get(end) ?? 0, drawn.get(unit) ?? 0) + 0.5)
      all.push(space)
    }
    all.push(unit)
    if (end === undefined || unit.to > end.to) end = unit
  }
  return all
}

const isBlank = (unit: Unit): boolean => textOf(unit).trim() === ''
