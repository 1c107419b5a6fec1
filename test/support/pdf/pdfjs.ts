// Reads text as pdf.js does, which most browsers and many web applications show PDFs with.
import { readFileSync } from 'node:fs'

/** Returns the text of each page, a line for each run of it. */
export async function pdfjsTexts(path: string): Promise<readonly string[]> {
  // Its module awaits others, for which the runner of tests does not wait.
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const task = getDocument({ data: new Uint8Array(readFileSync(path)), verbosity: 0, useSystemFonts: false })
  try {
    const document = await task.promise
    const pages = Array.from({ length: document.numPages }, (_, index) => document.getPage(index + 1))
    return await Promise.all(pages.map(async (page) => textIn(await (await page).getTextContent())))
  } finally {
    await task.destroy()
  }
}

const textIn = ({ items }: { items: readonly object[] }): string =>
  items.map((item) => ('str' in item ? String(item.str) : '')).join('\n')
