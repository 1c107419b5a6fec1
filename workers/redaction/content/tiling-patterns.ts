// Tells where the cell of a tiling pattern is shown (ISO 32000-2, 8.7.3). What lies under a mark leaves the cell if the page
// shows it nowhere else: the stream of a pattern contains it, however little of it any path lets through.
import type { Matrix, PDFObject } from 'mupdf'
import { boundsOf, cornersOf } from '../../annotations/drawing/geometry.js'
import { matrixOf } from '../../content/placement.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import { mupdf } from '../../engine/library.js'
import { intersection, isEmpty, rectangleOf } from '../../objects/rectangles.js'
import { entry, isStream, numberOf } from '../../objects/values.js'
import { placedBounds, type Region, transformed } from '../region.js'
import { inverse } from './matrices.js'

const tiling = 1
/** More tiles than this repeat their cell many times on the page. */
const tilesMax = 64

export const isTiling = (pattern: PDFObject): boolean =>
  isStream(pattern) && numberOf(entry(pattern, 'PatternType')) === tiling

/**
 * Returns the matrices of the tiles under marks. `base`: matrix of the content that the pattern is used in. Undefined if
 * something under a mark is repeated beside the marks, or if the tiles are unknown.
 */
export function tilesUnder(
  pattern: PDFObject,
  base: Matrix,
  { region, page }: { readonly region: Region; readonly page: PdfRect },
): readonly Matrix[] | undefined {
  const tiles = tilesOn(page, pattern, base)
  const box = rectangleOf(entry(pattern, 'BBox'))
  if (tiles === undefined || box === undefined) return undefined
  const marked = tiles.filter((place) => region.touches(cornersOf(box).map((corner) => transformed(corner, place))))
  const isAlone = marked.every((place) => {
    const inside = placedBounds(box, place)
    return region.partsNear(inside).every((part) => {
      const covered = intersection(boundsOf(region.parts[part] ?? []) ?? inside, inside)
      return tiles.every((other) => {
        const shown = intersection(moved(covered, other[4] - place[4], other[5] - place[5]), page)
        return other === place || isEmpty(shown) || region.contains(shown)
      })
    })
  })
  return isAlone ? marked : undefined
}

/** Returns the matrices of all tiles that meet the page; undefined if they are too many. */
function tilesOn(page: PdfRect, pattern: PDFObject, base: Matrix): readonly Matrix[] | undefined {
  const [across, up] = ['XStep', 'YStep'].map((key) => Math.abs(numberOf(entry(pattern, key)) ?? 0))
  const box = rectangleOf(entry(pattern, 'BBox'))
  const place = mupdf.Matrix.concat([...matrixOf(entry(pattern, 'Matrix'))], base)
  const back = inverse(place)
  if (!across || !up || box === undefined || back === undefined) return undefined
  const seen = placedBounds(page, back)
  const columns = range((seen.left - box.right) / across, (seen.right - box.left) / across)
  const rows = range((seen.bottom - box.top) / up, (seen.top - box.bottom) / up)
  if (columns.count * rows.count > tilesMax) return undefined
  return Array.from({ length: columns.count * rows.count }, (_, index) => {
    const column = columns.first + (index % columns.count)
    const row = rows.first + Math.floor(index / columns.count)
    return mupdf.Matrix.concat([1, 0, 0, 1, column * across, row * up], place)
  })
}

/** Cells that only touch the page with an edge are not on it. */
const touching = 1e-6

function range(from: number, to: number): { readonly first: number; readonly count: number } {
  const first = Math.ceil(from + touching)
  return { first, count: Math.max(0, Math.floor(to - touching) - first + 1) }
}

const moved = ({ left, bottom, right, top }: PdfRect, x: number, y: number): PdfRect => ({
  left: left + x,
  bottom: bottom + y,
  right: right + x,
  top: top + y,
})
