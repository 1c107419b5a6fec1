// The form of the document that is being changed: finds fields and widgets, and reads both for responses. Created
// again after any of them was added, removed or moved.
import { promoteInline } from '../../annotations/promote-inline.js'
import type { Change } from '../../change/change.js'
import { type AnnotationRef, annotationKey } from '../../contract/annotation-ref.js'
import type { WidgetAnnotation } from '../../contract/annotations/widget.js'
import type { FormField } from '../../contract/form-field.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import type { Reading } from '../../document/reading.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { elementsOf, entry, objectNumberOf } from '../../objects/values.js'
import { readField } from '../reading/fields.js'
import type { FormWidgets, PlacedWidget } from '../reading/form-widgets.js'
import type { FoundField } from '../reading/found-field.js'
import { type FormIndex, formIndexOf } from './form-index.js'
import { missingField } from './missing-field.js'
import { fieldNow } from './renumbered.js'

export class FormModel {
  readonly #index: FormIndex

  constructor(readonly change: Change) {
    this.#index = formIndexOf(change)
  }

  get reading(): Reading {
    return this.#index.reading
  }

  get widgets(): FormWidgets {
    return this.#index.widgets
  }

  get fields(): readonly FoundField[] {
    return this.#index.fields
  }

  /** Finds a field; a full name also finds a field that has a number. Throws `NotFound`. */
  find(ref: FormFieldRef): FoundField {
    const found = this.lookUp(ref)
    if (found !== undefined) return found
    const names = this.fields.map(({ node }) => node.name)
    throw missingField(
      ref,
      names.filter((name) => name !== ''),
    )
  }

  /** Finds a field; also by a former object number. */
  lookUp(ref: FormFieldRef): FoundField | undefined {
    const found = this.#index.lookUp(ref)
    if (found !== undefined || ref.kind === 'fqn') return found
    return this.#index.lookUp({ kind: 'objectNumber', objectNumber: fieldNow(this.change, ref.objectNumber) })
  }

  named(name: string): readonly FoundField[] {
    return this.#index.named(name)
  }

  /** Finds a widget. Throws `NotFound`. */
  findWidget(ref: AnnotationRef): PlacedWidget {
    const found = this.lookUpWidget(ref)
    if (found !== undefined) return found
    throw new JobRefusal(
      'NotFound',
      `There is no widget ${annotationKey(ref)} on the page obj:${ref.page.objectNumber}`,
    )
  }

  lookUpWidget(ref: AnnotationRef): PlacedWidget | undefined {
    return this.widgets.called(ref)
  }

  fieldOf(widget: PlacedWidget): FoundField | undefined {
    return this.#index.fieldOf(widget)
  }

  read(found: FoundField): FormField {
    return readField(this.reading, found)
  }

  widgetsOf(...fields: readonly FoundField[]): WidgetAnnotation[] {
    const places = fields.flatMap(({ widgets }) => widgets.map(({ place }) => place.ref))
    return this.widgets.annotationsOf(places.filter((ref) => ref !== null))
  }

  /** Fields in calculation order; null for an entry that is not a field. */
  get calculationOrder(): (FormFieldRef | null)[] {
    const order = elementsOf(entry(this.reading.form, 'CO'), readingLimits.fieldNodesMax)
    return [...order].map((object) => {
      const objectNumber = objectNumberOf(object)
      const found = objectNumber === undefined ? undefined : this.lookUp({ kind: 'objectNumber', objectNumber })
      return found?.ref ?? null
    })
  }
}

/**
 * Returns the form with the named fields ready to be altered: their inline widgets are promoted to objects first,
 * because inline ones cannot be touched. Throws `NotFound`.
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

/** Returns the form with all fields ready to be altered. */
export function wholeForm(change: Change): FormModel {
  const model = new FormModel(change)
  const inline = model.widgets.placed.flatMap(({ place }) =>
    place.objectNumber === 0 && place.page !== null ? [place.page.objectNumber] : [],
  )
  return withPromoted(model, new Set(inline))
}

/** Returns the form after promoting the inline widgets of a page to objects. */
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
