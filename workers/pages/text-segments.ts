// Where a range of the characters of a page stands: one segment for each line and size of letters.

import type { PagePoint } from '../contract/page-point.js'
import type { PageQuad } from '../contract/page-quad.js'
import type { TextSegment } from '../contract/search.js'
import { boxAround, type Glyph, type GlyphRun, type PageCharacters } from './page-characters.js'

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

/**
 * Returns the segments, which contain the glyphs that stand for any of the characters, and no others: characters that
 * follow each other may stand apart where the direction of writing changes.
 */
export function placesOf({ runs }: PageCharacters, { start, count }: CharacterRange): readonly RangePlace[] {
  return runs.flatMap((run) => {
    const from = Math.max(start, run.start) - run.start
    const to = Math.min(start + count, run.start + run.glyphs.length) - run.start
    return to <= from ? [] : neighbours(run.glyphs.slice(from, to)).map((glyphs) => placeOf(run, glyphs))
  })
}

/** Divides glyphs where others stand between them. */
function neighbours(glyphs: readonly Glyph[]): readonly (readonly Glyph[])[] {
  if (glyphs.every(({ place }) => place === undefined)) return [glyphs]
  const places = [...new Set(glyphs.map(({ place = 0 }) => place))].sort((one, other) => one - other)
  const begins = places.filter((place, index) => place - 1 !== places[index - 1])
  const groupOf = ({ place = 0 }: Glyph) => begins.findLastIndex((begin) => begin <= place)
  const groups = new Map<number, Glyph[]>()
  for (const glyph of glyphs) {
    const group = groups.get(groupOf(glyph))
    if (group === undefined) groups.set(groupOf(glyph), [glyph])
    else group.push(glyph)
  }
  return [...groups.values()]
}

const placeOf = (run: GlyphRun, glyphs: readonly Glyph[]): RangePlace => ({
  segment: segmentOf(run, glyphs),
  isInGlyph: glyphs.every(({ quad, drawn }) => quad !== drawn),
  origins: glyphs.map(({ origin }) => origin),
})

function segmentOf({ rotation }: GlyphRun, glyphs: readonly Glyph[]): TextSegment {
  const quads = glyphs.map(({ drawn }) => drawn)
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
