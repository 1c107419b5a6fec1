// The fields of a form, each with its full name and widgets. The tree may be cyclic, contain duplicates or be too deep.
import type { PDFObject } from 'mupdf'
import type { Reading } from '../document/reading.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isArray, isDictionary, isMissing, nameOf, objectNumberOf } from '../objects/values.js'
import { isNamed, partialName } from './field-names.js'
import type { Lineage } from './inheritance.js'

export interface FieldNode {
  readonly object: PDFObject
  readonly name: string
  /** The field and its ancestors by the tree: /Parent entries of a broken file may differ. */
  readonly lineage: Lineage
  readonly widgets: readonly PDFObject[]
}

interface PendingField {
  readonly object: PDFObject
  readonly name: string
  readonly above: Lineage
}

export function fieldTree(reading: Reading): readonly FieldNode[] {
  const fields: FieldNode[] = []
  const seen = new Set<number>()
  const waiting: PendingField[] = []
  const add = (objects: readonly PDFObject[], name: string, above: Lineage): void => {
    for (const object of [...objects].reverse()) waiting.push({ object, name, above })
  }
  add([...elementsOf(entry(reading.form, 'Fields'), readingLimits.fieldNodesMax)], '', [])
  let inspected = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { object, above } = next
    const number = objectNumberOf(object)
    if (!isDictionary(object) || (number !== undefined && seen.has(number))) continue
    if (number !== undefined) seen.add(number)
    const name = [next.name, partialName(object)].filter((part) => part !== '').join('.')
    const lineage = [object, ...above]
    const { fields: kids, widgets } = kidsOf(reading, object)
    inspected += 1 + kids.length + widgets.length
    if (inspected > readingLimits.fieldNodesMax) break
    if (kids.length === 0 || widgets.length > 0) fields.push({ object, name, lineage, widgets })
    if (lineage.length < readingLimits.fieldDepthMax) add(kids, name, lineage)
  }
  return fields
}

/** Splits kids into fields, which have a name or kids of their own, and widgets. */
function kidsOf(
  { budget }: Reading,
  field: PDFObject,
): { readonly fields: readonly PDFObject[]; readonly widgets: readonly PDFObject[] } {
  const elements = [...elementsOf(entry(field, 'Kids'), readingLimits.fieldNodesMax)]
  budget.takeValues(elements.length)
  const kids = elements.filter(isDictionary)
  const isField = (kid: PDFObject): boolean => isNamed(kid) || isArray(entry(kid, 'Kids'))
  const fields = kids.filter(isField)
  const widgets = kids.filter((kid) => !isField(kid))
  return isMerged(field, widgets) ? { fields, widgets: [field, ...widgets] } : { fields, widgets }
}

/**
 * True if the field is also a widget. Some programs, such as TCPDF, declare a group's field as a widget although only
 * its kids are visible.
 */
export function isMerged(field: PDFObject, kids: readonly PDFObject[]): boolean {
  if (!isWidget(field)) return false
  return kids.length === 0 || ['P', 'AP'].some((key) => !isMissing(entry(field, key)))
}

export const isWidget = (object: PDFObject): boolean => nameOf(entry(object, 'Subtype')) === 'Widget'
