// Text of a page for searching: the plain text, and which of its line breaks separate characters of one vertical line.
import type { PDFPage } from 'mupdf'
import { columnBreaks } from './column-breaks.js'
import { pageSource, withText } from './reading-order/ordered-text.js'

export interface SearchedText {
  readonly text: string
  /** Numbers of the line breaks (in code points) between characters of one vertical line. */
  readonly columnBreaks: ReadonlySet<number>
}

export const none: ReadonlySet<number> = new Set()

/** Two lines of one character each, as vertical text has; other pages are not measured. */
const isColumn = /(?:^|\n)\S\n{1,2}\S(?:\n|$)/u

/** `options`: those of the engine; `ignore-actualtext` gives the characters that are drawn. */
export const searchedText = (page: PDFPage, options = ''): SearchedText =>
  withText(pageSource(page), options, (ordered) => ({
    text: ordered.text,
    columnBreaks: isColumn.test(ordered.text) ? columnBreaks(ordered) : none,
  }))
