// Widgets of all pages of a document, by object number and by the field that they name as theirs.
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

/** Widget on a page. */
export interface PlacedWidget {
  readonly object: PDFObject
  readonly place: FormWidget
  readonly field: { readonly object: PDFObject; readonly ref: FormFieldRef } | undefined
}

/** Returns the annotations of a page at the time a widget of it is read. */
export type SiblingsOf = (page: number) => Siblings

export class FormWidgets {
  readonly placed: PlacedWidget[] = []
  readonly #sources: (() => AnnotationSource)[] = []
  /** Index among the widgets above, by page and reference. */
  readonly #called = new Map<string, number>()
  readonly #places = new Map<number, FormWidget>()
  readonly #byField = new Map<string, PlacedWidget[]>()

  /** Reads the widgets. `siblingsOf`: default = the current annotations. */
  constructor(reading: Reading, siblingsOf?: SiblingsOf) {
    for (const page of reading.document.pages) this.#takePage(reading, page, siblingsOf)
  }

  /** Reads all widgets. */
  annotations(): WidgetAnnotation[] {
    return this.#sources.map(read)
  }

  /** Reads the named widgets, in document order. */
  annotationsOf(refs: readonly AnnotationRef[]): WidgetAnnotation[] {
    const places = new Set(refs.flatMap((ref) => this.#called.get(keyOnPage(ref)) ?? []))
    return [...places]
      .sort((one, other) => one - other)
      .flatMap((place) => this.#sources[place] ?? [])
      .map(read)
  }

  /** Returns undefined if no widget has the reference. */
  called(ref: AnnotationRef): PlacedWidget | undefined {
    return this.placed[this.#called.get(keyOnPage(ref)) ?? -1]
  }

  /** Returns the place of a widget of the form's tree; none if no page lists it. */
  placeOf(widget: PDFObject): FormWidget {
    const objectNumber = objectNumberOf(widget) ?? 0
    return this.#places.get(objectNumber) ?? { ref: null, objectNumber, page: null }
  }

  /** Returns widgets that name the field as theirs, whether or not it lists them. */
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
    // A widget that two pages list belongs to the first.
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
