// Separates widgets that are listed on several pages: each copy becomes an additional widget of its field. A field that
// is merged with its widget is split first.
import type { PDFObject } from 'mupdf'
import { fieldOfWidget, isNamed } from '../fields/field-names.js'
import { isWidget } from '../fields/field-tree.js'
import { inheritedFrom } from '../fields/inheritance.js'
import { appendOptions, buttonGroupOf } from '../forms/reading/button-options.js'
import { widgetEvents, widgetKeys } from '../forms/reading/widget-entries.js'
import { readingLimits } from '../objects/reading-limits.js'
import { numberTree } from '../objects/trees.js'
import { elementsOf, entriesOf, entry, integerOf, isArray, isDictionary, objectNumberOf } from '../objects/values.js'

const entriesMax = 4_096

interface PendingWidget {
  readonly field: PDFObject
  readonly copies: PDFObject[]
  /** Object numbers of the original widgets. */
  readonly originals: number[]
}

export class SharedWidgets {
  /** Split fields by their number, which stays with the field because lists and actions refer to it. */
  readonly #splitWidgets = new Map<number, PDFObject>()
  readonly #pending = new Map<number, PendingWidget>()
  #listing: ReadonlyMap<number, PDFObject> | undefined

  constructor(private readonly catalog: PDFObject) {}

  /** Returns the widget for an object listed by a page; any other annotation is returned unchanged. */
  widgetOf(annotation: PDFObject): PDFObject {
    const number = objectNumberOf(annotation) ?? 0
    const parted = this.#splitWidgets.get(number)
    if (parted !== undefined) return parted
    if (number === 0 || !isWidget(annotation)) return annotation
    return objectNumberOf(fieldOfWidget(annotation) ?? annotation) === number && isField(annotation)
      ? this.#split(annotation, number)
      : annotation
  }

  /** Adds the copy to its field's kids once `finish` is called. */
  join(widget: PDFObject, copy: PDFObject): void {
    if (!isWidget(widget)) return
    const original = objectNumberOf(widget)
    const field = this.#fieldOf(widget, original)
    const number = objectNumberOf(field)
    if (number === undefined || original === undefined || original === number || !isField(field)) return
    const pendingWidget = this.#pending.get(number) ?? { field, copies: [], originals: [] }
    this.#pending.set(number, pendingWidget)
    pendingWidget.copies.push(copy)
    pendingWidget.originals.push(original)
  }

  finish(lists: Iterable<PDFObject>): void {
    for (const pending of this.#pending.values()) listCopies(pending)
    if (this.#splitWidgets.size === 0) return
    for (const annots of lists) this.#replaceIn(annots)
    this.#replaceInStructure(entry(this.catalog, 'StructTreeRoot', 'ParentTree'))
  }

  /** Returns the parent, or the field that lists the widget without being named by it. */
  #fieldOf(widget: PDFObject, number = 0): PDFObject {
    const parent = entry(widget, 'Parent')
    if (isDictionary(parent)) return parent
    this.#listing ??= listingFields(this.catalog)
    return this.#listing.get(number) ?? parent
  }

  #split(field: PDFObject, number: number): PDFObject {
    const pdf = field._doc
    const widget = pdf.addObject(pdf.newDictionary())
    for (const [key, value] of entriesOf(field, entriesMax)) {
      if (!widgetKeys.has(key)) continue
      widget.put(key, value)
      field.delete(key)
    }
    splitEvents(field, widget)
    widget.put('Parent', field)
    if (!isArray(entry(field, 'Kids'))) field.put('Kids', pdf.newArray())
    entry(field, 'Kids').push(widget)
    this.#splitWidgets.set(number, widget)
    return widget
  }

  #replaceIn(annots: PDFObject): void {
    let place = 0
    for (const annotation of elementsOf(annots, readingLimits.annotsLengthMax)) {
      const widget = this.#splitWidgets.get(objectNumberOf(annotation) ?? 0)
      if (widget !== undefined) annots.put(place, widget)
      place++
    }
  }

  /**
   * Replaces the object in the structure tree, whose elements refer to the annotation itself (ISO 32000-2, 14.7.5.3).
   */
  #replaceInStructure(parents: PDFObject): void {
    const keys = new Set(
      [...this.#splitWidgets.values()].flatMap((widget) => integerOf(entry(widget, 'StructParent')) ?? []),
    )
    if (keys.size === 0) return
    for (const [key, element] of numberTree(parents)) {
      if (!keys.has(key)) continue
      const kids = entry(element, 'K')
      for (const kid of isArray(kids) ? elementsOf(kids, readingLimits.fieldNodesMax) : [kids]) {
        const widget = isDictionary(kid) && this.#splitWidgets.get(objectNumberOf(entry(kid, 'Obj')) ?? 0)
        if (widget) kid.put('Obj', widget)
      }
    }
  }
}

/** Returns the fields of the form's tree by the numbers of their kids. */
function listingFields(catalog: PDFObject): ReadonlyMap<number, PDFObject> {
  const listing = new Map<number, PDFObject>()
  const waiting = [...elementsOf(entry(catalog, 'AcroForm', 'Fields'), readingLimits.fieldNodesMax)]
  for (let field = waiting.pop(); field !== undefined; field = waiting.pop()) {
    for (const kid of elementsOf(entry(field, 'Kids'), readingLimits.fieldNodesMax)) {
      const number = objectNumberOf(kid)
      if (number === undefined || listing.has(number) || listing.size >= readingLimits.fieldNodesMax) continue
      listing.set(number, field)
      waiting.push(kid)
    }
  }
  return listing
}

/** True for a field: in a broken file the parent may be any object, such as a page. */
const isField = (object: PDFObject): boolean =>
  isDictionary(object) && (isNamed(object) || inheritedFrom(object, 'FT') !== undefined)

function listCopies({ field, copies, originals }: PendingWidget): void {
  const group = buttonGroupOf(field)
  if (!isArray(entry(field, 'Kids'))) field.put('Kids', field._doc.newArray())
  const kids = entry(field, 'Kids')
  // Copies are appended, so that the other buttons of the group keep their index.
  for (const copy of copies) kids.push(copy)
  if (group !== undefined) appendOptions(field, group, originals)
}

function splitEvents(field: PDFObject, widget: PDFObject): void {
  const pdf = field._doc
  const events = entriesOf(entry(field, 'AA'), entriesMax)
  const ofWidget = events.filter(([event]) => widgetEvents.has(event))
  if (ofWidget.length === 0) return
  const [own, others] = [pdf.newDictionary(), pdf.newDictionary()]
  for (const [event, action] of events) (widgetEvents.has(event) ? own : others).put(event, action)
  widget.put('AA', own)
  if (ofWidget.length < events.length) field.put('AA', others)
  else field.delete('AA')
}
