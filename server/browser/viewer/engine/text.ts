// Text of pages: where its characters stand, and what they are.
import type { PageTextSlice, PdfPageGeometry, PdfPageObject, PdfRun } from '@embedpdf/models'
import type { GlyphRun, PageGeometry } from '../../../../workers/contract/page-geometry.js'
import type { PageQuad } from '../../../../workers/contract/page-quad.js'
import type { PageText } from '../../../../workers/contract/page-text.js'
import { pagePath, versionedAddress } from './address.js'
import type { OpenedDocument } from './opened-document.js'
import { type Box, scaled } from './page-space.js'

export async function geometryOf(
  opened: OpenedDocument,
  { index }: PdfPageObject,
  signal: AbortSignal,
): Promise<PdfPageGeometry> {
  // Without this right the reader can select no text, and the page is shown nevertheless.
  if (!opened.may('doc.text.select')) return { runs: [] }
  await opened.firstPicture.shown
  const { userUnit } = opened.pageAt(index)
  const { runs } = await opened.json<PageGeometry>(addressOf('geometry', opened, index), { signal })
  return { runs: runs.map((run) => runOf(run, userUnit)) }
}

const blank = { none: 0, space: 1, empty: 2 }

function runOf({ rect, start, fontSize, glyphs }: GlyphRun, userUnit: number): PdfRun {
  return {
    rect: scaled(rect, userUnit),
    charStart: start,
    fontSize: fontSize * userUnit,
    glyphs: glyphs.map(({ loose, space, empty }) => ({
      ...scaled('width' in loose ? loose : around(loose), userUnit),
      flags: empty ? blank.empty : space ? blank.space : blank.none,
    })),
  }
}

/** Returns the upright box around the corners. */
function around(quad: PageQuad): Box {
  const corners = [quad.upperLeft, quad.upperRight, quad.lowerLeft, quad.lowerRight]
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

/** Returns the characters of the slices, in their order. */
export async function textOf(
  opened: OpenedDocument,
  slices: readonly PageTextSlice[],
  signal: AbortSignal,
): Promise<string[]> {
  return Promise.all(
    slices.map(async ({ pageIndex, charIndex, charCount }) => {
      const page = await opened.json<PageText>(addressOf('text', opened, pageIndex), { signal })
      return page.text.slice(offsetIn(page, charIndex), offsetIn(page, charIndex + charCount))
    }),
  )
}

/** Returns the text of a page. */
export async function wholeTextOf(opened: OpenedDocument, pageIndex: number, signal: AbortSignal): Promise<string> {
  const { text } = await opened.json<PageText>(addressOf('text', opened, pageIndex), { signal })
  return text
}

/** Returns the offset of a character, which follows from the last anchor before it. */
function offsetIn({ charMap = [] }: PageText, character: number): number {
  const [number, offset] = charMap.findLast(([anchor]) => anchor <= character) ?? [0, 0]
  return offset + character - number
}

function addressOf(family: 'geometry' | 'text', opened: OpenedDocument, index: number): string {
  const page = opened.pageAt(index)
  const { contentVersion } = opened.pinsOf(page)
  return versionedAddress(pagePath(family, page.ref.objectNumber), { contentVersion })
}
