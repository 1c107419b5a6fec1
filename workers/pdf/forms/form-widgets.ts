// All widgets of a document's pages, by object number and by the field they say they belong to.
import type { PDFObject } from 'mupdf'
import type { AnnotationRef } from '../../shapes/annotation-ref.js'
import type { WidgetAnnotation } from '../../shapes/annotations/widget.js'
import type { FormFieldRef } from '../../shapes/form-field-ref.js'
import type { FormWidget } from '../../shapes/form-widget.js'
import { pageRef } from '../../shapes/page-ref.js'
import type { AnnotationSource } from '../annotations/annotation-source.js'
import { commonOf } from '../annotations/common.js'
import { PageAnnotations } from '../annotations/page-annotations.js'
import { readWidget } from '../annotations/widget.js'
import type { Reading } from '../reading.js'
import { objectNumberOf } from '../values.js'
import { fieldKey, fieldOfWidget, fieldRefOf } from './field-names.js'
import { isWidget } from './field-tree.js'

/** A widget on a page. */
export interface PlacedWidget {
  readonly object: PDFObject
  readonly place: FormWidget
  readonly field: { readonly object: PDFObject; readonly ref: FormFieldRef } | undefined
}

export class FormWidgets {
  readonly placed: PlacedWidget[] = []
  readonly #sources: AnnotationSource[] = []
  readonly #places = new Map<number, FormWidget>()
  readonly #byField = new Map<string, PlacedWidget[]>()

  constructor(reading: Reading) {
    for (const page of reading.document.pages) this.#takePage(reading, page)
  }

  /** All of them, or those that are asked for, as a read tells them. */
  annotations(isWanted: (ref: AnnotationRef) => boolean = () => true): WidgetAnnotation[] {
    return this.#sources.filter(({ ref }) => isWanted(ref)).map((source) => readWidget(source, commonOf(source)))
  }

  /** Where a widget of the form's tree stands; on no page, where no page lists it. */
  placeOf(widget: PDFObject): FormWidget {
    const objectNumber = objectNumberOf(widget) ?? 0
    return this.#places.get(objectNumber) ?? { ref: null, objectNumber, page: null }
  }

  /** Widgets that name the field as theirs, whether or not it knows them. */
  of(field: FormFieldRef): readonly PlacedWidget[] {
    return this.#byField.get(fieldKey(field)) ?? []
  }

  #takePage(reading: Reading, page: number): void {
    const siblings = new PageAnnotations(reading, page)
    const space = reading.spaceOf(page)
    for (const annotation of siblings.entries.filter(({ object }) => isWidget(object))) {
      reading.budget.takeItem()
      this.#sources.push({ ...annotation, reading, space, siblings })
      const objectNumber = objectNumberOf(annotation.object) ?? 0
      this.#take(annotation.object, { ref: annotation.ref, objectNumber, page: pageRef(page) })
    }
  }

  #take(object: PDFObject, place: FormWidget): void {
    const owner = fieldOfWidget(object)
    const ref = fieldRefOf(owner)
    const field = owner === undefined || ref === null ? undefined : { object: owner, ref }
    const widget = { object, place, field }
    this.placed.push(widget)
    // One that two pages list stands on the first.
    if (place.objectNumber > 0 && !this.#places.has(place.objectNumber)) this.#places.set(place.objectNumber, place)
    if (ref === null) return
    const known = this.#byField.get(fieldKey(ref))
    if (known === undefined) this.#byField.set(fieldKey(ref), [widget])
    else known.push(widget)
  }
}
