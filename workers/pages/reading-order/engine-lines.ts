// Reads the lines that the engine finds on a page, with their characters in the order in which they were drawn: the
// engine turns parts of lines around by itself.
import type { Point, Quad, StructuredText } from 'mupdf'

export interface LineCharacter {
  readonly text: string
  readonly origin: Point
  /** Points of the engine. */
  readonly size: number
  readonly quad: Quad
}

export interface EngineLine<Character extends LineCharacter = LineCharacter> {
  readonly isVertical: boolean
  readonly direction: Point
  readonly characters: readonly Character[]
  /** True if the engine's block ends with the line. */
  readonly endsBlock: boolean
}

/** `points`: the code points that the engine answers as the text of the page. */
export function linesOf(structured: StructuredText, points: readonly string[]): readonly EngineLine[] {
  const lines: { isVertical: boolean; direction: Point; characters: LineCharacter[]; endsBlock: boolean }[] = []
  let [at, bidi] = [0, [] as number[]]
  structured.walk({
    beginLine: (_box, mode, direction) => {
      bidi = []
      lines.push({ isVertical: mode === 1, direction, characters: [], endsBlock: false })
    },
    onChar: (_character, origin, _font, size, quad, _color, turned) => {
      lines.at(-1)?.characters.push({ text: points[at] ?? '', origin, size, quad })
      bidi.push(turned)
      at++
    },
    // The text has a line break after each line, and another one after each block.
    endLine: () => {
      const line = lines.at(-1)
      if (line !== undefined && bidi.includes(visual)) line.characters = turnedBack(line.characters, bidi)
      at++
    },
    endTextBlock: () => {
      const line = lines.at(-1)
      if (line !== undefined) line.endsBlock = true
      at++
    },
  })
  return lines
}

/** The engine's sign that right-to-left characters of a line were drawn from left to right. */
const visual = 3

/** The engine turned every row of right-to-left characters. */
function turnedBack(characters: readonly LineCharacter[], bidi: readonly number[]): LineCharacter[] {
  const back: LineCharacter[] = []
  for (let from = 0; from < characters.length; ) {
    let to = from + 1
    if (bidi[from] !== 0) while (to < characters.length && bidi[to] !== 0) to++
    back.push(...characters.slice(from, to).toReversed())
    from = to
  }
  return back
}

/** Distances along the direction of a line. */
export interface Extent {
  readonly from: number
  readonly to: number
}

export const along = ([x, y]: Point, [directionX, directionY]: Point): number => x * directionX + y * directionY
export const across = ([x, y]: Point, [directionX, directionY]: Point): number => y * directionX - x * directionY

export function extentOf([, , , , llx, lly, lrx, lry]: Quad, direction: Point): Extent {
  const [one, other] = [along([llx, lly], direction), along([lrx, lry], direction)]
  return { from: Math.min(one, other), to: Math.max(one, other) }
}

/** Returns the edge with which a glyph ends as a quad without an extent. */
export const endOf = ([, , urx, ury, , , lrx, lry]: Quad): Quad => [urx, ury, urx, ury, lrx, lry, lrx, lry]
