// Interface of a cross-reference section: a table, a stream, or both (a hybrid). Entries are read on demand.
import type { StrictDictionary } from '../values.js'
import type { NumberRange } from './ranges.js'

export type Entry =
  | { readonly kind: 'free' }
  | { readonly kind: 'file'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'object-stream'; readonly stream: number; readonly index: number }

export interface Section {
  /** Offset of the first byte; `end` is the offset after the last one. */
  readonly offset: number
  readonly end: number
  readonly trailer: StrictDictionary
  /** Ranges, ordered by their first numbers. */
  readonly ranges: readonly NumberRange[]
  /** Cross-reference stream that a hybrid names (`/XRefStm`). */
  readonly hidden?: Section
  /** Undefined for a number that is not listed. */
  entry(number: number): Entry | undefined
}

export const free: Entry = { kind: 'free' }

/** Returns the ranges of a section and of its hidden stream. */
export const rangesOf = ({ ranges, hidden }: Section): readonly NumberRange[] => [...ranges, ...(hidden?.ranges ?? [])]
