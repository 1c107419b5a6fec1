// Takes a field, all that hangs under it and every place it shows out of the form, and puts it back.
import type { PDFObject } from 'mupdf'
import type { FoundField } from '../../pdf/forms/fields.js'
import { readingLimits } from '../../pdf/reading-limits.js'
import { elementsOf, entry, isStream, objectNumberOf } from '../../pdf/values.js'
import { pageRef } from '../../shapes/page-ref.js'
import { insertAt } from '../array-edits.js'
import type { Change } from '../change.js'
import { type Hold, rehang, unhang } from './attach-field.js'
import { touchArray, touchForm } from './form-dictionary.js'
import { type FormModel, touchField } from './form-model.js'
import { type PageHold, putBack, takeOffPage } from './page-widgets.js'
import { isOwn } from './put-appearance.js'

export interface RemovedField {
  readonly name: string
  readonly number: number
  readonly holds: readonly Hold[]
  readonly widgets: readonly PageHold[]
  /** Objects that nothing refers to any more. */
  readonly hidden: readonly number[]
  /** Places in the calculation order, ascending. */
  readonly calculations: readonly { readonly number: number; readonly place: number }[]
}

export function removeField(model: FormModel, found: FoundField): RemovedField {
  const { change } = model
  const field = touchField(model, found)
  const number = objectNumberOf(field) ?? 0
  const members = model.fields.filter(
    (one) => one === found || (number > 0 && one.node.lineage.some((object) => objectNumberOf(object) === number)),
  )
  const widgets = members.flatMap((one) => one.widgets)
  const places = widgets.flatMap(({ object, place }) => {
    const page = place.page?.objectNumber
    return page === undefined ? [] : (takeOffPage(change, object, page) ?? [])
  })
  const objects = [...members.map(({ node }) => node.object), ...widgets.flatMap(({ object }) => withDrawings(object))]
  const numbers = new Set(objects.flatMap((object) => objectNumberOf(object) ?? []))
  const calculations = dropCalculations(change, numbers)
  const holds = unhang(change, field)
  const hidden = [...numbers]
  change.hide(...hidden.map((one) => change.pdf.newIndirect(one)))
  change.effects.document('forms')
  return { name: found.node.name, number, holds, widgets: places, hidden, calculations }
}

/** False = what it hung on is gone. */
export function restoreField(change: Change, removed: RemovedField): boolean {
  if (!rehang(change, removed.holds)) return false
  change.show(...removed.hidden.map((number) => change.pdf.newIndirect(number)))
  putBack(change, removed.widgets)
  if (removed.calculations.length > 0) {
    const order = touchArray(change, touchForm(change), 'CO')
    for (const { number, place } of removed.calculations) insertAt(order, change.pdf.newIndirect(number), place)
  }
  change.effects.document('forms')
  return true
}

/** The widget, and drawings that are its own. */
export function withDrawings(widget: PDFObject): readonly PDFObject[] {
  const normal = entry(widget, 'AP', 'N')
  const drawings = isStream(normal) ? [normal] : []
  return [widget, ...drawings.filter((drawing) => isOwn(widget, drawing))]
}

function dropCalculations(change: Change, numbers: ReadonlySet<number>): RemovedField['calculations'] {
  const order = entry(change.document.catalog, 'AcroForm', 'CO')
  const named = [...elementsOf(order, readingLimits.fieldNodesMax)].flatMap((object, place) => {
    const number = objectNumberOf(object)
    return number !== undefined && numbers.has(number) ? [{ number, place }] : []
  })
  if (named.length === 0) return named
  const touched = touchArray(change, touchForm(change), 'CO')
  for (const { place } of named.toReversed()) touched.delete(place)
  return named
}

export const pagesOf = (removed: RemovedField) => [...new Set(removed.widgets.map(({ page }) => page))].map(pageRef)
