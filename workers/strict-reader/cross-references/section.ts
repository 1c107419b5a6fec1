// One cross-reference section: a table, a stream, or both (a hybrid). Entries are read when they are asked for.
import type { StrictDictionary } from '../values.js'
import type { NumberRange } from './ranges.js'

export type Entry =
  | { readonly kind: 'free' }
  | { readonly kind: 'file'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'object-stream'; readonly stream: number; readonly index: number }

export interface Section {
  /** Where it begins, and the offset behind it. */
  readonly offset: number
  readonly end: number
  readonly trailer: StrictDictionary
  /** Ordered by their first numbers. */
  readonly ranges: readonly NumberRange[]
  /** Of another section that belongs to this one (`/XRefStm`). */
  readonly furtherRanges: readonly NumberRange[]
  /** Undefined for a number that is not listed. */
  entry(number: number): Entry | undefined
}

export const free: Entry = { kind: 'free' }
