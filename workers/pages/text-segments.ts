// Where a range of the characters of a page stands: one segment for each line and size of letters.

import type { PagePoint } from '../contract/page-point.js'
import type { PageQuad } from '../contract/page-quad.js'
import type { TextSegment } from '../contract/search.js'
import { boxAround, type GlyphRun, type PageCharacters } from './page-characters.js'

export interface CharacterRange {
  readonly start: number
  readonly count: number
}

export const segmentsOf = (characters: PageCharacters, range: CharacterRange): readonly TextSegment[] =>
  placesOf(characters, range).map(({ segment }) => segment)

export interface RangePlace {
  readonly segment: TextSegment
  /** True if none of the characters begins a glyph: the segment is that of the glyph which stands for them too. */
  readonly isInGlyph: boolean
  /** Origins of the glyphs. */
  readonly origins: readonly PagePoint[]
}

/** Returns the segments, which contain the glyphs that stand for any of the characters. */
export function placesOf({ runs }: PageCharacters, { start, count }: CharacterRange): readonly RangePlace[] {
  return runs.flatMap((run) => {
    const from = Math.max(start, run.start) - run.start
    const to = Math.min(start + count, run.start + run.glyphs.length) - run.start
    if (to <= from) return []
    const glyphs = run.glyphs.slice(from, to)
    const isInGlyph = glyphs.every(({ quad, drawn }) => quad !== drawn)
    return [{ segment: segmentOf(run, from, to), isInGlyph, origins: glyphs.map(({ origin }) => origin) }]
  })
}

function segmentOf({ glyphs, rotation }: GlyphRun, from: number, to: number): TextSegment {
  const quads = glyphs.slice(from, to).map(({ drawn }) => drawn)
  const rect = boxAround(quads.flatMap((quad) => Object.values(quad)))
  const radians = (rotation * Math.PI) / 180
  const along = ({ lowerLeft: { x, y } }: PageQuad) => Math.cos(radians) * x + Math.sin(radians) * y
  const byPlace = quads.toSorted((one, other) => along(one) - along(other))
  const [first, last] = [byPlace[0], byPlace.at(-1)]
  if (first === undefined || last === undefined) throw new RangeError('A segment has at least one character')
  const advance = quads[0] === first ? 1 : -1
  const { upperLeft, lowerLeft } = first
  const { upperRight, lowerRight } = last
  return { quad: { upperLeft, upperRight, lowerLeft, lowerRight }, rect, advance }
}
