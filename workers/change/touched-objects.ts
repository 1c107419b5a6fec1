// Objects that a change may have altered: digests of their former state and, at the end, images of the changed ones.
import { createHash } from 'node:crypto'
import { JobRefusal } from '../contract/job-refusal.js'
import type { OpenDocument } from '../document/open-document.js'
import { baseEntriesOf } from '../file/section/base-entries.js'
import { bodyOf, holdersOn } from '../file/section/object-body.js'
import { type ObjectImage, trailerNumber } from '../objects/object-image.js'
import { withGenerations } from '../objects/object-text.js'

/** Receives every object number before a change alters the object. */
export interface ObjectTracker {
  isNew(number: number): boolean
  touch(number: number): void
  /** Claims a reserved number, which must not be in use yet. */
  claim(number: number): void
  touchTrailer(): void
  setHidden(number: number, isHidden: boolean): void
  images(): readonly ObjectImage[]
}

export class TouchedObjects implements ObjectTracker {
  readonly #document: OpenDocument
  /** First object number that was free when the change began: objects from there on are new. */
  readonly #firstNew: number
  readonly #generations: ReadonlyMap<number, number>
  /** Digests of the former state, by object number. */
  readonly #before = new Map<number, string>()
  readonly #becameOther = new Set<number>()
  #trailerBefore: string | undefined

  constructor(document: OpenDocument) {
    this.#document = document
    this.#firstNew = document.pdf.countObjects()
    this.#generations = baseEntriesOf(document).generations
  }

  isNew(number: number): boolean {
    return number >= this.#firstNew
  }

  touch(number: number): void {
    if (number >= this.#firstNew || this.#before.has(number)) return
    this.#before.set(number, digestOf(this.#bodyOf(number)))
  }

  claim(number: number): void {
    const isHeld = number > 0 && number < this.#firstNew
    if (!isHeld || !this.#document.pdf.newIndirect(number).resolve().isNull()) {
      throw new JobRefusal('ObjectNumberUnavailable', `The object number ${number} is not available`, {
        objectNumber: number,
        reason: isHeld ? 'taken' : 'not-held',
      })
    }
    this.touch(number)
  }

  touchTrailer(): void {
    this.#trailerBefore ??= this.#trailerText()
  }

  setHidden(number: number, isHidden: boolean): void {
    const { hidden } = this.#document
    if (hidden.has(number) === isHidden) return
    this.touch(number)
    this.#becameOther.add(number)
    if (isHidden) hidden.add(number)
    else hidden.delete(number)
  }

  images(): readonly ObjectImage[] {
    const images = this.#trailerImages()
    const touched = [...this.#before].toSorted(([one], [other]) => one - other)
    for (const [number, before] of touched) {
      const body = this.#bodyOf(number)
      const isBodyKept = digestOf(body) === before
      if (!isBodyKept) images.push(this.#image(number, body))
      else if (this.#becameOther.has(number)) images.push({ ...this.#image(number, body), isBodyKept })
    }
    const { pdf } = this.#document
    for (let number = this.#firstNew; number < pdf.countObjects(); number++) {
      if (!pdf.newIndirect(number).resolve().isNull()) images.push(this.#image(number, this.#bodyOf(number)))
    }
    return images
  }

  #image(number: number, body: Uint8Array): ObjectImage {
    const generation = this.#generations.get(number) ?? 0
    return { number, generation, isHidden: this.#document.hidden.has(number), body }
  }

  #bodyOf(number: number): Uint8Array {
    const { pdf, promoted } = this.#document
    const page = promoted.find(({ objectNumber }) => objectNumber === number)?.page
    return bodyOf(this.#document, pdf.newIndirect(number), page === undefined ? [] : holdersOn(pdf, page))
  }

  #trailerImages(): ObjectImage[] {
    const text = this.#trailerText()
    if (this.#trailerBefore === undefined || text === this.#trailerBefore) return []
    return [{ number: trailerNumber, generation: 0, isHidden: false, body: Buffer.from(text, 'latin1') }]
  }

  #trailerText(): string {
    const info = this.#document.trailer.get('Info')
    return withGenerations(info.isNull() ? '<<>>' : `<</Info ${info.toString(true, true)}>>`, this.#generations)
  }
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64')
