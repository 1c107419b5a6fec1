// Removes what belongs to a deleted page: its annotations, and form fields without another widget. The page object
// becomes null, so that remaining references to it (bookmarks, links, names) lead nowhere.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { mupdf } from '../engine/library.js'
import { isWidget } from '../fields/field-tree.js'
import { dropXfa } from '../forms/writing/form-dictionary.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isDictionary, objectNumberOf } from '../objects/values.js'
import { dropFields } from './drop-fields.js'

export function dropPages(change: Change, pages: readonly PDFObject[]): void {
  const annotations = pages.flatMap((page) => annotationsOf(page))
  if (annotations.length > 0) change.effects.document('annotations')
  const widgets = annotations.filter(isWidget)
  if (widgets.length > 0) {
    dropXfa(change)
    change.effects.document('forms')
  }
  dropFields(change, widgets)
  const numbers = new Set(pages.map(objectNumberOf))
  // An annotation whose /P names another page may be listed there too.
  const own = annotations.filter((annotation) => numbers.has(objectNumberOf(entry(annotation, 'P'))))
  change.hide(...own.filter((annotation) => objectNumberOf(annotation) !== undefined))
  for (const page of pages) change.touch(page).writeObject(mupdf.PDFObject.Null)
}

const annotationsOf = (page: PDFObject): readonly PDFObject[] =>
  [...elementsOf(entry(page, 'Annots'), readingLimits.annotsLengthMax)].filter(isDictionary)
