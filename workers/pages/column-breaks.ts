// Finds the characters of vertical lines. The engine returns a line of its own for each of them, whether the font
// writes vertically or a program placed the characters of a horizontal font below each other.
import type { Point, Quad } from 'mupdf'
import type { OrderedText } from './reading-order/ordered-text.js'

/** Line of the engine. */
interface Line {
  readonly isVertical: boolean
  readonly direction: Point
  /** Number of the first character. */
  readonly start: number
  /** Number of the line break behind the last character. */
  end: number
  first: Place
  last: Place
}

interface Place {
  /** Point that moves with the characters of a line. */
  readonly at: Point
  readonly size: number
}

/** Limits of the distance to the next character, in ems: along the vertical line, and across. */
const distances = {
  /** The font writes vertically, with any advance. */
  vertical: { min: 0, max: 2, across: 0.3 },
  /** Lines of text have more distance than the characters of a vertical line. */
  stacked: { min: 0.5, max: 1.3, across: 0.35 },
} as const

/** Returns the numbers of the line breaks between characters of one vertical line. */
export function columnBreaks(text: OrderedText): ReadonlySet<number> {
  const breaks = new Set<number>()
  let characters = 0
  let before: Line | undefined
  let begun: Pick<Line, 'isVertical' | 'direction'> | undefined
  let line: Line | undefined
  const end = () => {
    characters += 1
  }
  text.walk({
    beginLine: (direction, isVertical) => {
      begun = { isVertical, direction }
      line = undefined
    },
    onCharacter: ({ size, quad }) => {
      const place = { at: pointOf(quad, begun?.isVertical === true), size }
      if (line !== undefined) line.last = place
      else if (begun !== undefined) line = { ...begun, start: characters, end: characters, first: place, last: place }
      characters += 1
    },
    endLine: () => {
      if (line !== undefined) line.end = characters
      if (before !== undefined && line !== undefined && continues(before, line))
        for (let at = before.end; at < line.start; at++) breaks.add(at)
      before = line
      end()
    },
    endBlock: end,
  })
  return breaks
}

/** Returns the middle of the baseline's end for vertical writing, else of the glyph. */
function pointOf([ulx, uly, urx, ury, llx, lly, lrx, lry]: Quad, isVertical: boolean): Point {
  if (isVertical) return [(urx + lrx) / 2, (ury + lry) / 2]
  return [(ulx + urx + llx + lrx) / 4, (uly + ury + lly + lry) / 4]
}

function continues(before: Line, line: Line): boolean {
  if (before.isVertical !== line.isVertical) return false
  if (!line.isVertical && (before.end - before.start !== 1 || line.end - line.start !== 1)) return false
  const [x, y] = line.direction
  const [otherX, otherY] = before.direction
  if (x * otherX + y * otherY < 0.99) return false
  const { size } = before.last
  if (!(size > 0 && line.first.size > size / 2 && line.first.size < size * 2)) return false
  const [byX, byY] = [line.first.at[0] - before.last.at[0], line.first.at[1] - before.last.at[1]]
  const [forward, aside] = [(byX * x + byY * y) / size, (byY * x - byX * y) / size]
  const [along, across] = line.isVertical ? [forward, aside] : [aside, forward]
  const { min, max, across: acrossMax } = line.isVertical ? distances.vertical : distances.stacked
  return along > min && along <= max && Math.abs(across) <= acrossMax
}
