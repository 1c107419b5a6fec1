// Where a range of the characters of a page stands: one segment for each line and size of letters.

import type { PageQuad } from '../contract/page-quad.js'
import type { TextSegment } from '../contract/search.js'
import { boxAround, type GlyphRun, type PageCharacters } from './page-characters.js'

export interface CharacterRange {
  readonly start: number
  readonly count: number
}

export function segmentsOf({ runs }: PageCharacters, { start, count }: CharacterRange): readonly TextSegment[] {
  return runs.flatMap((run) => {
    const from = Math.max(start, run.start) - run.start
    const to = Math.min(start + count, run.start + run.glyphs.length) - run.start
    return to > from ? [segmentOf(run, from, to)] : []
  })
}

function segmentOf({ glyphs, rotation }: GlyphRun, from: number, to: number): TextSegment {
  const quads = glyphs.slice(from, to).map(({ quad }) => quad)
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
