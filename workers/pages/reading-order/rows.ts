// Joins the pieces of a line. Where the direction of writing changes, the engine begins a new line, although the letters
// stand in one row.
import type { Point } from 'mupdf'
import type { WholeLine } from './echoes.js'
import { across, type Extent, type LineCharacter } from './engine-lines.js'
import { textOf, type Unit, unitsOf } from './line-units.js'
import { mayTurn } from './logical-order.js'
import type { OwnGlyphs } from './own-glyphs.js'

export interface Row extends Extent {
  readonly direction: Point
  readonly isVertical: boolean
  /** As the engine has them. */
  readonly characters: LineCharacter[]
  /** In the order in which they were drawn. */
  readonly units: Unit[]
  /** Size of the largest letters. */
  size: number
  /** Those at the ends of the first and of the last piece. */
  readonly baselines: number[]
  /** True if the row may have to be read in another order than that of the engine. */
  turns: boolean
  endsBlock: boolean
}

interface OpenRow extends Row {
  from: number
  to: number
  isBroken: boolean
}

/** Distances in ems: between baselines, and between pieces of one row, which columns exceed. */
const [baselinesMax, gapMax] = [0.4, 0.8]
/** Width in ems of a glyph at which the engine ended the line. */
const brokenGapMax = 2
/** Number of units from which a row is none of text, and stays as the engine has it. */
const unitsMax = 5_000

export function rowsOf(lines: readonly WholeLine[], glyphs: OwnGlyphs): readonly Row[] {
  const rows: OpenRow[] = []
  for (const { direction, isVertical, characters, endsBlock, isBroken } of lines) {
    const units = unitsOf({ characters, direction }, glyphs)
    const ends = [...characters.slice(0, 1), ...characters.slice(-1)]
    const row: OpenRow = {
      direction,
      isVertical,
      characters: [...characters],
      units: [...units],
      endsBlock,
      isBroken,
      from: units.reduce((least, { from }) => Math.min(least, from), Infinity),
      to: units.reduce((most, { to }) => Math.max(most, to), -Infinity),
      size: units.reduce((most, { size }) => Math.max(most, size), 0),
      baselines: ends.map(({ origin }) => across(origin, direction)),
      turns: !isVertical && units.length <= unitsMax && units.some((unit) => mayTurn(textOf(unit))),
    }
    const last = rows.at(-1)
    if (last === undefined || !continues(last, row)) rows.push(row)
    else {
      last.units.push(...units)
      last.baselines.splice(2, Infinity, ...row.baselines)
      last.from = Math.min(last.from, row.from)
      last.to = Math.max(last.to, row.to)
      last.size = Math.max(last.size, row.size)
      last.endsBlock = endsBlock
      last.turns ||= row.turns
      last.isBroken = isBroken
      last.characters.push(...characters)
    }
  }
  return rows
}

function continues(row: OpenRow, piece: Row): boolean {
  if (!(row.turns || piece.turns || row.isBroken) || row.units.length + piece.units.length > unitsMax) return false
  if (!areLevel(row, piece)) return false
  const gap = Math.max(row.from - piece.to, piece.from - row.to)
  return gap <= (row.isBroken ? brokenGapMax : gapMax) * row.size
}

/** True for rows with one baseline that do not stand on each other. */
export function areLevel(row: Row, piece: Row): boolean {
  if (row.isVertical || piece.isVertical) return false
  const [x, y] = row.direction
  if (x * piece.direction[0] + y * piece.direction[1] < 0.999) return false
  const [size, other] = [row.size, piece.size]
  if (!(size > 0 && other > 0 && size < other * 2 && other < size * 2)) return false
  const isLevel = row.baselines.some((one) => piece.baselines.some((two) => Math.abs(one - two) <= baselinesMax * size))
  return isLevel && !isCopy(row.units, piece.units)
}

/** Share of letters that stand on others in a line that is drawn again, for a shadow or for bold. */
const copied = 0.3

function isCopy(row: readonly Unit[], piece: readonly Unit[]): boolean {
  const covered = piece.filter(({ from, to }) => {
    const middle = (from + to) / 2
    return row.some((unit) => unit.from < middle && unit.to > middle)
  })
  return covered.length > copied * piece.length
}
