// Text of a page in reading order, without annotations and fields: what is not clipped, on layers that are on.
import type { PDFPage } from 'mupdf'
import { pageSource, withText } from './reading-order/ordered-text.js'

/** `options`: those of the engine; `clip=0` includes what the page clips. */
export const plainText = (page: PDFPage, options = ''): string =>
  withText(pageSource(page), options, ({ text }) => text)
