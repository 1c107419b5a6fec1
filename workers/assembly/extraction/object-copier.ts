// Copies objects and all they refer to from one document into another. The engine's own copy is recursive: a chain of a
// hundred replies exceeds its depth, and it omits the rest without an error. This copy is iterative, numbers objects in
// the order it meets them, and enforces limits.
import type { PDFDocument, PDFObject } from 'mupdf'
import { JobRefusal } from '../../contract/job-refusal.js'
import { limits } from '../../limits.js'
import { isArray, isDictionary, isMissing, isStream, objectNumberOf } from '../../objects/values.js'

interface PendingCopy {
  readonly source: PDFObject
  readonly target: PDFObject
}

export class ObjectCopier {
  readonly #target: PDFDocument
  /** References in the target by object number in the source. */
  readonly #known = new Map<number, PDFObject>()
  /** Objects to copy, in the order of their numbers in the target; those before index `#next` are complete. */
  readonly #pending: PendingCopy[] = []
  #next = 0
  #entries = 0
  #bytes = 0

  constructor(
    target: PDFDocument,
    /** Called with every new object; throws if it is one too many. */
    private readonly onObject: () => void = () => {},
  ) {
    this.#target = target
  }

  /**
   * Copies indirect objects as indirect objects and all other values inline. Returns undefined for a value that cannot
   * be copied.
   */
  copy(value: PDFObject): PDFObject | undefined {
    const copied = this.#valueOf(value, 0)
    for (let pending = this.#pending[this.#next]; pending !== undefined; pending = this.#pending[++this.#next])
      this.#fill(pending)
    return copied
  }

  /** Assigns the object's number before those of the objects it refers to. */
  reserve(reference: PDFObject): PDFObject | undefined {
    return this.#referenceTo(reference)
  }

  #fill({ source, target }: PendingCopy): void {
    const value = this.#contentOf(source, 0)
    if (value !== undefined) target.writeObject(value)
    if (!isStream(source)) return
    const bytes = source.readRawStream()
    try {
      this.#bytes = checkLimit('copiedBytesMax', this.#bytes + bytes.length)
      target.writeRawStream(bytes)
    } finally {
      bytes.destroy()
    }
  }

  #valueOf(value: PDFObject, depth: number): PDFObject | undefined {
    return objectNumberOf(value) === undefined ? this.#contentOf(value, depth) : this.#referenceTo(value)
  }

  /** Treats a reference to a missing object as null (ISO 32000-2, 7.3.10). */
  #referenceTo(source: PDFObject): PDFObject | undefined {
    const number = objectNumberOf(source)
    if (number === undefined || isMissing(source)) return undefined
    const known = this.#known.get(number)
    if (known !== undefined) return known
    checkLimit('copiedObjectsMax', this.#known.size + 1)
    const target = this.#target.createObject()
    this.onObject()
    this.#known.set(number, target)
    this.#pending.push({ source, target })
    return target
  }

  /** Copies one level. Numbers, names and strings belong to no document, and the engine shares them. */
  #contentOf(value: PDFObject, depth: number): PDFObject | undefined {
    if (isMissing(value)) return undefined
    const isList = isArray(value)
    if (!isList && !isDictionary(value)) return value.resolve()
    if (depth > limits.depthMax) return undefined
    const copy = isList ? this.#target.newArray() : this.#target.newDictionary()
    value.forEach((member, key) => {
      this.#entries = checkLimit('copiedEntriesMax', this.#entries + 1)
      const copied = this.#valueOf(member, depth + 1)
      // Positions in an array are significant, so null takes the place of a value that cannot be copied.
      if (isList) copy.push(copied ?? this.#target.newNull())
      else if (copied !== undefined) copy.put(key, copied)
    })
    return copy
  }
}

function checkLimit(limit: 'copiedObjectsMax' | 'copiedEntriesMax' | 'copiedBytesMax', value: number): number {
  const max = limits[limit]
  if (value <= max) return value
  throw new JobRefusal('PayloadTooLarge', 'The pages refer to more objects than can be copied', { limit, max, value })
}
