// Turns the content of a page while the engine removes slanted text from it. The engine compares upright boxes around
// glyphs with those of marks, which for slanted text contain the neighbouring letters too; turned upright, they do not.
import type { Matrix, PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { operatorsOf } from '../content/operators.js'
import { decodedBytes } from '../engine/engine-memory.js'
import { elementsOf, entry, isArray, isStream } from '../objects/values.js'
import { type Corners, Region } from './region.js'

/** Shapes that are slanted by about the same angle. */
export interface Slanted {
  /** Degrees counter-clockwise, above 0 and below 90. */
  readonly angle: number
  readonly parts: readonly Corners[]
}

/** Angles in degrees that count as the same. */
const step = 0.5
/** Maximum number of angles: for each, the engine runs once. */
const anglesMax = 4
/** Maximum number of content streams of one page. */
const streamsMax = 100_000
/** A line without extent, beyond every page: the engine writes a matrix only before something that is drawn. */
const far = 9_999_999
const line = `${far} ${far} m ${far} ${far} l S`

/** Divides shapes into upright ones and those of a few angles; shapes of further angles count as upright ones. */
export function bySlant(shapes: readonly Corners[]): {
  readonly upright: readonly Corners[]
  readonly slanted: readonly Slanted[]
} {
  const groups = new Map<number, Corners[]>()
  for (const shape of shapes) {
    const angle = angleOf(shape)
    const group = groups.get(angle) ?? []
    group.push(shape)
    groups.set(angle, group)
  }
  const upright = groups.get(0) ?? []
  groups.delete(0)
  const all = [...groups].map(([angle, parts]) => ({ angle, parts }))
  return {
    upright: [upright, ...all.slice(anglesMax).map(({ parts }) => parts)].flat(),
    slanted: all.slice(0, anglesMax),
  }
}

function angleOf([first, second]: Corners): number {
  if (first === undefined || second === undefined) return 0
  const degrees = (Math.atan2(second.y - first.y, second.x - first.x) * 180) / Math.PI
  return (Math.round((((degrees % 90) + 90) % 90) / step) * step) % 90
}

/**
 * Runs `redact` on the page turned back by the angle, with the turned region. Returns false, with the page as before, if
 * the engine's result cannot be turned back.
 */
export function whileTurned(
  change: Change,
  page: PDFObject,
  { angle, parts }: Slanted,
  redact: (region: Region) => void,
): boolean {
  const [cosine, sine] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]
  const turn: Matrix = [cosine, -sine, sine, cosine, 0, 0]
  const [contents, resources] = [entry(page, 'Contents'), entry(page, 'Resources')]
  const turned = change.pdf.newArray()
  turned.push(change.pdf.addStream(`${turn.map((value) => value.toFixed(9)).join(' ')} cm ${line}\n`, {}))
  for (const stream of isArray(contents) ? elementsOf(contents, streamsMax) : [contents]) turned.push(stream)
  page.put('Contents', turned)
  redact(new Region(parts).through(turn))
  const made = entry(page, 'Contents')
  const content = isStream(made) ? withoutTurn(decodedBytes(made).toString('latin1')) : undefined
  if (content !== undefined) {
    made.writeStream(Buffer.from(content, 'latin1'))
    return true
  }
  page.put('Contents', contents)
  if (resources.isNull()) page.delete('Resources')
  else page.put('Resources', resources)
  return false
}

/** Returns the content without the first matrix and the line after it; undefined if it does not begin with them. */
function withoutTurn(content: string): string | undefined {
  const operators = [...operatorsOf(content)]
  const at = operators.findIndex(({ name }) => name !== 'q')
  const [turn, from, to, stroke] = operators.slice(at, at + 4)
  if (turn?.name !== 'cm' || stroke?.name !== 'S') return undefined
  if (![from, to].every((operator) => Number(operator?.operands[0]) === far)) return undefined
  return operators.flatMap(({ text }, index) => (index >= at && index < at + 4 ? [] : [text])).join('\n')
}
