// Clears values of form fields that are visible under a mark, also where the field is shown elsewhere.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { isWidget } from '../fields/field-tree.js'
import type { FoundField } from '../forms/reading/found-field.js'
import { drawField } from '../forms/writing/draw-widget.js'
import { dropXfa } from '../forms/writing/form-dictionary.js'
import { type FormModel, formOnPage } from '../forms/writing/form-model.js'
import { touchField } from '../forms/writing/touch-field.js'
import { entry, isDictionary, isMissing, objectNumberOf } from '../objects/values.js'
import { dropDefault, leavingButtons } from './leaving-buttons.js'

/** Keys of the value, the default value and other forms of a value (ISO 32000-2, tables 226, 228, 230, 234). */
const valueKeys = ['V', 'DV', 'RV', 'I', 'DS'] as const

/** Clears the fields of `widgets`, which a redaction removes from `page`; must be called before they are removed. */
export function clearFields(change: Change, page: number, widgets: readonly PDFObject[]): void {
  if (widgets.length === 0) return
  dropXfa(change)
  const leaving = new Set(widgets.map((widget) => objectNumberOf(widget)))
  const model = formOnPage(change, page)
  const shown = model.fields.filter((field) => field.widgets.some(({ object }) => leaving.has(objectNumberOf(object))))
  const hidden = shown.flatMap((field) => {
    const buttons = leavingButtons(model, field, leaving)
    if (buttons === undefined || buttons.isChosen) return [field, ...model.named(field.node.name)]
    touchField(model, field)
    dropDefault(change, field, buttons)
    return []
  })
  for (const field of new Set(hidden)) clear(model, field)
}

function clear(model: FormModel, field: FoundField): void {
  const { change } = model
  touchField(model, field)
  for (const member of field.node.lineage) {
    if (objectNumberOf(member) !== undefined && hasValue(member)) change.touch(member)
    for (const key of valueKeys) member.delete(key)
  }
  const places = field.widgets.filter(({ object }) => objectNumberOf(object) !== undefined)
  for (const { object, place } of places) {
    change.touch(object)
    for (const key of valueKeys) object.delete(key)
    if (isDictionary(entry(object, 'AP', 'N')) && !entry(object, 'AP', 'N').isStream()) {
      object.put('AS', change.pdf.newName('Off'))
    }
    if (place.page !== null) change.effects.page(place.page.objectNumber, 'widgets')
  }
  drawField(model, field)
}

const hasValue = (field: PDFObject): boolean => valueKeys.some((key) => !isMissing(entry(field, key)))

export const widgetsAmong = (objects: readonly PDFObject[]): readonly PDFObject[] => objects.filter(isWidget)
