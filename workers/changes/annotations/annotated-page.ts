// A page whose annotations are being written: names become objects, and the list of them can be altered.
import type { PDFObject } from 'mupdf'
import type { AnnotationSource } from '../../pdf/annotations/annotation-source.js'
import { readAnnotation } from '../../pdf/annotations/list.js'
import { type AnnotationEntry, PageAnnotations } from '../../pdf/annotations/page-annotations.js'
import type { PageSpace } from '../../pdf/page-space.js'
import { readingLimits } from '../../pdf/reading-limits.js'
import { entry, isArray, objectNumberOf } from '../../pdf/values.js'
import { type AnnotationRef, annotationKey } from '../../shapes/annotation-ref.js'
import type { Annotation } from '../../shapes/annotations/annotation.js'
import { pageRef } from '../../shapes/page-ref.js'
import { JobRefusal } from '../../task.js'
import type { Change } from '../change.js'
import type { Target } from './entries.js'
import { promoteInline, touchAnnots } from './promote-inline.js'

export class AnnotatedPage {
  readonly space: PageSpace
  readonly #reading
  #siblings: PageAnnotations | undefined

  /** Throws `NotFound` where there is no such page. */
  constructor(
    readonly change: Change,
    readonly page: number,
  ) {
    promoteInline(change, page)
    this.#reading = change.reading()
    this.space = this.#reading.spaceOf(page)
  }

  get siblings(): PageAnnotations {
    this.#siblings ??= new PageAnnotations(this.#reading, this.page)
    return this.#siblings
  }

  /** In stacking order. */
  get refs(): readonly AnnotationRef[] {
    return this.siblings.entries.map(({ ref }) => ref)
  }

  /** Throws `NotFound`. */
  find(ref: AnnotationRef): AnnotationEntry {
    const found = this.siblings.entryOf(ref)
    if (found !== undefined) return found
    throw new JobRefusal('NotFound', `There is no annotation ${annotationKey(ref)} on the page obj:${this.page}`)
  }

  /** Undefined = it is not on the page. */
  findNumber(number: number): AnnotationEntry | undefined {
    return this.siblings.entries.find(({ object }) => objectNumberOf(object) === number)
  }

  /** As it is now, also where the page was changed since it was found. */
  read(found: AnnotationEntry): Annotation {
    return readAnnotation(this.#sourceOf(this.siblings.entryOf(found.ref) ?? found))
  }

  target(object: PDFObject): Target {
    return { change: this.change, object, space: this.space }
  }

  /** Puts it on top, or at a place of the array, and answers how it is called. */
  insert(object: PDFObject, place?: number): AnnotationEntry {
    const annots = touchAnnots(this.change, this.page)
    if (place === undefined || place >= annots.length) annots.push(object)
    else this.#rewrite(annots, elementsOf(annots).toSpliced(place, 0, object))
    this.changed()
    const page = pageRef(this.page)
    return { ref: { kind: 'objectNumber', page, objectNumber: object.asIndirect() }, object }
  }

  /** Takes them off the page; the objects stay. */
  remove(numbers: ReadonlySet<number>): void {
    const annots = touchAnnots(this.change, this.page)
    for (let place = annots.length - 1; place >= 0; place--) {
      if (numbers.has(objectNumberOf(entry(annots, place)) ?? 0)) annots.delete(place)
    }
    this.changed()
  }

  /** The numbers of what stands in the array, in its order; 0 for what has none. */
  get order(): readonly number[] {
    const annots = entry(this.change.document.pageObject(this.page), 'Annots')
    return elementsOf(annots).map((object) => objectNumberOf(object) ?? 0)
  }

  /** `order`: the places of the array as they are now, in their new order. */
  rearrange(order: readonly number[]): void {
    const annots = touchAnnots(this.change, this.page)
    const elements = elementsOf(annots)
    this.#rewrite(
      annots,
      order.map((place) => elements[place]).filter((object) => object !== undefined),
    )
    this.changed()
  }

  /** Something of the page was changed: its annotations are looked at anew. */
  changed(): void {
    this.#siblings = undefined
    this.change.effects.page(this.page, 'annotations')
  }

  #rewrite(annots: PDFObject, objects: readonly PDFObject[]): void {
    while (annots.length > 0) annots.delete(annots.length - 1)
    for (const object of objects) annots.push(object)
  }

  #sourceOf(found: AnnotationEntry): AnnotationSource {
    return { ...found, reading: this.#reading, space: this.space, siblings: this.siblings }
  }
}

function elementsOf(annots: PDFObject): PDFObject[] {
  const length = isArray(annots) ? Math.min(annots.length, readingLimits.annotsLengthMax) : 0
  return Array.from({ length }, (_, place) => entry(annots, place))
}
