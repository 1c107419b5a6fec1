// Reads names of pages and of templates, which scripts refer to (ISO 32000-2, 12.7.7).
import type { PDFObject } from 'mupdf'
import type { NamedPage } from '../contract/named-page.js'
import { pageRef } from '../contract/page-ref.js'
import type { Reading } from '../document/reading.js'
import { readingLimits } from '../objects/reading-limits.js'
import { nameTree } from '../objects/trees.js'
import { entry, isDictionary, nameOf, objectNumberOf } from '../objects/values.js'

const templateTypes: readonly (string | undefined)[] = ['Template', 'Page']

export function namedPages(reading: Reading): NamedPage[] {
  const names = entry(reading.catalog, 'Names')
  const found = new Map<string, NamedPage>()
  for (const tree of ['Pages', 'Templates']) {
    for (const [name, value] of nameTree(entry(names, tree))) {
      // The first of several equal names counts, as in a search of the tree.
      if (name.length > readingLimits.nameCharactersMax || found.has(name)) continue
      reading.budget.takeItem()
      found.set(name, { name: reading.budget.takeText(name), target: targetOf(reading, value) })
    }
  }
  return [...found.values()]
}

function targetOf({ document }: Reading, value: PDFObject): NamedPage['target'] {
  const objectNumber = objectNumberOf(value)
  if (objectNumber === undefined) return { kind: 'dangling' }
  if (document.hasPage(objectNumber)) return { kind: 'page', page: pageRef(objectNumber) }
  const isTemplate = isDictionary(value) && templateTypes.includes(nameOf(entry(value, 'Type')))
  return isTemplate ? { kind: 'template', objectNumber } : { kind: 'dangling' }
}
