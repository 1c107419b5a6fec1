// The answer for a part of an undo that is left alone.
import { unchanged } from './form-meta.js'

/** `op`: the type the answer would have had. */
export const skipped = (op: string) => ({ type: 'skipped' as const, op, meta: unchanged() })
