// A change while it is made: the one door through which ops alter a document. It remembers what each object was before it
// was first touched, hands out object numbers, and collects what the change affects and how it is undone.
import type { PDFDocument, PDFObject } from 'mupdf'
import { JobRefusal } from '../contract/job-refusal.js'
import type { OpenDocument } from '../document/open-document.js'
import { Reading } from '../document/reading.js'
import { limits } from '../limits.js'
import type { InlineAnnotation } from '../messages/task.js'
import type { ObjectImage } from '../objects/object-image.js'
import { entry, isDictionary, objectNumberOf } from '../objects/values.js'
import { ChangeCache } from './change-cache.js'
import { Effects } from './effects.js'
import { Notes } from './notes.js'
import { type TouchedAnnotation, TouchedAnnotations } from './touched-annotations.js'
import { type ObjectTracker, TouchedObjects } from './touched-objects.js'
import type { Resource, Stamp, UndoStep } from './unfinished-item.js'

export interface ChangeSurroundings {
  readonly stamp: Stamp
  readonly inline: readonly InlineAnnotation[]
  readonly resources: Readonly<Record<string, Resource>>
  readonly itemsMax: number
  /** The first object number that no layer of the document has used. */
  readonly nextObject: number
}

export class Change {
  readonly effects = new Effects()
  readonly cache = new ChangeCache<Change>(this)
  readonly notes = new Notes(this)
  readonly #touched: ObjectTracker
  readonly #touchedAnnotations: TouchedAnnotations
  readonly #undo: UndoStep[] = []
  readonly #promoted: InlineAnnotation[] = []
  readonly #proofs: ((written: OpenDocument) => void)[] = []
  readonly #atEnd: (() => void)[] = []
  #needsRewrite = false
  #needsReopening = false
  #isUndoable = true
  #endsUndo = false

  constructor(
    readonly document: OpenDocument,
    private readonly surroundings: ChangeSurroundings,
    /** Default: a tracker for changes that are laid over the file. */
    tracker?: ObjectTracker,
  ) {
    const { pdf } = document
    // What the engine had to repair in memory is not what its edits would be laid over.
    if (tracker === undefined && (pdf.wasRepaired() || document.hasLeadingJunk)) throw repairWanted()
    document.isAltered = true
    if (surroundings.nextObject > limits.objectNumberMax) throw layerFull()
    // Numbers other layers took are passed over; what is never written costs nothing.
    while (pdf.countObjects() < surroundings.nextObject) pdf.createObject()
    this.#touched = tracker ?? new TouchedObjects(document)
    this.#touchedAnnotations = new TouchedAnnotations(document, (number) => this.#touched.isNew(number))
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

  /** An annotation the file stored inline is the object of this number now; answers go on to name it `base:N`. */
  promote(annotation: InlineAnnotation): void {
    this.#promoted.push(annotation)
    this.#touchedAnnotations.promote(annotation.objectNumber)
    this.document.promote(annotation)
    this.cache.evict('annotations', annotation.page)
    this.cache.evict('form')
  }

  /** Inline annotations that this change made objects. */
  get promoted(): readonly InlineAnnotation[] {
    return this.#promoted
  }

  /** An op, or a step of an undo, of this type is applied now. */
  begin(type: string): void {
    this.#touchedAnnotations.begin(type)
  }

  /** The document as it is now: made anew by whoever has changed something in between. */
  reading(): Reading {
    return new Reading(this.document, this.surroundings.itemsMax)
  }

  /** Once all ops are applied. */
  atEnd(finish: () => void): void {
    this.#atEnd.push(finish)
  }

  /** Bytes that came with the request. Throws `InvalidArg`. */
  resource(key: string | undefined, role: string): Resource {
    const { resources } = this.surroundings
    // What every object has is no file.
    const found = key !== undefined && Object.hasOwn(resources, key) ? resources[key] : undefined
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
    this.#touched.touch(numberOfIndirect(reference))
    this.#touchedAnnotations.touch(reference)
    return reference
  }

  /** The information dictionary, made where the file has none, ready to be altered. */
  touchInfo(): PDFObject {
    this.#touched.touchTrailer()
    const info = entry(this.document.trailer, 'Info')
    if (isDictionary(info)) return objectNumberOf(info) === undefined ? info : this.touch(info)
    const made = this.create(this.pdf.newDictionary())
    // Asked for again: with its first new object the engine begins a section, which has a trailer of its own.
    this.document.trailer.put('Info', made)
    return made
  }

  /** A new indirect object under a number no layer has used; answers the reference. */
  create(value: PDFObject): PDFObject {
    return this.pdf.addObject(value)
  }

  /** Under a number that was reserved for it at ingest, and answers the reference. Throws `ObjectNumberUnavailable`. */
  createAt(number: number, value: PDFObject): PDFObject {
    this.#touched.claim(number)
    const reference = this.pdf.newIndirect(number)
    reference.writeObject(value)
    return reference
  }

  /** It was made by this change. */
  isNew(number: number): boolean {
    return this.#touched.isNew(number)
  }

  /** Nothing refers to them any more: they are left out of files that are sent, until `show`. */
  hide(...references: readonly PDFObject[]): void {
    this.#setHidden(references, true)
  }

  show(...references: readonly PDFObject[]): void {
    this.#setHidden(references, false)
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

  /**
   * What the ops took out must not be in the file any more: the layer gets a base of its own, written anew. `prove` looks
   * at the file that was written and throws where something is in it still; then nothing is changed.
   */
  rewrite(prove: (written: OpenDocument) => void): void {
    this.endUndo()
    this.#needsRewrite = true
    this.#proofs.push(prove)
  }

  /** Existing annotations that are not what or where they were. */
  get touchedAnnotations(): readonly TouchedAnnotation[] {
    return this.#touchedAnnotations.list()
  }

  get proofs(): readonly ((written: OpenDocument) => void)[] {
    return this.#proofs
  }

  /** The engine reads some things only when it opens a file (layers of optional content): this copy is not kept. */
  reopen(): void {
    this.#needsReopening = true
  }

  get needsReopening(): boolean {
    return this.#needsReopening
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

  /** Every object that is not what it was, by number. Throws `LayerFull` when there is no number left for one. */
  images(): readonly ObjectImage[] {
    for (const finish of this.#atEnd.splice(0)) finish()
    if (this.nextObject > limits.objectNumberMax) throw layerFull()
    return this.#touched.images()
  }

  #setHidden(references: readonly PDFObject[], isHidden: boolean): void {
    for (const reference of references) {
      const number = objectNumberOf(reference)
      // What stands inline goes with what it stands in.
      if (number === undefined) continue
      this.#touchedAnnotations.touch(reference)
      this.#touched.setHidden(number, isHidden)
    }
  }
}

function numberOfIndirect(reference: PDFObject): number {
  const number = objectNumberOf(reference)
  if (number === undefined) throw new Error('Only an indirect object can be touched')
  return number
}

/** Refusal of a change to a layer whose file must be rewritten first. */
export const repairWanted = (): JobRefusal => new JobRefusal('RepairWanted', 'The document needs a repair')

const layerFull = (): JobRefusal =>
  new JobRefusal('LayerFull', 'The document has no object numbers left', { lastObjectNumber: limits.objectNumberMax })
