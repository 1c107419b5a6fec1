// The change that is being applied: all ops alter the document through it. It records the state of each object before
// the first edit, assigns object numbers, and collects effects and undo steps.
import type { PDFDocument, PDFObject } from 'mupdf'
import { JobRefusal } from '../contract/job-refusal.js'
import type { OpenDocument } from '../document/open-document.js'
import { Reading } from '../document/reading.js'
import { baseEntriesOf } from '../file/section/base-entries.js'
import type { InlineAnnotation } from '../messages/task.js'
import type { ObjectImage } from '../objects/object-image.js'
import { entry, isDictionary, objectNumberOf } from '../objects/values.js'
import { ChangeCache } from './change-cache.js'
import type { ChangeSurroundings } from './change-surroundings.js'
import { Effects } from './effects.js'
import { MarkBudget } from './mark-budget.js'
import { Protection } from './protection.js'
import { refuseFull } from './refuse-full.js'
import type { SignedBase } from './signed-base.js'
import { KnownStandings } from './standing.js'
import { type TouchedAnnotation, TouchedAnnotations } from './touched-annotations.js'
import { type ObjectTracker, TouchedObjects } from './touched-objects.js'
import { UndoData } from './undo-data.js'
import type { Resource, Stamp, UndoStep } from './unfinished-item.js'

export class Change {
  readonly effects = new Effects()
  readonly cache = new ChangeCache<Change>(this)
  readonly undoData = new UndoData(this)
  readonly markBudget = new MarkBudget()
  readonly protection: Protection
  /** Rights of the caller over annotations, for ops that find annotations by themselves, such as an import. */
  readonly standings: KnownStandings
  readonly #touched: ObjectTracker
  readonly #touchedAnnotations: TouchedAnnotations
  /** Reserved numbers under which this change created objects. */
  readonly #named = new Set<number>()
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
    /** Default: a tracker for changes that are stored as an overlay of the file. */
    tracker?: ObjectTracker,
  ) {
    const { pdf } = document
    // A document that the engine repaired in memory differs from the file that the edits would be laid over.
    if (tracker === undefined && (pdf.wasRepaired() || document.hasLeadingJunk)) throw repairWanted()
    document.isAltered = true
    refuseFull(surroundings.nextObject, surroundings)
    // Numbers that other layers use are skipped. Skipping costs nothing, because these objects are never written.
    while (pdf.countObjects() < surroundings.nextObject) pdf.createObject()
    this.protection = new Protection(surroundings.protection ?? null)
    this.standings = new KnownStandings(surroundings.standings, (number) => this.isNew(number))
    this.#touched = tracker ?? new TouchedObjects(document)
    this.#touchedAnnotations = new TouchedAnnotations(document, (number) => this.isNew(number))
  }

  get pdf(): PDFDocument {
    return this.document.pdf
  }

  get stamp(): Stamp {
    return this.surroundings.stamp
  }

  get signedBase(): SignedBase | undefined {
    return this.surroundings.signedBase
  }

  /** True for an object that a signature may cover, which is left as it is where another one can take its place. */
  isSigned(object: PDFObject): boolean {
    return this.protection.isSigned && baseEntriesOf(this.document).has(objectNumberOf(object) ?? 0)
  }

  get documentId(): string | undefined {
    return this.surroundings.documentId
  }

  /** Annotations that the uploaded file stores inline, with the numbers they get when they are first changed. */
  get inline(): readonly InlineAnnotation[] {
    return this.surroundings.inline
  }

  /** Records that an inline annotation has become an indirect object; its name in answers remains `base:N`. */
  promote(annotation: InlineAnnotation): void {
    this.#promoted.push(annotation)
    this.#touchedAnnotations.promote(annotation.objectNumber)
    this.standings.promote(annotation.objectNumber)
    this.protection.promote(this.pdf.newIndirect(annotation.objectNumber))
    this.document.promote(annotation)
    this.cache.evict('annotations', annotation.page)
    this.cache.evict('form')
  }

  /** Inline annotations that this change turned into indirect objects. */
  get promoted(): readonly InlineAnnotation[] {
    return this.#promoted
  }

  /** Begins an op or undo step of this type. */
  begin(type: string): void {
    this.#touchedAnnotations.begin(type)
  }

  /** Returns a new reading of the document's current state; callers request another one after further edits. */
  reading(): Reading {
    return new Reading(this.document, this.surroundings.itemsMax)
  }

  /** Registers a function that is called once all ops are applied. */
  runAtEnd(finish: () => void): void {
    this.#atEnd.push(finish)
  }

  /** Returns a file that was sent with the request. Throws `InvalidArg`. */
  resource(key: string | undefined, role: string): Resource {
    const { resources } = this.surroundings
    // Inherited members such as `constructor` are not files.
    const found = key !== undefined && Object.hasOwn(resources, key) ? resources[key] : undefined
    if (found === undefined) {
      throw new JobRefusal('InvalidArg', `The ${role} needs a file: a part named resource:${key ?? '<key>'}`, { role })
    }
    return found
  }

  /**
   * Records an indirect object, and returns it. It must be called before the object is altered in any way, by our code
   * or by the engine. An inline object is part of the indirect object that contains it: touch that one.
   */
  touch(reference: PDFObject): PDFObject {
    this.protection.touch(reference)
    this.#touched.touch(numberOfIndirect(reference))
    this.#touchedAnnotations.touch(reference)
    return reference
  }

  /** Records that an annotation gets another member of its group, which changes it though nothing of it is written. */
  joinGroupOf(annotation: PDFObject): void {
    this.#touchedAnnotations.join(annotation)
  }

  /** Returns the information dictionary, touched, and creates it if it is missing. */
  touchInfo(): PDFObject {
    this.#touched.touchTrailer()
    const info = entry(this.document.trailer, 'Info')
    if (isDictionary(info)) return objectNumberOf(info) === undefined ? info : this.touch(info)
    const made = this.create(this.pdf.newDictionary())
    // The trailer is requested again, because with its first new object the engine begins a section with a trailer of
    // its own.
    this.document.trailer.put('Info', made)
    return made
  }

  /**
   * Creates an indirect object and returns a reference to it. `number`: a number that the caller reserved; otherwise one
   * that is unused in all layers. Throws `ObjectNumberUnavailable`.
   */
  create(value: PDFObject, number?: number): PDFObject {
    if (number === undefined) return this.pdf.addObject(value)
    const made = this.createAt(number, value)
    this.#named.add(number)
    return made
  }

  /**
   * Creates an indirect object under a number that was reserved at ingest, and returns a reference to it. Throws
   * `ObjectNumberUnavailable`.
   */
  createAt(number: number, value: PDFObject): PDFObject {
    this.#touched.claim(number)
    const reference = this.pdf.newIndirect(number)
    reference.writeObject(value)
    return reference
  }

  /** True if this change created the object. */
  isNew(number: number): boolean {
    return this.#touched.isNew(number) || this.#named.has(number)
  }

  /** Marks objects that nothing refers to any more: files that are sent omit them until `show` is called. */
  hide(...references: readonly PDFObject[]): void {
    this.#setHidden(references, true)
  }

  show(...references: readonly PDFObject[]): void {
    this.#setHidden(references, false)
  }

  /** Adds an undo step of the current op; steps run in reverse order. */
  undoBy(step: UndoStep): void {
    this.#undo.push(step)
  }

  get undoSteps(): readonly UndoStep[] {
    return this.#undo.toReversed()
  }

  /** Marks the change as one that cannot be undone (`UndoUnavailable`); earlier changes can still be undone. */
  cannotBeUndone(): void {
    this.#isUndoable = false
  }

  /**
   * Ends the undo history: neither this change nor an earlier one can be undone after a flatten, a redaction or a
   * repair.
   */
  endUndo(): void {
    this.#isUndoable = false
    this.#endsUndo = true
  }

  /**
   * Requests that the layer gets a base file of its own, written from scratch, because removed content must not remain
   * in the file. `prove` inspects the written file and throws if it still contains any; the change is then dropped.
   */
  rewrite(prove: (written: OpenDocument) => void): void {
    this.endUndo()
    this.#needsRewrite = true
    this.#proofs.push(prove)
  }

  /** Existing annotations that were changed or moved. */
  get touchedAnnotations(): readonly TouchedAnnotation[] {
    return this.#touchedAnnotations.list()
  }

  get proofs(): readonly ((written: OpenDocument) => void)[] {
    return this.#proofs
  }

  /**
   * Discards this open copy after the change: the engine reads some entries, such as layers of optional content, only
   * when it opens a file.
   */
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

  /** Throws `LayerFull` if the change has taken more object numbers than there are, or than its layer may take. */
  refuseFull(): void {
    refuseFull(this.nextObject, this.surroundings)
  }

  get nextObject(): number {
    return this.pdf.countObjects()
  }

  /** Returns images of all changed objects, by number. Throws `LayerFull` when no object number is left. */
  images(): readonly ObjectImage[] {
    for (const finish of this.#atEnd.splice(0)) finish()
    this.refuseFull()
    return this.#touched.images()
  }

  #setHidden(references: readonly PDFObject[], isHidden: boolean): void {
    for (const reference of references) {
      const number = objectNumberOf(reference)
      // Inline objects are part of the object that contains them.
      if (number === undefined) continue
      this.protection.touch(reference)
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

/** Returns the refusal of a change to a layer whose file must be rewritten first. */
export const repairWanted = (): JobRefusal => new JobRefusal('RepairWanted', 'The document needs a repair')
