// Counts the objects that an object refers to. The engine copies by recursion, and too deep a recursion traps the
// whole thread; so the same walk is done here first, with limits.
import type { PDFObject } from 'mupdf'
import { JobRefusal } from '../../contract/job-refusal.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { elementsOf, entriesOf, entry, isArray, isStream, notNegativeOf, objectNumberOf } from '../../objects/values.js'

/**
 * Counter that refuses more objects, or a deeper nesting, than the drawing of any annotation has. Every object counts
 * once.
 */
export class CopyLimits {
  readonly #seen = new Set<number>()
  #objects = 0
  #entries = 0
  #bytes = 0

  /** Counts the object and all that it refers to, and calls `visit` for each. Throws `PayloadTooLarge`. */
  checkCopy(root: PDFObject, visit: (object: PDFObject) => void = () => {}): void {
    const waiting: { readonly object: PDFObject; readonly depth: number }[] = [{ object: root, depth: 0 }]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { object, depth } = next
      const number = objectNumberOf(object)
      if (number !== undefined && this.#seen.has(number)) continue
      if (number !== undefined) this.#seen.add(number)
      this.#objects = checkLimit('graftObjectsMax', this.#objects + 1)
      checkLimit('graftDepthMax', depth)
      visit(object)
      if (isStream(object)) this.#countBytes(object)
      // The first kid is visited first, as in the engine, because the depth depends on the order.
      for (const kid of this.#kidsOf(object).reverse()) waiting.push({ object: kid, depth: depth + 1 })
    }
  }

  /**
   * Returns the kids of an object. Every entry counts, also references to visited objects, because inspecting them
   * costs as much.
   */
  #kidsOf(object: PDFObject): PDFObject[] {
    const max = readingLimits.graftEntriesMax + 1
    const entries = isArray(object) ? [...elementsOf(object, max)] : entriesOf(object, max).map(([, value]) => value)
    this.#entries = checkLimit('graftEntriesMax', this.#entries + entries.length)
    return entries.filter(isContainer)
  }

  #countBytes(stream: PDFObject): void {
    const length = notNegativeOf(entry(stream, 'Length')) ?? 0
    this.#bytes = checkLimit('graftBytesMax', this.#bytes + length)
  }
}

const isContainer = (object: PDFObject): boolean => object.isIndirect() || object.isArray() || object.isDictionary()

type CopyLimit = 'graftObjectsMax' | 'graftEntriesMax' | 'graftDepthMax' | 'graftBytesMax'

function checkLimit(limit: CopyLimit, value: number): number {
  const max = readingLimits[limit]
  if (value <= max) return value
  throw new JobRefusal('PayloadTooLarge', 'The appearance refers to too much of the document to be copied', {
    limit,
    max,
    value,
  })
}
