// Removes a widget from its field and its page, and restores it.

import { isDeepStrictEqual } from 'node:util'
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { flagsOf } from '../../fields/field-kind.js'
import { inheritedFrom } from '../../fields/inheritance.js'
import { entry, isDictionary, isStream, nameOf, objectNumberOf } from '../../objects/values.js'
import type { FoundField } from '../reading/found-field.js'
import { stateIn } from '../reading/toggles.js'
import { drawWidget, showsByText } from './draw-widget.js'
import { kidsOf, numbersIn } from './form-lists.js'
import { FormModel } from './form-model.js'
import { putFormerDrawing, rememberDrawing } from './former-drawing.js'
import { putKid, type TakenKid, takeKid } from './kids.js'
import { isOnPage, putBackOnPage, takeOffPage } from './page-widgets.js'
import { isOwn } from './put-appearance.js'
import { fieldNow } from './renumbered.js'
import { reviveField } from './revive-field.js'
import { split } from './split-field.js'
import { type StoredValue, storedValue } from './stored-value.js'

export interface RemovedWidget {
  readonly number: number
  /** Object number of the field that listed the widget; null if none did. */
  readonly field: number | null
  /** Position and value among the field's kids. */
  readonly kid: TakenKid
  /** Value of the field, and the widget's state if it showed that value. */
  readonly value: StoredValue
  readonly isInStep: boolean
  /** Object number of the page that listed the widget; null if none did. */
  readonly page: number | null
  /** Objects that are no longer referenced. */
  readonly hidden: readonly number[]
}

interface WidgetRemoval {
  readonly widget: PDFObject
  /** Field of the widget, unless it is the widget itself. */
  readonly field: PDFObject | undefined
  readonly page: number | undefined
}

/** Removes the widget. A field merged with its widget is split first, or removed as a whole. */
export function removeWidget(change: Change, { widget, field, page }: WidgetRemoval): RemovedWidget {
  const number = objectNumberOf(widget) ?? 0
  const owner = field === undefined ? undefined : objectNumberOf(field)
  const shown = shownBy(change, widget, field)
  const kid = field === undefined || owner === undefined ? undefined : takeKid(change, change.touch(field), number)
  const isTaken = page !== undefined && takeOffPage(change, widget, page)
  const hidden = withDrawings(widget).flatMap((object) => objectNumberOf(object) ?? [])
  change.hide(...hidden.map((one) => change.pdf.newIndirect(one)))
  change.effects.document('forms')
  return {
    number,
    field: kid === undefined ? null : (owner ?? null),
    kid: kid ?? { option: null, values: [] },
    ...shown,
    page: isTaken ? page : null,
    hidden,
  }
}

/**
 * Restores the widget, and its field if that was removed with its last widget. Returns false if the widget exists, or
 * if its page or the name of its field is no longer available.
 */
export function restoreWidget(change: Change, removed: RemovedWidget): boolean {
  const { number, field, kid, page, hidden } = removed
  if (page !== null && (!change.document.hasPage(page) || isOnPage(change, number, page))) return false
  const owner = field === null ? undefined : ownerOf(change, field, number)
  if (owner === null || (owner === undefined && page === null)) return false
  if (owner !== undefined && !reviveField(change, owner)) return false
  change.show(...hidden.map((one) => change.pdf.newIndirect(one)))
  if (owner !== undefined) putKid(change, change.touch(split(change, owner)), number, kid)
  if (page !== null) putBackOnPage(change, number, page)
  change.effects.document('forms')
  showValue(change, removed)
  return true
}

/** Records what the widget shows before it is removed. */
function shownBy(change: Change, widget: PDFObject, field: PDFObject | undefined) {
  if (field === undefined) return { value: null, isInStep: false }
  const value = inheritedFrom(field, 'V')
  const state = stateIn(widget)
  const isNamed = state !== undefined && value !== undefined && nameOf(value) === state
  const isInStep = state !== undefined && (nameOf(entry(widget, 'AS')) === state) === isNamed
  return { value: storedValue(change.reading(), field, 'V'), isInStep }
}

/** Shows the field's value, which may have changed since the removal. */
function showValue(change: Change, { number, field, value, isInStep }: RemovedWidget): void {
  const model = new FormModel(change)
  const placed = model.widgets.placed.find(({ place }) => place.objectNumber === number)
  const found = placed && model.fieldOf(placed)
  if (field === null || placed === undefined || found === undefined) return
  const { object: widget } = placed
  const now = storedValue(model.reading, found.node.object, 'V')
  if (putFormerDrawing(change, widget, now)) return
  const state = stateIn(widget)
  if (state !== undefined) {
    const current = inheritedFrom(found.node.object, 'V')
    const shown = current !== undefined && nameOf(current) === state ? state : 'Off'
    // Radios in unison are on together if they share the state.
    const alike =
      shown !== 'Off' && isInUnison(found) ? found.widgets.filter((one) => stateIn(one.object) === state) : []
    for (const { object } of isInStep ? [placed, ...alike] : []) {
      if (nameOf(entry(object, 'AS')) !== shown) change.touch(object).put('AS', change.pdf.newName(shown))
    }
    return
  }
  if (isDeepStrictEqual(now, value)) return
  const read = model.read(found)
  if (!showsByText(read)) return
  rememberDrawing(change, widget, value)
  drawWidget({ model, found, field: read, widget })
}

const isInUnison = ({ node }: FoundField): boolean => {
  const hasFlag = flagsOf(node.lineage)
  return !hasFlag('radio') || hasFlag('radiosInUnison')
}

/** Returns null if the field was removed for good or has the widget already. */
function ownerOf(change: Change, field: number, widget: number): PDFObject | null {
  const owner = change.pdf.newIndirect(fieldNow(change, field))
  if (!isDictionary(owner)) return null
  return objectNumberOf(owner) === widget || numbersIn(kidsOf(owner)).includes(widget) ? null : owner
}

/** Returns the widget and the appearance streams that it alone uses. */
export function withDrawings(widget: PDFObject): readonly PDFObject[] {
  const normal = entry(widget, 'AP', 'N')
  const drawings = isStream(normal) ? [normal] : []
  return [widget, ...drawings.filter((drawing) => isOwn(widget, drawing))]
}
