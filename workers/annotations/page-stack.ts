// The annotations of a page during a change. Facts are read from the page once and maintained from then on, so that not
// every op reads the whole page.
import type { PDFDocument, PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import type { CachedKind } from '../change/change-cache.js'
import type { AnnotationRef } from '../contract/annotation-ref.js'
import type { PageSpace } from '../document/page-space.js'
import type { Reading } from '../document/reading.js'
import { readingLimits } from '../objects/reading-limits.js'
import { entry, isDictionary, nameOf, numbersOfElements, objectNumberOf } from '../objects/values.js'
import { PopupClaims } from './popup-claims.js'
import type { Siblings } from './reading/annotation-source.js'
import { type AnnotationEntry, popupClaim, refOf } from './reading/page-annotations.js'
import { UsedBy } from './used-by.js'

const pageStacks: CachedKind<Change, number, PageStack> = {
  source: 'annotations',
  compute: (change, page) => new PageStack(change.reading(), page),
}

/** Returns the annotations of a page, by its object number, in their current state within the change. */
export const pageStackOf = (change: Change, page: number): PageStack => change.cache.get(pageStacks, page)

export class PageStack implements Siblings {
  readonly page: number
  readonly space: PageSpace
  readonly #pdf: PDFDocument
  /** Annotations in stacking order. The array is never modified in place, because undo steps refer to former orders. */
  #order: readonly number[]
  readonly #listed: Set<number>
  /** Indexes in the uploaded file, of annotations that have a reference `base:N`. */
  readonly #birthPlaces: ReadonlyMap<number, number>
  readonly #born: ReadonlyMap<number, number>
  readonly #entries = new Map<number, AnnotationEntry>()
  /**
   * Annotations that were created after the page was read and have no popup, so that no other one can refer to them.
   */
  readonly #alone = new Set<number>()
  #all: readonly AnnotationEntry[] | undefined
  #popups: PopupClaims | undefined
  #hanging: UsedBy | undefined
  #drawings: UsedBy | undefined

  constructor(reading: Reading, page: number) {
    this.page = page
    this.space = reading.spaceOf(page)
    this.#pdf = reading.document.pdf
    const annots = entry(reading.pageObject(page), 'Annots')
    this.#order = numbersOfElements(annots, readingLimits.annotsLengthMax)
    this.#listed = new Set(this.#order)
    this.#listed.delete(0)
    const promoted = reading.document.promoted.filter((one) => one.page === page)
    this.#birthPlaces = new Map(promoted.map(({ objectNumber, baseIndex }) => [objectNumber, baseIndex]))
    this.#born = new Map(promoted.map(({ objectNumber, baseIndex }) => [baseIndex, objectNumber]))
  }

  /** Object numbers of the array's elements in order; 0 for inline ones. */
  get order(): readonly number[] {
    return this.#order
  }

  /** Entries in stacking order, bottom first. */
  get entries(): readonly AnnotationEntry[] {
    this.#all ??= [...new Set(this.#order)].flatMap((number) => this.numbered(number) ?? [])
    return this.#all
  }

  /** Returns undefined if the object is not on the page, or is no annotation. */
  numbered(number: number): AnnotationEntry | undefined {
    if (!this.#listed.has(number)) return undefined
    const known = this.#entries.get(number)
    if (known !== undefined) return known
    const object = this.#pdf.newIndirect(number)
    if (!isDictionary(object)) return undefined
    const made = { ref: refOf(this.page, number, this.#birthPlaces.get(number)), object }
    this.#entries.set(number, made)
    return made
  }

  /** Returns undefined if no annotation of this page has the reference. */
  entryOf(ref: AnnotationRef): AnnotationEntry | undefined {
    const number = this.#numberOf(ref)
    return number === undefined ? undefined : this.numbered(number)
  }

  refOf(object: PDFObject): AnnotationRef | undefined {
    return this.numbered(objectNumberOf(object) ?? 0)?.ref
  }

  popupOf(annotation: AnnotationRef): AnnotationRef | null {
    return this.#paired(annotation, (popups, number) => popups.popupOf(number))
  }

  parentOf(popup: AnnotationRef): AnnotationRef | null {
    return this.#paired(popup, (popups, number) => popups.parentOf(number))
  }

  /** Returns annotations that reply to it or belong to its group, and popups that name it as their parent. */
  hangingOn(number: number): ReadonlySet<number> {
    this.#hanging ??= this.#usedBy(holderOf)
    return this.#hanging.of(number)
  }

  drawnWith(drawing: number): ReadonlySet<number> {
    this.#drawings ??= this.#usedBy(drawingOf)
    return this.#drawings.of(drawing)
  }

  /** Records that an annotation was inserted into the array. `isNew`: it was created just now. */
  put(number: number, place: number, isNew: boolean): void {
    this.#order = this.#order.toSpliced(place, 0, number)
    this.#listed.add(number)
    this.#all = undefined
    if (isNew && this.#popups === undefined) this.#alone.add(number)
    this.see(number)
  }

  /** Records that annotations were removed from the array. */
  take(numbers: ReadonlySet<number>): void {
    this.#order = this.#order.filter((number) => !numbers.has(number))
    this.#all = undefined
    for (const number of numbers) {
      this.#listed.delete(number)
      this.#hanging?.put(number, undefined)
      this.#drawings?.put(number, undefined)
      this.#seePopup(number, undefined)
    }
  }

  /** Records the new order of the array. */
  rearrange(order: readonly number[]): void {
    this.#order = order
    this.#all = undefined
    this.#forgetPopups()
  }

  /** Records that an annotation was written, because its references may have changed. */
  see(number: number): void {
    const object = this.numbered(number)?.object
    if (object === undefined) return
    this.#hanging?.put(number, holderOf(object))
    this.#drawings?.put(number, drawingOf(object))
    this.#seePopup(number, object)
  }

  #seePopup(number: number, object: PDFObject | undefined): void {
    if (this.#popups === undefined) {
      const claim = object && popupClaim(object)
      if (claim === undefined) return
      for (const one of [number, objectNumberOf(claim.other) ?? 0]) this.#alone.delete(one)
    } else if (!this.#popups.change(number, object)) this.#forgetPopups()
  }

  #forgetPopups(): void {
    this.#popups = undefined
    this.#alone.clear()
  }

  #paired(ref: AnnotationRef, other: (popups: PopupClaims, number: number) => number | undefined) {
    const number = this.#numberOf(ref)
    if (number === undefined || (this.#popups === undefined && this.#alone.has(number))) return null
    this.#popups ??= this.#readPopups()
    return this.numbered(other(this.#popups, number) ?? 0)?.ref ?? null
  }

  #readPopups(): PopupClaims {
    const { entries } = this
    const popups = new PopupClaims(this)
    for (const { object } of entries) popups.read(object.asIndirect(), object)
    return popups
  }

  #usedBy(usedOf: (annotation: PDFObject) => number | undefined): UsedBy {
    const usedBy = new UsedBy()
    for (const { object } of this.entries) usedBy.put(object.asIndirect(), usedOf(object))
    return usedBy
  }

  #numberOf(ref: AnnotationRef): number | undefined {
    if (ref.page.objectNumber !== this.page) return undefined
    if (ref.kind === 'baseIndex') return this.#born.get(ref.baseIndex)
    return this.#birthPlaces.has(ref.objectNumber) ? undefined : ref.objectNumber
  }
}

/** Returns the holder of an annotation; undefined for a widget, which belongs to its field whatever its entries are. */
function holderOf(annotation: PDFObject): number | undefined {
  const subtype = nameOf(entry(annotation, 'Subtype'))
  return subtype === 'Widget' ? undefined : objectNumberOf(entry(annotation, subtype === 'Popup' ? 'Parent' : 'IRT'))
}

const drawingOf = (annotation: PDFObject): number | undefined => objectNumberOf(entry(annotation, 'AP', 'N'))
