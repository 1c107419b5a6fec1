// Finds the field that a signature goes into, or creates an invisible one.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import type { FormFieldRef } from '../contract/form-field-ref.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { fieldFamilyOf, flagsOf } from '../fields/field-kind.js'
import { isSignedField } from '../fields/signed-field.js'
import type { FoundField } from '../forms/reading/found-field.js'
import { attachField, mustBeFreeName, numberField } from '../forms/writing/attach-field.js'
import { FormModel, formWith } from '../forms/writing/form-model.js'
import { putOnPage } from '../forms/writing/page-widgets.js'
import { touchField } from '../forms/writing/touch-field.js'
import { writeKind } from '../forms/writing/write-members.js'
import { signatureRefused } from './signature-refused.js'

/** Bits of /F: printed, and protected from being moved. */
const newWidgetFlags = 4 | 128

export interface SignatureField {
  /** Form after the field was found or created. */
  readonly model: FormModel
  readonly found: FoundField
  /** Field dictionary, which was touched. */
  readonly object: PDFObject
  readonly isNew: boolean
}

/** Finds the field, or creates it if none has the name. Throws `NotFound`, `InvalidArg` and `SignatureRefused`. */
export function signatureFieldOf(change: Change, ref: FormFieldRef): SignatureField {
  const known = new FormModel(change).lookUp(ref)
  return known === undefined && ref.kind === 'fqn' ? createField(change, ref.name) : useExistingField(change, ref)
}

function useExistingField(change: Change, ref: FormFieldRef): SignatureField {
  refuseUnusable(new FormModel(change).find(ref))
  const model = formWith(change, [ref])
  const found = model.find(ref)
  touchField(model, found)
  const object = numberField(model, found)
  const now = new FormModel(change)
  return {
    model: now,
    found: now.find({ kind: 'objectNumber', objectNumber: object.asIndirect() }),
    object,
    isNew: false,
  }
}

function refuseUnusable({ ref, node: { lineage } }: FoundField): void {
  const family = fieldFamilyOf(lineage)
  if (family !== 'signature') throw new JobRefusal('InvalidArg', `A ${family} field is not signed`, { field: ref })
  if (isSignedField(lineage)) throw signatureRefused('signed', 'The field is signed already')
  if (flagsOf(lineage)('readOnly')) throw signatureRefused('read-only', 'The field is read-only')
}

/** True if the document has a signed signature field. */
export const hasSignature = ({ fields }: FormModel): boolean =>
  fields.some(({ node: { lineage } }) => isSignedField(lineage))

/** Creates a field on the first page, merged with its only widget, which has no area. */
function createField(change: Change, name: string): SignatureField {
  mustBeFreeName(new FormModel(change), name)
  const page = change.document.firstPage
  if (page === undefined) throw new JobRefusal('MalformedPdf', 'The document has no pages')
  const { pdf } = change
  const object = change.create(pdf.newDictionary())
  writeKind(change, object, 'signature')
  object.put('Type', pdf.newName('Annot'))
  object.put('Subtype', pdf.newName('Widget'))
  object.put('Rect', [0, 0, 0, 0])
  object.put('F', newWidgetFlags)
  object.put('P', change.document.pageObject(page))
  attachField(new FormModel(change), object, name)
  putOnPage(change, object, page)
  const model = new FormModel(change)
  return { model, found: model.find({ kind: 'objectNumber', objectNumber: object.asIndirect() }), object, isNew: true }
}
