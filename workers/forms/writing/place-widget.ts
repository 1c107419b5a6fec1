// Adds a new widget of a field to a page.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import type { FieldFamily } from '../../contract/field-family.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import type { WidgetPlacement } from '../../contract/widget-look.js'
import { insertAt } from '../../objects/array-edits.js'
import { frameOf } from '../drawing/widget-frame.js'
import { type ButtonGroup, buttonGroupOf } from '../reading/button-options.js'
import { touchArray } from './form-dictionary.js'
import { kidsOf, numbersIn } from './form-lists.js'
import { putKid } from './kids.js'
import { putOnPage } from './page-widgets.js'
import { putStates } from './put-appearance.js'
import { writeLook } from './write-look.js'

/** Bit of /F: printed with the page. */
const printFlag = 4

export interface Placing {
  readonly change: Change
  /** Field, touched or new. */
  readonly field: PDFObject
  readonly family: FieldFamily
  /** True if the widget is the field itself (ISO 32000-2, 12.5.6.19); otherwise it becomes a kid of the field. */
  readonly isMerged?: boolean
  /** Number that the caller reserved for the widget. */
  readonly objectNumber?: number | undefined
}

/** Adds the widget to its field and page; the caller draws its appearance. Throws `NotFound`, `InvalidArg`. */
export function placeWidget(
  { change, field, family, isMerged = false, objectNumber }: Placing,
  placement: WidgetPlacement,
): PDFObject {
  const { page, rect, exportValue, ...look } = placement
  const number = page.objectNumber
  const pageObject = change.document.pageObject(number)
  const isToggle = family === 'checkbox' || family === 'radio'
  if (exportValue !== undefined && !isToggle) {
    throw new JobRefusal('InvalidArg', `A ${family} field has no export values`, { member: 'exportValue' })
  }
  const { pdf } = change
  const widget = isMerged ? field : change.create(pdf.newDictionary(), objectNumber)
  const space = change.reading().spaceOf(number)
  widget.put('Type', pdf.newName('Annot'))
  widget.put('Subtype', pdf.newName('Widget'))
  widget.put('F', printFlag)
  widget.put('P', pageObject)
  const { left, bottom, right, top } = space.toUserRect(rect)
  widget.put('Rect', [left, bottom, right, top])
  if (!isMerged) widget.put('Parent', field)
  writeLook({ change, object: widget, space }, look, family)
  if (isToggle) giveState({ change, field, family }, widget, exportValue)
  else if (!isMerged) insertAt(touchArray(change, field, 'Kids'), widget)
  putOnPage(change, widget, number)
  return widget
}

/** Gives the button a state of its own name, and an /Opt entry if the field has that list (12.7.5.2.4). */
function giveState({ change, field, family }: Placing, widget: PDFObject, exportValue: string | undefined): void {
  const group = buttonGroupOf(field)
  const value = exportValue ?? (family === 'checkbox' ? 'Yes' : `Choice${numbersIn(kidsOf(field)).length + 1}`)
  const state = group === undefined ? value : freeState(group)
  if (state === 'Off')
    throw new JobRefusal(
      'InvalidArg',
      'Off cannot be an export value: it is the state of a button that is not selected',
      { member: 'exportValue' },
    )
  widget.put('AS', change.pdf.newName('Off'))
  const nothing = { frame: frameOf(widget), content: '', fonts: undefined }
  putStates(change, widget, { [state]: nothing, Off: nothing })
  putKid(change, field, widget.asIndirect(), { option: group === undefined ? null : value, values: [] })
}

/** Returns the next number that is not a state name of another button. */
function freeState({ buttons }: ButtonGroup): string {
  const taken = new Set(buttons.map(({ state }) => state))
  let number = buttons.length
  while (taken.has(String(number))) number++
  return String(number)
}
