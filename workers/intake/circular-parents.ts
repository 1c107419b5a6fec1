// Fields and widgets whose `/Parent` entries lead in a circle: the engine cannot load their pages. Each gets the field that
// lists it as its parent, or none.
import type { PDFObject } from 'mupdf'
import type { OpenDocument } from '../document/open-document.js'
import { isWidget } from '../fields/field-tree.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isDictionary, objectNumberOf } from '../objects/values.js'

/** Returns the members of each chain of parents whose parent is a member of the chain. */
export function circularMembers({ pdf, pages }: OpenDocument): readonly PDFObject[] {
  const sound = new Set<number>()
  const found = new Map<number, PDFObject>()
  for (const page of pages) {
    for (const annotation of elementsOf(entry(pdf.newIndirect(page), 'Annots'), readingLimits.annotsLengthMax)) {
      if (isWidget(annotation)) judge(annotation, sound, found)
    }
  }
  return [...found.values()]
}

function judge(widget: PDFObject, sound: Set<number>, found: Map<number, PDFObject>): void {
  const chain = new Set<number>()
  for (let member = widget; isDictionary(member); member = entry(member, 'Parent')) {
    const number = objectNumberOf(member)
    if (number === undefined) continue
    if (sound.has(number) || found.has(number)) break
    chain.add(number)
    const above = objectNumberOf(entry(member, 'Parent'))
    if (above === undefined || !chain.has(above)) continue
    found.set(number, member)
    break
  }
  for (const number of chain) sound.add(number)
}

export function cutCircles({ catalog }: OpenDocument, members: readonly PDFObject[]): void {
  const listers = listersIn(entry(catalog, 'AcroForm'))
  for (const member of members) {
    const number = objectNumberOf(member) ?? 0
    const lister = listers.get(number)
    if (lister === undefined || objectNumberOf(lister) === number) member.delete('Parent')
    else member.put('Parent', lister)
  }
}

/** Returns the field that lists an object among its kids, by the number of the object. */
function listersIn(form: PDFObject): ReadonlyMap<number, PDFObject> {
  const listers = new Map<number, PDFObject>()
  const waiting = [...elementsOf(entry(form, 'Fields'), readingLimits.fieldNodesMax)]
  for (let field = waiting.pop(); field !== undefined; field = waiting.pop()) {
    if (!isDictionary(field)) continue
    for (const kid of elementsOf(entry(field, 'Kids'), readingLimits.fieldNodesMax)) {
      const number = objectNumberOf(kid)
      if (number === undefined || listers.has(number) || listers.size >= readingLimits.fieldNodesMax) continue
      listers.set(number, field)
      waiting.push(kid)
    }
  }
  return listers
}
