// `pages.insertBlank`: inserts empty pages.
import type { PDFObject } from 'mupdf'
import { insertPages } from '../assembly/insert-pages.js'
import type { Change } from '../change/change.js'
import { opWork } from '../change/op-work.js'
import { PagesInsertBlank } from '../contract/ops/pages-insert-blank.js'

export const work = opWork(PagesInsertBlank, {
  apply({ size, count = 1, position = 'end' }, change) {
    const pages = Array.from({ length: count }, () => blankPage(change, size))
    return { type: 'pages.insertBlank' as const, ...insertPages(change, { pages, position }) }
  },
})

function blankPage(change: Change, { width, height }: { readonly width: number; readonly height: number }): PDFObject {
  const page = change.pdf.newDictionary()
  page.put('Type', change.pdf.newName('Page'))
  page.put('MediaBox', [0, 0, width, height])
  page.put('Resources', change.pdf.newDictionary())
  return change.create(page)
}
