// A change while it is made: the one door through which ops alter a document. It remembers what each object was before it
// was first touched, hands out object numbers, and collects what the change affects and how it is undone.
import type { PDFDocument, PDFObject } from 'mupdf'
import type { OpenDocument } from '../pdf/open-document.js'
import { Reading } from '../pdf/reading.js'
import { objectNumberOf } from '../pdf/values.js'
import { type InlineAnnotation, JobRefusal } from '../task.js'
import { Effects } from './effects.js'
import { imageBody, type ObjectImage, trailerNumber } from './object-image.js'
import { sameImage } from './same-image.js'
import type { Resource, Stamp, UndoStep } from './words.js'

export interface ChangeSurroundings {
  readonly stamp: Stamp
  readonly inline: readonly InlineAnnotation[]
  readonly resources: Readonly<Record<string, Resource>>
  readonly itemsMax: number
  /** The first object number that no layer of the document has used. */
  readonly nextObject: number
}

interface Touched {
  readonly object: PDFObject
  readonly generation: number
  readonly before: Uint8Array
}

export class Change {
  readonly effects = new Effects()
  readonly #touched = new Map<number, Touched>()
  readonly #hidden = new Map<number, boolean>()
  readonly #undo: UndoStep[] = []
  readonly #firstNew: number
  #isTrailerTouched = false
  #needsRewrite = false
  #isUndoable = true
  #endsUndo = false

  constructor(
    readonly document: OpenDocument,
    private readonly surroundings: ChangeSurroundings,
  ) {
    const { pdf } = document
    // Numbers other layers took are passed over; what is never written costs nothing.
    while (pdf.countObjects() < surroundings.nextObject) pdf.createObject()
    this.#firstNew = pdf.countObjects()
  }

  get pdf(): PDFDocument {
    return this.document.pdf
  }

  get stamp(): Stamp {
    return this.surroundings.stamp
  }

  /** Annotations the uploaded file stores inline, with the numbers they get when they are first changed. */
  get inline(): readonly InlineAnnotation[] {
    return this.surroundings.inline
  }

  /** The document as it is now: made anew by whoever has changed something in between. */
  reading(): Reading {
    return new Reading(this.document, this.surroundings.itemsMax)
  }

  /** Bytes that came with the request. Throws `InvalidArg`. */
  resource(key: string | undefined, role: string): Resource {
    const found = key === undefined ? undefined : this.surroundings.resources[key]
    if (found === undefined) {
      throw new JobRefusal('InvalidArg', `The ${role} needs a file: a part named resource:${key ?? '<key>'}`, { role })
    }
    return found
  }

  /**
   * Must be called before an indirect object is altered in any way, by us or by the engine. Answers the object. Inline
   * objects are part of the indirect one around them: touch that.
   */
  touch(reference: PDFObject): PDFObject {
    const number = objectNumberOf(reference)
    if (number === undefined) throw new Error('Only an indirect object can be touched')
    if (number < this.#firstNew && !this.#touched.has(number)) {
      const generation = Number(/^\d+ (\d+) R$/.exec(reference.toString(true))?.[1] ?? 0)
      this.#touched.set(number, { object: reference, generation, before: imageBody(reference) })
    }
    return reference
  }

  /** The trailer's own keys (`/Info`) may be altered after it. */
  touchTrailer(): PDFObject {
    this.#isTrailerTouched = true
    return this.document.trailer
  }

  /** A new indirect object under a number no layer has used; answers the reference. */
  create(value: PDFObject): PDFObject {
    return this.pdf.addObject(value)
  }

  /** Under a number that was reserved for it at ingest. */
  createAt(number: number, value: PDFObject): PDFObject {
    const reference = this.pdf.newIndirect(number)
    if (number < this.#firstNew) {
      this.#touched.set(number, { object: reference, generation: 0, before: new Uint8Array() })
    }
    reference.writeObject(value)
    return reference
  }

  /** Nothing refers to them any more: they are left out of files that are sent, until `show`. */
  hide(...references: readonly PDFObject[]): void {
    for (const reference of references) this.#setHidden(reference, true)
  }

  show(...references: readonly PDFObject[]): void {
    for (const reference of references) this.#setHidden(reference, false)
  }

  /** How the op just made is taken back; steps are run last first. */
  undoBy(step: UndoStep): void {
    this.#undo.push(step)
  }

  get undoSteps(): readonly UndoStep[] {
    return this.#undo.toReversed()
  }

  /** Page operations cannot be taken back (`UndoUnavailable`), but what was done before them can. */
  cannotBeUndone(): void {
    this.#isUndoable = false
  }

  /** Neither this change nor anything before it can be taken back: a flatten, a redaction, a repair. */
  endUndo(): void {
    this.#isUndoable = false
    this.#endsUndo = true
  }

  /** What the ops took out must not be in the file any more: the layer gets a base of its own, written anew. */
  rewrite(): void {
    this.endUndo()
    this.#needsRewrite = true
  }

  get needsRewrite(): boolean {
    return this.#needsRewrite
  }

  get isUndoable(): boolean {
    return this.#isUndoable
  }

  get endsUndo(): boolean {
    return this.#endsUndo
  }

  get nextObject(): number {
    return this.pdf.countObjects()
  }

  /** Every object that is not what it was, by number. */
  images(): readonly ObjectImage[] {
    const images: ObjectImage[] = []
    for (const [number, { object, generation, before }] of this.#touched) {
      const body = imageBody(object)
      const isHidden = this.#hidden.get(number)
      if (isHidden !== undefined || !sameImage(before, body)) {
        images.push({ number, generation, isHidden: isHidden ?? false, body })
      }
    }
    for (let number = this.#firstNew; number < this.pdf.countObjects(); number++) {
      const object = this.pdf.newIndirect(number)
      if (object.resolve().isNull()) continue
      images.push({ number, generation: 0, isHidden: this.#hidden.get(number) ?? false, body: imageBody(object) })
    }
    if (this.#isTrailerTouched) images.push(this.#trailerImage())
    return images.sort((one, other) => one.number - other.number)
  }

  #trailerImage(): ObjectImage {
    const info = this.document.trailer.get('Info')
    const body = Buffer.from(info.isNull() ? '<<>>' : `<</Info ${info.toString(true)}>>`, 'latin1')
    return { number: trailerNumber, generation: 0, isHidden: false, body }
  }

  #setHidden(reference: PDFObject, isHidden: boolean): void {
    const number = objectNumberOf(reference)
    // What stands inline goes with what it stands in.
    if (number === undefined) return
    this.touch(reference)
    this.#hidden.set(number, isHidden)
  }
}
