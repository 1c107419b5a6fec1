// Annotations of one page in file order, bottom first, and their relations. Read here and not by the engine, whose
// list omits links, popups and widgets.
import type { PDFObject } from 'mupdf'
import { type AnnotationRef, annotationKey } from '../../contract/annotation-ref.js'
import { pageRef } from '../../contract/page-ref.js'
import type { Reading } from '../../document/reading.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { elementsOf, entry, hasKey, isDictionary, nameOf, objectNumberOf } from '../../objects/values.js'
import { PopupPairs } from './popup-pairs.js'

export interface AnnotationEntry {
  readonly ref: AnnotationRef
  readonly object: PDFObject
}

export class PageAnnotations {
  readonly entries: readonly AnnotationEntry[]
  #byKey: ReadonlyMap<string, AnnotationEntry> | undefined
  readonly #refs: ReadonlyMap<number, AnnotationRef>
  readonly #pairs = new PopupPairs<AnnotationRef>()

  constructor(
    reading: Reading,
    readonly page: number,
  ) {
    this.entries = entriesOf(reading, page)
    this.#refs = new Map(
      this.entries.flatMap(({ ref, object }) => {
        const number = ref.kind === 'objectNumber' ? ref.objectNumber : objectNumberOf(object)
        return number === undefined ? [] : [[number, ref] as const]
      }),
    )
    for (const { ref, object } of this.entries) {
      const claim = popupClaim(object)
      if (claim !== undefined) {
        const other = this.refOf(claim.other)
        if (claim.isPopup) this.#pairs.join(other, ref)
        else this.#pairs.join(ref, other)
      }
    }
  }

  /** Returns undefined if the object is no annotation of this page. */
  refOf(object: PDFObject): AnnotationRef | undefined {
    const number = objectNumberOf(object)
    return number === undefined ? undefined : this.#refs.get(number)
  }

  /** Returns undefined if no annotation of this page has the reference. */
  entryOf(ref: AnnotationRef): AnnotationEntry | undefined {
    if (ref.page.objectNumber !== this.page) return undefined
    this.#byKey ??= new Map(this.entries.map((annotation) => [annotationKey(annotation.ref), annotation]))
    return this.#byKey.get(annotationKey(ref))
  }

  popupOf(annotation: AnnotationRef): AnnotationRef | null {
    return this.#pairs.popupOf(annotation) ?? null
  }

  parentOf(popup: AnnotationRef): AnnotationRef | null {
    return this.#pairs.parentOf(popup) ?? null
  }
}

export interface PopupClaim {
  /** True if the annotation is a popup that names its parent; false if it names its popup. */
  readonly isPopup: boolean
  readonly other: PDFObject
}

/** Returns the popup that an annotation names. */
export function popupClaim(object: PDFObject): PopupClaim | undefined {
  // Most annotations have neither, and on pages with many annotations this check is most of the work.
  if (!hasKey(object, 'Popup') && !hasKey(object, 'Parent')) return undefined
  const isPopup = nameOf(entry(object, 'Subtype')) === 'Popup'
  return { isPopup, other: entry(object, isPopup ? 'Parent' : 'Popup') }
}

/** Returns the entries; an annotation that is listed twice counts at its first position. */
function entriesOf(reading: Reading, page: number): readonly AnnotationEntry[] {
  const entries: AnnotationEntry[] = []
  const seen = new Set<number>()
  const birthPlaces = new Map(
    reading.document.promoted.flatMap((one) => (one.page === page ? [[one.objectNumber, one.baseIndex] as const] : [])),
  )
  let place = -1
  for (const object of elementsOf(entry(reading.pageObject(page), 'Annots'), readingLimits.annotsLengthMax)) {
    place++
    reading.budget.takeValues(1)
    const number = objectNumberOf(object)
    if (!isDictionary(object) || (number !== undefined && seen.has(number))) continue
    if (number !== undefined) seen.add(number)
    const baseIndex = number === undefined ? place : birthPlaces.get(number)
    entries.push({ ref: refOf(page, number, baseIndex), object })
  }
  return entries
}

/** Returns the reference: the index in the uploaded file takes precedence over an object number assigned since. */
export function refOf(page: number, objectNumber: number | undefined, baseIndex: number | undefined): AnnotationRef {
  return baseIndex === undefined && objectNumber !== undefined
    ? { kind: 'objectNumber', page: pageRef(page), objectNumber }
    : { kind: 'baseIndex', page: pageRef(page), baseIndex: baseIndex ?? 0 }
}
