// Reads where the glyphs of a page stand, in the order and with the numbers of the characters that `asText` returns.
import type { PDFPage } from 'mupdf'
import type { PageBox } from '../contract/page-box.js'
import type { PageGeometry, GlyphRun as ShownRun } from '../contract/page-geometry.js'
import type { PageSpace } from '../document/page-space.js'
import { boxAround, type GlyphRun, readCharacters } from './page-characters.js'

/** Returns undefined if the page has more glyphs than `glyphsMax`. */
export function readGeometry(page: PDFPage, space: PageSpace, glyphsMax: number): PageGeometry | undefined {
  const { runs, glyphCount } = readCharacters(page, space, glyphsMax)
  return glyphCount <= glyphsMax ? { runs: runs.map(shown) } : undefined
}

function shown({ start, fontSize, rotation, ascentFlip, glyphs }: GlyphRun): ShownRun {
  const placed = glyphs.map(({ quad, isSpace }) => {
    const box = boxAround(Object.values(quad))
    return { quad, box, marks: marksOf(isSpace, box) }
  })
  const rect = boxAround(glyphs.flatMap(({ quad }) => Object.values(quad)))
  if (rotation === 0 && !ascentFlip) {
    return { rect, start, fontSize, glyphs: placed.map(({ box, marks }) => ({ loose: box, ...marks })) }
  }
  const turned = placed.map(({ quad, marks }) => ({ loose: quad, ...marks }))
  return { rect, start, fontSize, glyphs: turned, rotation, ascentFlip }
}

const marksOf = (isSpace: boolean, { width, height }: PageBox) => ({
  ...(isSpace ? { space: true as const } : {}),
  ...(width === 0 || height === 0 ? { empty: true as const } : {}),
})
