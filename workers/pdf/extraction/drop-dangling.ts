// Takes references out that lead behind the last object of a file: readers take them for null (ISO 32000-2, 7.3.10), but
// the engine refuses to copy what holds them.
import type { PDFDocument, PDFObject } from 'mupdf'
import { limits } from '../../limits.js'
import { isArray, isDictionary } from '../values.js'

/** Everything that can be reached from the roots, within bounds. */
export function dropDangling(pdf: PDFDocument, roots: readonly PDFObject[]): void {
  const end = pdf.countObjects()
  const seen = new Set<number>()
  const waiting = [...roots]
  for (let visited = 0; visited < limits.extractObjectsMax; visited++) {
    const holder = waiting.pop()
    if (holder === undefined) return
    if (!isDictionary(holder) && !isArray(holder)) continue
    const dangling: (number | string)[] = []
    holder.forEach((value, key) => {
      const number = value.isIndirect() ? value.asIndirect() : 0
      if (number >= end) dangling.push(key)
      else if (!seen.has(number)) waiting.push(value)
      if (number > 0) seen.add(number)
    })
    for (const key of dangling) holder.put(key, null)
  }
}
