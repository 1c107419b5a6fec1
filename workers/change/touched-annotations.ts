// Existing annotations that a change alters, removes from their page or restores, whether the request names them or
// not. The server checks the caller's rights to each of them.
import type { PDFObject } from 'mupdf'
import type { OpenDocument } from '../document/open-document.js'
import { isWidget } from '../fields/field-tree.js'
import { readingLimits } from '../objects/reading-limits.js'
import { entry, hasKey, isDictionary, nameOf, numbersOfElements, objectNumberOf } from '../objects/values.js'

export interface TouchedAnnotation {
  /** Object number. */
  readonly number: number
  readonly effect: 'changed' | 'removed' | 'restored'
  /** True for a widget that only form ops touched, because those have rights of their own. */
  readonly isOfForm: boolean
}

interface Before {
  readonly object: PDFObject
  readonly text: string
  readonly isHidden: boolean
  readonly isWidget: boolean
}

export class TouchedAnnotations {
  readonly #document: OpenDocument
  readonly #isNew: (number: number) => boolean
  /** Object numbers of existing inline annotations that this change turned into indirect objects. */
  readonly #promoted = new Set<number>()
  readonly #seen = new Set<number>()
  readonly #before = new Map<number, Before>()
  /** Object numbers that ops other than form ops touched. */
  readonly #byOthers = new Set<number>()
  /** Object numbers of annotations whose group got another member. */
  readonly #joined = new Set<number>()
  #isFormOp = false
  /** Pages, each with its list of annotations. */
  readonly #pages: { readonly page: PDFObject; readonly annots: PDFObject }[] = []

  constructor(document: OpenDocument, isNew: (number: number) => boolean) {
    this.#document = document
    this.#isNew = isNew
  }

  promote(number: number): void {
    this.#promoted.add(number)
  }

  /** Begins an op or undo step of this type; objects touched from now on count as touched by it. */
  begin(type: string): void {
    this.#isFormOp = type.startsWith('forms.')
  }

  /** Must be called before an indirect object is altered, hidden or shown. */
  touch(object: PDFObject): void {
    const number = objectNumberOf(object)
    if (number === undefined || (this.#isNew(number) && !this.#promoted.has(number))) return
    if (!this.#isFormOp) this.#byOthers.add(number)
    if (this.#seen.has(number)) return
    this.#seen.add(number)
    if (!isDictionary(object)) return
    if (isAnnotation(object)) this.#before.set(number, this.#stateOf(number, object))
    else if (hasKey(object, 'Annots')) this.#pages.push({ page: object, annots: entry(object, 'Annots') })
  }

  /** Notes that another annotation becomes a member of the group of this one. */
  join(object: PDFObject): void {
    this.touch(object)
    this.#joined.add(objectNumberOf(object) ?? 0)
  }

  list(): readonly TouchedAnnotation[] {
    this.#addDeletedPages()
    return [...this.#before].flatMap(([number, before]) => {
      const effect = this.#effectOn(number, before)
      return effect === undefined ? [] : [{ number, effect, isOfForm: before.isWidget && !this.#byOthers.has(number) }]
    })
  }

  /** Adds annotations of deleted pages that were not hidden, because they are listed on another page or name one. */
  #addDeletedPages(): void {
    const { pdf } = this.#document
    for (const { page, annots } of this.#pages) {
      if (isDictionary(page.resolve())) continue
      for (const number of numbersOfElements(annots, readingLimits.annotsLengthMax)) {
        if (number === 0 || this.#before.has(number) || this.#isNew(number)) continue
        const object = pdf.newIndirect(number)
        if (!isAnnotation(object)) continue
        this.#before.set(number, { ...this.#stateOf(number, object), text: '' })
        this.#byOthers.add(number)
      }
    }
  }

  #effectOn(number: number, { object, text, isHidden }: Before): TouchedAnnotation['effect'] | undefined {
    const isHiddenNow = this.#document.hidden.has(number)
    if (isHiddenNow !== isHidden) return isHiddenNow ? 'removed' : 'restored'
    if (text === textOf(object)) return this.#joined.has(number) ? 'changed' : undefined
    return isDictionary(object.resolve()) && text !== '' ? 'changed' : 'removed'
  }

  #stateOf(number: number, object: PDFObject): Before {
    return { object, text: textOf(object), isHidden: this.#document.hidden.has(number), isWidget: isWidget(object) }
  }
}

const textOf = (object: PDFObject): string => object.resolve().toString(true, true)

/** Form XObjects have a subtype too, but no rectangle. */
const isAnnotation = (object: PDFObject): boolean =>
  nameOf(entry(object, 'Subtype')) !== undefined &&
  (hasKey(object, 'Rect') || nameOf(entry(object, 'Type')) === 'Annot')
