// All widgets of a document's pages, by object number and by the field they say they belong to.
import type { PDFObject } from 'mupdf'
import type { AnnotationSource, Siblings } from '../../annotations/reading/annotation-source.js'
import { commonOf } from '../../annotations/reading/common.js'
import { PageAnnotations } from '../../annotations/reading/page-annotations.js'
import { readWidget } from '../../annotations/subtypes/widget.js'
import { type AnnotationRef, annotationKey } from '../../contract/annotation-ref.js'
import type { WidgetAnnotation } from '../../contract/annotations/widget.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import type { FormWidget } from '../../contract/form-widget.js'
import { pageRef } from '../../contract/page-ref.js'
import type { Reading } from '../../document/reading.js'
import { fieldKey, fieldOfWidget, fieldRefOf } from '../../fields/field-names.js'
import { isWidget } from '../../fields/field-tree.js'
import { objectNumberOf } from '../../objects/values.js'

/** A widget on a page. */
export interface PlacedWidget {
  readonly object: PDFObject
  readonly place: FormWidget
  readonly field: { readonly object: PDFObject; readonly ref: FormFieldRef } | undefined
}

/** The annotations of a page, as they are when a widget among them is read. */
export type SiblingsOf = (page: number) => Siblings

export class FormWidgets {
  readonly placed: PlacedWidget[] = []
  readonly #sources: (() => AnnotationSource)[] = []
  /** Index by page and name among the widgets above. */
  readonly #called = new Map<string, number>()
  readonly #places = new Map<number, FormWidget>()
  readonly #byField = new Map<string, PlacedWidget[]>()

  /** Left out: as they are now. */
  constructor(reading: Reading, siblingsOf?: SiblingsOf) {
    for (const page of reading.document.pages) this.#takePage(reading, page, siblingsOf)
  }

  /** All of them, as a read tells them. */
  annotations(): WidgetAnnotation[] {
    return this.#sources.map(read)
  }

  /** Those that are named, in the order of the document. */
  annotationsOf(refs: readonly AnnotationRef[]): WidgetAnnotation[] {
    const places = new Set(refs.flatMap((ref) => this.#called.get(keyOnPage(ref)) ?? []))
    return [...places]
      .sort((one, other) => one - other)
      .flatMap((place) => this.#sources[place] ?? [])
      .map(read)
  }

  /** Undefined = no widget of its page is called so. */
  called(ref: AnnotationRef): PlacedWidget | undefined {
    return this.placed[this.#called.get(keyOnPage(ref)) ?? -1]
  }

  /** Returns the place of a widget of the form's tree; none if no page lists it. */
  placeOf(widget: PDFObject): FormWidget {
    const objectNumber = objectNumberOf(widget) ?? 0
    return this.#places.get(objectNumber) ?? { ref: null, objectNumber, page: null }
  }

  /** Widgets that name the field as theirs, whether or not it knows them. */
  of(field: FormFieldRef): readonly PlacedWidget[] {
    return this.#byField.get(fieldKey(field)) ?? []
  }

  #takePage(reading: Reading, page: number, siblingsOf: SiblingsOf | undefined): void {
    const annotations = new PageAnnotations(reading, page)
    const siblings = siblingsOf ?? (() => annotations)
    const space = reading.spaceOf(page)
    for (const annotation of annotations.entries.filter(({ object }) => isWidget(object))) {
      reading.budget.takeItem()
      this.#called.set(keyOnPage(annotation.ref), this.placed.length)
      this.#sources.push(() => ({ ...annotation, reading, space, siblings: siblings(page) }))
      const objectNumber = objectNumberOf(annotation.object) ?? 0
      this.#take(reading, annotation.object, { ref: annotation.ref, objectNumber, page: pageRef(page) })
    }
  }

  #take({ document }: Reading, object: PDFObject, place: FormWidget): void {
    const owner = fieldOfWidget(object)
    const ref = fieldRefOf(document, owner)
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

function read(sourceOf: () => AnnotationSource): WidgetAnnotation {
  const source = sourceOf()
  return readWidget(source, commonOf(source))
}

const keyOnPage = (ref: AnnotationRef): string => `${ref.page.objectNumber} ${annotationKey(ref)}`
