// Copies entries that a page inherits from its ancestors (ISO 32000-2, 7.7.3.4) into the page before it moves to
// another node.
import type { PDFObject } from 'mupdf'
import type { PdfRect } from '../contract/pdf-rect.js'
import { pageBoxes } from '../document/page-boxes.js'
import { type InheritedEntries, inheritableKeys } from '../intake/page-tree.js'
import { inlineCopy } from '../objects/inline-copy.js'
import { entry, isMissing, objectNumberOf } from '../objects/values.js'

type InheritedKey = keyof InheritedEntries

/** Values equivalent to a missing entry, for pages whose new ancestor has another value. */
const neutral: Readonly<Record<InheritedKey, (page: PDFObject) => unknown>> = {
  Resources: () => ({}),
  MediaBox: (page) => corners(pageBoxes(page).media),
  CropBox: (page) => corners(pageBoxes(page).media),
  Rotate: () => 0,
}

export interface Move {
  readonly from: InheritedEntries
  readonly to: InheritedEntries
}

/** Copies inherited entries; must be called before the page gets its new parent. */
export function copyInheritedEntries(page: PDFObject, { from, to }: Move): void {
  for (const key of inheritableKeys) {
    if (!isMissing(entry(page, key)) || isSame(from[key], to[key])) continue
    const value = from[key]
    page.put(key, value === undefined ? neutral[key](page) : inlineCopy(value))
  }
}

function isSame(one: PDFObject | undefined, other: PDFObject | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  const number = objectNumberOf(one)
  return number === undefined ? one.toString(true) === other.toString(true) : number === objectNumberOf(other)
}

const corners = ({ left, bottom, right, top }: PdfRect): readonly number[] => [left, bottom, right, top]
