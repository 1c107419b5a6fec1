// Names of fields, and the field that a widget belongs to.
import type { PDFObject } from 'mupdf'
import type { FormFieldRef } from '../contract/form-field-ref.js'
import type { OpenDocument } from '../document/open-document.js'
import { readingLimits } from '../objects/reading-limits.js'
import { entry, isDictionary, isMissing, objectNumberOf, textOf } from '../objects/values.js'
import { lineageOf } from './inheritance.js'

/** Returns the field of a widget: a widget with a name, or with a type and no parent, is the field itself. */
export function fieldOfWidget(widget: PDFObject): PDFObject | undefined {
  if (isNamed(widget)) return widget
  const parent = entry(widget, 'Parent')
  if (isDictionary(parent)) return parent
  return isMissing(entry(widget, 'FT')) ? undefined : widget
}

export const isNamed = (object: PDFObject): boolean => !isMissing(entry(object, 'T'))

export const partialName = (object: PDFObject): string =>
  (textOf(entry(object, 'T')) ?? '').slice(0, readingLimits.nameCharactersMax)

/**
 * Returns the full name: partial names from the top, joined by full stops; those without a name are left out (ISO
 * 32000-2, 12.7.4.2).
 */
export const fullNameOf = (field: PDFObject): string =>
  lineageOf(field)
    .map(partialName)
    .filter((name) => name !== '')
    .reverse()
    .join('.')

/**
 * Returns the reference of a field; null if it has neither an object number nor a name. A field stored inline retains
 * its name for life, like the annotation it is merged with.
 */
export function fieldRef(document: OpenDocument, field: PDFObject, name: () => string): FormFieldRef | null {
  const objectNumber = objectNumberOf(field)
  if (objectNumber !== undefined && !document.isPromoted(objectNumber)) return { kind: 'objectNumber', objectNumber }
  const full = name()
  if (full !== '') return { kind: 'fqn', name: full }
  return objectNumber === undefined ? null : { kind: 'objectNumber', objectNumber }
}

export const fieldRefOf = (document: OpenDocument, field: PDFObject | undefined): FormFieldRef | null =>
  field === undefined ? null : fieldRef(document, field, () => fullNameOf(field))

/** Returns the key used in paths: `obj:12`, `fqn:address.street`. */
export const fieldKey = (ref: FormFieldRef): string =>
  ref.kind === 'objectNumber' ? `obj:${ref.objectNumber}` : `fqn:${ref.name}`
