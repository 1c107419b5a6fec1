// Puts a new widget of a field on a page.
import type { PDFObject } from 'mupdf'
import { frameOf } from '../../pdf/forms/appearances/widget-frame.js'
import { isWidget } from '../../pdf/forms/field-tree.js'
import type { FoundField } from '../../pdf/forms/fields.js'
import { entriesOf, entry, isArray, objectNumberOf } from '../../pdf/values.js'
import type { WidgetPlacement } from '../../shapes/changes/forms-look.js'
import type { FieldFamily } from '../../shapes/field-family.js'
import { JobRefusal } from '../../task.js'
import { insertAt } from '../array-edits.js'
import type { Change } from '../change.js'
import { touchArray } from './form-dictionary.js'
import { putOnPage, takeOffPage } from './page-widgets.js'
import { putStates } from './put-appearance.js'
import { writeLook } from './write-look.js'

/** /F: it is printed. */
const printFlag = 4

export interface Placing {
  readonly change: Change
  /** Touched, or new. */
  readonly field: PDFObject
  readonly family: FieldFamily
}

/** The widget hangs under its field; what it shows is drawn by the caller. Throws `NotFound`, `InvalidArg`. */
export function placeWidget({ change, field, family }: Placing, placement: WidgetPlacement): PDFObject {
  const { page, rect, exportValue, ...look } = placement
  const number = page.objectNumber
  const pageObject = change.document.pageObject(number)
  const isToggle = family === 'checkbox' || family === 'radio'
  if (exportValue !== undefined && !isToggle) {
    throw new JobRefusal('InvalidArg', `A ${family} field has no export values`, { member: 'exportValue' })
  }
  const { pdf } = change
  const widget = change.create(pdf.newDictionary())
  const space = change.reading().spaceOf(number)
  widget.put('Type', pdf.newName('Annot'))
  widget.put('Subtype', pdf.newName('Widget'))
  widget.put('F', printFlag)
  widget.put('P', pageObject)
  const { left, bottom, right, top } = space.toUserRect(rect)
  widget.put('Rect', [left, bottom, right, top])
  widget.put('Parent', field)
  insertAt(touchArray(change, field, 'Kids'), widget)
  writeLook({ change, object: widget, space }, look, family)
  if (isToggle) giveState({ change, field, family }, widget, exportValue)
  putOnPage(change, widget, number)
  return widget
}

/** A state of its own name; where the field counts its states, the next number, and the name in its list (12.7.5.2.4). */
function giveState({ change, field, family }: Placing, widget: PDFObject, exportValue: string | undefined): void {
  const count = entry(field, 'Kids').length
  const value = exportValue ?? (family === 'checkbox' ? 'Yes' : `Choice${count}`)
  const options = entry(field, 'Opt')
  let state = value
  if (isArray(options)) {
    const list = touchArray(change, field, 'Opt')
    while (list.length < count - 1) list.push(change.pdf.newString(''))
    list.push(change.pdf.newString(value))
    state = String(count - 1)
  }
  if (state === 'Off') throw new JobRefusal('InvalidArg', 'Off is what no button stands for', { member: 'exportValue' })
  widget.put('AS', change.pdf.newName('Off'))
  const nothing = { frame: frameOf(widget), content: '', fonts: undefined }
  putStates(change, widget, { [state]: nothing, Off: nothing })
}

/** What belongs to a widget, where a field is its own. */
const widgetKeys: ReadonlySet<string> = new Set(
  'Type Subtype Rect P F AP AS BS Border MK A H NM M Contents Subj BM StructParent OC AF ca CA BE QP Lang C'.split(' '),
)

/** /AA holds the events of both. */
const widgetEvents: ReadonlySet<string> = new Set(['E', 'X', 'D', 'U', 'Fo', 'Bl', 'PO', 'PC', 'PV', 'PI'])

/**
 * A field that is its own widget becomes a field with one widget under it: the field keeps its number, the widget gets
 * another.
 */
export function split(change: Change, found: FoundField): void {
  const field = found.node.object
  if (!isWidget(field)) return
  const { pdf } = change
  const page = found.widgets.find(({ object }) => objectNumberOf(object) === objectNumberOf(field))?.place.page
  const widget = change.create(pdf.newDictionary())
  for (const [key, value] of entriesOf(field, Number.MAX_SAFE_INTEGER)) {
    if (!widgetKeys.has(key)) continue
    widget.put(key, value)
    field.delete(key)
  }
  splitEvents(change, field, widget)
  widget.put('Parent', field)
  insertAt(touchArray(change, field, 'Kids'), widget, 0)
  if (page == null) return
  const hold = takeOffPage(change, field, page.objectNumber)
  if (hold !== undefined) putOnPage(change, widget, page.objectNumber, hold.place)
}

function splitEvents({ pdf }: Change, field: PDFObject, widget: PDFObject): void {
  const events = entriesOf(entry(field, 'AA'), 64)
  if (events.length === 0) return
  const ofField = pdf.newDictionary()
  const ofWidget = pdf.newDictionary()
  for (const [event, action] of events) (widgetEvents.has(event) ? ofWidget : ofField).put(event, action)
  field.delete('AA')
  if (events.some(([event]) => !widgetEvents.has(event))) field.put('AA', ofField)
  if (events.some(([event]) => widgetEvents.has(event))) widget.put('AA', ofWidget)
}
