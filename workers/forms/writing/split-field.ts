// Splits a field merged with its widget into two objects, and merges them again. The widget retains the object, because
// its number identifies the annotation for life; the field gets a new one.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { isMerged } from '../../fields/field-tree.js'
import { elementsOf, entriesOf, entry, isDictionary, isMissing, objectNumberOf } from '../../objects/values.js'
import { widgetEvents, widgetKeys } from '../reading/widget-entries.js'
import { calculationsOf, kidsOf, listUnder, numbersIn, replaceIn } from './form-lists.js'
import { renameInActions } from './named-in-actions.js'
import { partedFrom, rememberJoined, rememberParted } from './renumbered.js'

/** Entries that a widget may override. */
const ownKeys: ReadonlySet<string> = new Set(['DA', 'Q'])

const entriesMax = 4_096

/**
 * Returns the field: unchanged if it is not merged with a widget. `objectNumber`: number that the caller reserved for a new
 * field object.
 */
export function split(change: Change, joined: PDFObject, objectNumber?: number): PDFObject {
  const number = objectNumberOf(joined)
  const others = [...elementsOf(entry(joined, 'Kids'), entriesMax)].filter(isDictionary)
  if (!isMerged(joined, others) || number === undefined) return joined
  const widget = change.touch(joined)
  const field = showOrCreateField(change, number, objectNumber)
  for (const [key, value] of entriesOf(widget, entriesMax)) {
    if (widgetKeys.has(key) || key === 'AA') continue
    field.put(key, value)
    widget.delete(key)
  }
  splitEvents(change, field, widget)
  moveReferences(change, field, { from: number, to: field.asIndirect() })
  widget.put('Parent', field)
  const kids = change.pdf.newArray()
  kids.push(widget)
  for (const other of others) {
    change.touch(other).put('Parent', field)
    kids.push(other)
  }
  field.put('Kids', kids)
  rememberParted(change, { widget: number, field: field.asIndirect() })
  change.cache.evict('form')
  return field
}

/** Returns a field object, with the number of an earlier split if there is one. */
function showOrCreateField(change: Change, widget: number, objectNumber: number | undefined): PDFObject {
  const former = partedFrom(change, widget)
  if (former === undefined) return change.create(change.pdf.newDictionary(), objectNumber)
  const field = change.touch(change.pdf.newIndirect(former))
  field.writeObject(change.pdf.newDictionary())
  change.show(field)
  return field
}

/** Merges a field with the widget it was split from if that is its only widget. */
export function joinAgain(change: Change, field: PDFObject): PDFObject {
  const number = objectNumberOf(field)
  const [only = 0, ...others] = numbersIn(kidsOf(field))
  if (number === undefined || others.length > 0 || only === 0 || partedFrom(change, only) !== number) return field
  const widget = change.touch(change.pdf.newIndirect(only))
  change.touch(field)
  for (const [key, value] of entriesOf(field, entriesMax)) {
    const isOwn = ownKeys.has(key) && !isMissing(entry(widget, key))
    if (key !== 'Kids' && key !== 'AA' && !isOwn) widget.put(key, value)
  }
  if (isMissing(entry(field, 'Parent'))) widget.delete('Parent')
  joinEvents(change, field, widget)
  moveReferences(change, widget, { from: number, to: only })
  rememberJoined(change, { widget: only, field: number })
  change.hide(field)
  change.cache.evict('form')
  return widget
}

/** Moves the field's references: its place in the form, and actions that use its number. */
function moveReferences(change: Change, field: PDFObject, numbers: { readonly from: number; readonly to: number }) {
  const { from, to } = numbers
  const parent = entry(field, 'Parent')
  replaceIn(change, listUnder(change, isDictionary(parent) ? parent : undefined), from, to)
  replaceIn(change, calculationsOf(change), from, to)
  renameInActions(change, { numbers: new Map([[from, to]]) })
}

function splitEvents({ pdf }: Change, field: PDFObject, widget: PDFObject): void {
  const events = entriesOf(entry(widget, 'AA'), entriesMax)
  const ofField = events.filter(([event]) => !widgetEvents.has(event))
  if (ofField.length === 0) return
  const ofWidget = events.filter(([event]) => widgetEvents.has(event))
  field.put('AA', dictionaryOf(pdf, ofField))
  if (ofWidget.length === 0) widget.delete('AA')
  else widget.put('AA', dictionaryOf(pdf, ofWidget))
}

function joinEvents({ pdf }: Change, field: PDFObject, widget: PDFObject): void {
  const [ofField, ofWidget] = [field, widget].map((object) => entriesOf(entry(object, 'AA'), entriesMax))
  const events = [...(ofField ?? []), ...(ofWidget ?? [])]
  if (events.length > 0) widget.put('AA', dictionaryOf(pdf, events))
}

function dictionaryOf(pdf: Change['pdf'], entries: readonly (readonly [string, PDFObject])[]): PDFObject {
  const dictionary = pdf.newDictionary()
  for (const [key, value] of entries) dictionary.put(key, value)
  return dictionary
}
