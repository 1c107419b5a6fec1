// Entries that fields inherit from their ancestors (ISO 32000-2, 12.7.4.1); the chain of parents may be cyclic or too
// long.
import type { PDFObject } from 'mupdf'
import { readingLimits } from '../objects/reading-limits.js'
import { entry, isDictionary, isMissing, objectNumberOf } from '../objects/values.js'

/** A field or widget followed by its ancestors. */
export type Lineage = readonly PDFObject[]

export function lineageOf(object: PDFObject): Lineage {
  const lineage: PDFObject[] = []
  const seen = new Set<number>()
  let member = object
  while (isDictionary(member) && lineage.length < readingLimits.ancestorsMax) {
    const number = objectNumberOf(member)
    if (number !== undefined && seen.has(number)) break
    if (number !== undefined) seen.add(number)
    lineage.push(member)
    member = entry(member, 'Parent')
  }
  return lineage
}

/** Returns undefined if no member of the lineage has the entry. */
export function inherited(lineage: Lineage, key: string): PDFObject | undefined {
  for (const member of lineage) {
    const value = entry(member, key)
    if (!isMissing(value)) return value
  }
  return undefined
}

export const inheritedFrom = (object: PDFObject, key: string): PDFObject | undefined =>
  inherited(lineageOf(object), key)
