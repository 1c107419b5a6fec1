// Reads the parts of a page with a scale of their own (ISO 32000-2, 12.9.1) in file order: where two overlap, the later
// one counts.
import type { PDFObject } from 'mupdf'
import type { PageViewports, Viewport } from '../contract/viewport.js'
import type { PageSpace } from '../document/page-space.js'
import type { Reading } from '../document/reading.js'
import { readingLimits } from '../objects/reading-limits.js'
import { emptyRect, rectangleOf } from '../objects/rectangles.js'
import { booleanOf, elementsOf, entry, isDictionary } from '../objects/values.js'
import { measurementOf } from './measures.js'

/** Private key that marks a viewport as made by `pages.setScale`. */
export const ownedViewportKey = 'STWD_Scale'

export function readViewports(reading: Reading, page: number): PageViewports {
  const space = reading.spaceOf(page)
  const viewports = [...elementsOf(entry(reading.pageObject(page), 'VP'), readingLimits.viewportsMax)]
    .filter(isDictionary)
    .map((viewport) => viewportOf(reading, viewport, space))
  return { viewports }
}

function viewportOf(reading: Reading, viewport: PDFObject, space: PageSpace): Viewport {
  const name = reading.text(viewport, 'Name')
  const measure = measurementOf(reading, entry(viewport, 'Measure'), space)
  return {
    bbox: space.toPageBox(rectangleOf(entry(viewport, 'BBox')) ?? emptyRect),
    ...(name !== undefined && { name }),
    ...(measure !== null && { measure }),
    owned: booleanOf(entry(viewport, ownedViewportKey)) ?? false,
  }
}
