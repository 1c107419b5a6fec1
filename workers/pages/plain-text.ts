// Text of a page in reading order, without annotations and fields: what is not clipped, on layers that are on.
import type { PDFPage } from 'mupdf'

/** `options`: those of the engine; `clip=0` includes what the page clips. */
export function plainText(page: PDFPage, options = ''): string {
  const structured = page.toStructuredText(options)
  try {
    return structured.asText()
  } finally {
    structured.destroy()
  }
}
