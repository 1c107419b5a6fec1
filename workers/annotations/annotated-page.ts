// A page whose annotations are being written: names become objects, and the list of them can be altered.
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

  /** Throws `NotFound` where there is no such page. */
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

  /** References in stacking order. */
  get refs(): readonly AnnotationRef[] {
    return this.siblings.entries.map(({ ref }) => ref)
  }

  /** Throws `NotFound`. */
  find(ref: AnnotationRef): AnnotationEntry {
    const found = this.siblings.entryOf(ref)
    if (found !== undefined) return found
    throw new JobRefusal('NotFound', `There is no annotation ${annotationKey(ref)} on the page obj:${this.page}`)
  }

  /** Reads the annotation as it is now, after all changes so far. */
  read(found: AnnotationEntry): Annotation {
    return readAnnotation({ ...found, reading: this.#reading, space: this.space, siblings: this.siblings })
  }

  target(object: PDFObject): Target {
    return { change: this.change, object, space: this.space }
  }

  /** Puts what was just made on top, and answers how it is called. */
  add(object: PDFObject): AnnotationEntry {
    return this.#put(object, this.order.length, true)
  }

  /** Puts what was there before at a place of the array. */
  putBack(object: PDFObject, place: number): AnnotationEntry {
    return this.#put(object, place, false)
  }

  /** Takes them off the page; the objects stay. */
  remove(numbers: ReadonlySet<number>): void {
    const annots = annotsToWrite(this.change, this.page)
    const { order } = this
    for (let place = order.length - 1; place >= 0; place--) {
      if (numbers.has(order[place] ?? 0)) annots.delete(place)
    }
    this.siblings.take(numbers)
    this.changed()
  }

  /** The numbers of what is in the array, in its order; 0 for what has none. */
  get order(): readonly number[] {
    return this.siblings.order
  }

  /** `places`: those of the array as they are now, in their new order. */
  rearrange(places: readonly number[]): void {
    const annots = annotsToWrite(this.change, this.page)
    const { order } = this
    const moved = places.flatMap((from, place) => (from === place ? [] : [{ place, element: entry(annots, from) }]))
    for (const { place, element } of moved) annots.put(place, element)
    this.siblings.rearrange(places.map((from) => order[from] ?? 0))
    this.changed()
  }

  /** These annotations of the page were written into. */
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
