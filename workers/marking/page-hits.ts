// Finds the places of hits on a page.
import { JobRefusal } from '../contract/job-refusal.js'
import type { MarkKind, Unseen } from '../contract/marking.js'
import type { PagePoint } from '../contract/page-point.js'
import type { PageQuad } from '../contract/page-quad.js'
import type { TextSegment } from '../contract/search.js'
import type { Reading } from '../document/reading.js'
import { limits } from '../limits.js'
import { boxAround, readCharacters } from '../pages/page-characters.js'
import type { SearchPattern, TextMatch } from '../pages/search-pattern.js'
import { type SearchedText, searchedText } from '../pages/searched-text.js'
import { placesOf, type RangePlace } from '../pages/text-segments.js'
import { countAttached, countUnseen } from './count-unseen.js'
import { DrawnGlyphs } from './drawn-glyphs.js'

export interface PageHits {
  /**
   * Quads of each hit: one for each line and size of letters. For redaction marks they have the height of what is
   * drawn, else that of the line.
   */
  readonly hits: readonly (readonly PageQuad[])[]
  readonly unseen: Unseen
}

export interface HitSearch {
  readonly pattern: SearchPattern
  readonly kind: MarkKind
}

/** Throws `PayloadTooLarge` for a page of which a part could not be searched. */
export function hitsOn(reading: Reading, page: number, { pattern, kind }: HitSearch): PageHits {
  const { document } = reading
  // While the content is read, the page may seem to have no annotations.
  const attached = countAttached(reading.pageObject(page))
  return document.withContent(page, (content) => {
    const shown = searchedText(content)
    const unseen = { ...countUnseen(document, content, shown.text), ...attached }
    const space = reading.spaceOf(page)
    const places: (readonly RangePlace[])[] = []
    for (const options of texts) {
      const searched = options === '' ? shown : searchedText(content, options)
      if (options !== '' && searched.text === shown.text) continue
      const found = matchesIn(searched, pattern, page)
      if (found.length === 0) continue
      const characters = readCharacters(content, space, limits.glyphsMax, options)
      refuseMore('glyphsMax', page, characters.glyphCount)
      const known = places.flat()
      for (const match of found) {
        const hit = placesOf(characters, match)
        // A hit of line breaks alone is nowhere.
        if (hit.some(({ segment }) => !known.some((other) => covers(other.segment, segment)))) places.push(hit)
      }
    }
    if (places.length === 0) return { hits: [], unseen }
    const drawn = kind === 'redact' ? new DrawnGlyphs(content, space) : undefined
    const placeOf = ({ segment: { quad }, isInGlyph, origins }: RangePlace) => {
      const shown = drawn?.trimmed(quad, origins) ?? quad
      return withArea(isInGlyph && drawn !== undefined ? withEnd(shown) : shown)
    }
    return { hits: places.map((hit) => hit.map(placeOf)), unseen }
  })
}

/** Options of the engine: the text as readers copy it, and as it is drawn where /ActualText says something else. */
const texts = ['', 'ignore-actualtext'] as const

function matchesIn(searched: SearchedText, pattern: SearchPattern, page: number): readonly TextMatch[] {
  refuseMore('textCharactersMax', page, searched.text.length)
  const found: TextMatch[] = []
  for (const match of pattern.matches(searched)) {
    found.push(match)
    refuseMore('markHitsMax', page, found.length)
  }
  return found
}

/** Tolerance in points within which two readings of a text have the same place. */
const placeTolerance = 1

function covers({ rect: outer }: TextSegment, { rect: inner }: TextSegment): boolean {
  return (
    inner.x >= outer.x - placeTolerance &&
    inner.y >= outer.y - placeTolerance &&
    inner.x + inner.width <= outer.x + outer.width + placeTolerance &&
    inner.y + inner.height <= outer.y + outer.height + placeTolerance
  )
}

const units = { textCharactersMax: 'characters', glyphsMax: 'characters', markHitsMax: 'hits' } as const

function refuseMore(limit: keyof typeof units, page: number, value: number): void {
  const max = limits[limit]
  if (value <= max) return
  const message = `The page obj:${page} has more than ${max} ${units[limit]}: look for something longer, or name other pages in pages`
  throw new JobRefusal('PayloadTooLarge', message, { limit, max })
}

/** Distance in points that a mark of the end of a glyph goes beyond it; narrower than any letter's margin. */
const beyondEnd = 0.2

/** Returns the quad with the end in it: there may also be glyphs without advance, which no quad tells from this one. */
function withEnd(quad: PageQuad): PageQuad {
  const along = between(quad.lowerLeft, quad.lowerRight)
  const length = Math.hypot(along.x, along.y)
  if (length === 0) return quad
  const moved = ({ x, y }: PagePoint): PagePoint => ({
    x: x + (along.x / length) * beyondEnd,
    y: y + (along.y / length) * beyondEnd,
  })
  return { ...quad, upperRight: moved(quad.upperRight), lowerRight: moved(quad.lowerRight) }
}

/** Least extent in points: text that is scaled to nothing is in the file all the same, and a mark needs an area. */
const extentMin = 0.5

function withArea(quad: PageQuad): PageQuad {
  const { upperLeft, upperRight, lowerLeft, lowerRight } = quad
  const [diagonal, other] = [between(upperLeft, lowerRight), between(upperRight, lowerLeft)]
  if (Math.abs(diagonal.x * other.y - diagonal.y * other.x) / 2 > extentMin ** 2) return quad
  const { x, y, width, height } = boxAround(Object.values(quad))
  const [left, top, right, bottom] = [x - extentMin, y - extentMin, x + width + extentMin, y + height + extentMin]
  return {
    upperLeft: { x: left, y: top },
    upperRight: { x: right, y: top },
    lowerLeft: { x: left, y: bottom },
    lowerRight: { x: right, y: bottom },
  }
}

const between = (from: PagePoint, to: PagePoint): PagePoint => ({ x: to.x - from.x, y: to.y - from.y })
