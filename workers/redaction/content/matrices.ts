// Multiplies and inverts matrices from content, which may be invalid.
import type { Matrix } from 'mupdf'
import { mupdf } from '../../engine/library.js'

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** Returns the product that `cm` computes: the new matrix is applied first. An invalid one counts as the identity. */
export function before(numbers: readonly number[], ctm: Matrix): Matrix {
  const [a, b, c, d, e, f] = numbers
  if (a === undefined || b === undefined || c === undefined || d === undefined) return ctm
  if (e === undefined || f === undefined || !numbers.every(Number.isFinite)) return ctm
  return mupdf.Matrix.concat([a, b, c, d, e, f], ctm)
}

/** Returns the inverse; undefined for a singular matrix, which maps everything to a line or a point. */
export function inverse(ctm: Matrix): Matrix | undefined {
  const [a, b, c, d] = ctm
  const back = mupdf.Matrix.invert(ctm)
  return a * d - b * c !== 0 && back.every(Number.isFinite) ? back : undefined
}
