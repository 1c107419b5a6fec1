// A page whose annotations are being written: resolves references to objects, and alters the list of annotations.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { type AnnotationRef, annotationKey } from '../contract/annotation-ref.js'
import type { Annotation } from '../contract/annotations/annotation.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { PageSpace } from '../document/page-space.js'
import { insertAt } from '../objects/array-edits.js'
import { entry, objectNumberOf } from '../objects/values.js'
import type { Target } from './entries.js'
import { type PageStack, pageStackOf } from './page-stack.js'
import { annotsToWrite, promoteInline } from './promote-inline.js'
import { readAnnotation } from './reading/list.js'
import type { AnnotationEntry } from './reading/page-annotations.js'

export class AnnotatedPage {
  readonly #reading

  /** Throws `NotFound` if there is no such page. */
  constructor(
    readonly change: Change,
    readonly page: number,
  ) {
    promoteInline(change, page)
    this.#reading = change.reading()
  }

  get siblings(): PageStack {
    return pageStackOf(this.change, this.page)
  }

  get space(): PageSpace {
    return this.siblings.space
  }

  /** References of the annotations in stacking order. */
  get refs(): readonly AnnotationRef[] {
    return this.siblings.entries.map(({ ref }) => ref)
  }

  /** Finds an annotation. Throws `NotFound`. */
  find(ref: AnnotationRef): AnnotationEntry {
    const found = this.siblings.entryOf(ref)
    if (found !== undefined) return found
    throw new JobRefusal('NotFound', `There is no annotation ${annotationKey(ref)} on the page obj:${this.page}`)
  }

  /** Reads the current annotation, after all changes so far. */
  read(found: AnnotationEntry): Annotation {
    return readAnnotation({ ...found, reading: this.#reading, space: this.space, siblings: this.siblings })
  }

  target(object: PDFObject): Target {
    return { change: this.change, object, space: this.space }
  }

  /** Adds a new annotation at the top, and returns it with its reference. */
  add(object: PDFObject): AnnotationEntry {
    return this.#put(object, this.order.length, true)
  }

  /** Restores a removed annotation at an index of the array. */
  putBack(object: PDFObject, place: number): AnnotationEntry {
    return this.#put(object, place, false)
  }

  /** Removes annotations from the page. The objects remain. */
  remove(numbers: ReadonlySet<number>): void {
    const annots = annotsToWrite(this.change, this.page)
    const { order } = this
    for (let place = order.length - 1; place >= 0; place--) {
      if (numbers.has(order[place] ?? 0)) annots.delete(place)
    }
    this.siblings.take(numbers)
    this.changed()
  }

  /** Object numbers of the array's elements in order; 0 for inline ones. */
  get order(): readonly number[] {
    return this.siblings.order
  }

  /** Reorders the array. `places`: current indexes in their new order. */
  rearrange(places: readonly number[]): void {
    const annots = annotsToWrite(this.change, this.page)
    const { order } = this
    const moved = places.flatMap((from, place) => (from === place ? [] : [{ place, element: entry(annots, from) }]))
    for (const { place, element } of moved) annots.put(place, element)
    this.siblings.rearrange(places.map((from) => order[from] ?? 0))
    this.changed()
  }

  /** Declares that these annotations of the page were written. */
  changed(...objects: readonly PDFObject[]): void {
    for (const object of objects) this.siblings.see(objectNumberOf(object) ?? 0)
    this.change.effects.page(this.page, 'annotations')
  }

  #put(object: PDFObject, place: number, isNew: boolean): AnnotationEntry {
    const annots = annotsToWrite(this.change, this.page)
    insertAt(annots, object, place)
    const { siblings } = this
    siblings.put(object.asIndirect(), place, isNew)
    this.changed()
    const made = siblings.numbered(object.asIndirect())
    if (made === undefined) throw new Error('An inserted object is not an annotation')
    return made
  }
}
