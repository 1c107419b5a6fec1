// The form of the document that is being changed: fields by their names, widgets by theirs, and answers about both. Made
// anew after fields or widgets came or went.
import type { PDFObject } from 'mupdf'
import { fieldKey } from '../../pdf/forms/field-names.js'
import { type FoundField, findFields, readField } from '../../pdf/forms/fields.js'
import { FormWidgets, type PlacedWidget } from '../../pdf/forms/form-widgets.js'
import { calculationOrderOf } from '../../pdf/forms/snapshot.js'
import type { Reading } from '../../pdf/reading.js'
import { entry, objectNumberOf } from '../../pdf/values.js'
import { type AnnotationRef, annotationKey } from '../../shapes/annotation-ref.js'
import type { WidgetAnnotation } from '../../shapes/annotations/widget.js'
import type { FormField } from '../../shapes/form-field.js'
import type { FormFieldRef } from '../../shapes/form-field-ref.js'
import { JobRefusal } from '../../task.js'
import { promoteInline } from '../annotations/promote-inline.js'
import type { Change } from '../change.js'

export class FormModel {
  readonly reading: Reading
  readonly widgets: FormWidgets
  readonly fields: readonly FoundField[]
  readonly #byKey: ReadonlyMap<string, FoundField>
  readonly #byName = new Map<string, FoundField[]>()

  constructor(readonly change: Change) {
    this.reading = change.reading()
    this.widgets = new FormWidgets(this.reading)
    this.fields = findFields(this.reading, this.widgets)
    this.#byKey = new Map(this.fields.map((field) => [fieldKey(field.ref), field]))
    for (const field of this.fields) {
      const named = this.#byName.get(field.node.name)
      if (named === undefined) this.#byName.set(field.node.name, [field])
      else named.push(field)
    }
  }

  /** A full name also finds a field that has a number. Throws `NotFound`. */
  find(ref: FormFieldRef): FoundField {
    const found = this.lookUp(ref)
    if (found === undefined) throw new JobRefusal('NotFound', `There is no field ${fieldKey(ref)}`)
    return found
  }

  lookUp(ref: FormFieldRef): FoundField | undefined {
    return this.#byKey.get(fieldKey(ref)) ?? (ref.kind === 'fqn' ? this.named(ref.name)[0] : undefined)
  }

  /** Fields of one full name are one field to every reader of forms (ISO 32000-2, 12.7.4.2). */
  named(name: string): readonly FoundField[] {
    return name === '' ? [] : (this.#byName.get(name) ?? [])
  }

  /** Throws `NotFound`. */
  findWidget(ref: AnnotationRef): PlacedWidget {
    const found = this.lookUpWidget(ref)
    if (found !== undefined) return found
    throw new JobRefusal(
      'NotFound',
      `There is no widget ${annotationKey(ref)} on the page obj:${ref.page.objectNumber}`,
    )
  }

  lookUpWidget(ref: AnnotationRef): PlacedWidget | undefined {
    const key = annotationKey(ref)
    const page = ref.page.objectNumber
    return this.widgets.placed.find(
      ({ place }) => place.page?.objectNumber === page && place.ref !== null && annotationKey(place.ref) === key,
    )
  }

  fieldOf(widget: PlacedWidget): FoundField | undefined {
    if (widget.field === undefined) return undefined
    const number = widget.place.objectNumber
    return (
      this.#byKey.get(fieldKey(widget.field.ref)) ??
      this.fields.find(({ widgets }) => widgets.some(({ place }) => place.objectNumber === number && number > 0))
    )
  }

  read(found: FoundField): FormField {
    return readField(this.reading, found)
  }

  widgetsOf(...fields: readonly FoundField[]): WidgetAnnotation[] {
    const keys = new Set(
      fields.flatMap(({ widgets }) =>
        widgets.flatMap(({ place }) => (place.ref === null ? [] : [keyOnPage(place.ref)])),
      ),
    )
    return this.widgets.annotations((ref) => keys.has(keyOnPage(ref)))
  }

  get calculationOrder(): (FormFieldRef | null)[] {
    return calculationOrderOf(this.reading, this.fields)
  }
}

const keyOnPage = (ref: AnnotationRef): string => `${ref.page.objectNumber} ${annotationKey(ref)}`

/**
 * The form with one field of it ready to be altered: its inline widgets became objects first, because those cannot be
 * touched. Throws `NotFound`.
 */
export function formWith(change: Change, refs: readonly FormFieldRef[]): FormModel {
  const model = new FormModel(change)
  const pages = new Set<number>()
  for (const ref of refs) {
    const { node, widgets } = model.find(ref)
    for (const { place, object } of [...widgets, ...model.named(node.name).flatMap((peer) => peer.widgets)]) {
      if (place.page !== null && objectNumberOf(object) === undefined) pages.add(place.page.objectNumber)
    }
  }
  return withPromoted(model, pages)
}

/** The form with all of it ready to be altered. */
export function wholeForm(change: Change): FormModel {
  const model = new FormModel(change)
  const inline = model.widgets.placed.flatMap(({ place }) =>
    place.objectNumber === 0 && place.page !== null ? [place.page.objectNumber] : [],
  )
  return withPromoted(model, new Set(inline))
}

/** The form with the inline widgets of a page made objects. */
export function formOnPage(change: Change, page: number): FormModel {
  change.document.indexOf(page)
  const model = new FormModel(change)
  const isInline = model.widgets.placed.some(
    ({ place }) => place.objectNumber === 0 && place.page?.objectNumber === page,
  )
  return withPromoted(model, new Set(isInline ? [page] : []))
}

function withPromoted(model: FormModel, pages: ReadonlySet<number>): FormModel {
  if (pages.size === 0) return model
  for (const page of pages) promoteInline(model.change, page)
  return new FormModel(model.change)
}

/** A field that stands inline is part of what is around it, which is then what must be touched. */
export function touchField({ change, reading }: FormModel, { node }: FoundField): PDFObject {
  if (objectNumberOf(node.object) !== undefined) return change.touch(node.object)
  for (const holder of [...node.lineage.slice(1), reading.form, reading.catalog]) {
    for (const object of [holder, entry(holder, 'Kids'), entry(holder, 'Fields')]) {
      if (objectNumberOf(object) !== undefined) change.touch(object)
    }
  }
  return node.object
}
