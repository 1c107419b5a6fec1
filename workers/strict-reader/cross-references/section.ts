// Interface of a cross-reference section: a table, a stream, or both (a hybrid). Entries are read on demand.
import type { StrictDictionary } from '../values.js'
import type { NumberRange } from './ranges.js'

export type Entry =
  | { readonly kind: 'free' }
  | { readonly kind: 'file'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'object-stream'; readonly stream: number; readonly index: number }

export interface ByteSpan {
  /** Offset of the first byte; `end` is the offset after the last one. */
  readonly offset: number
  readonly end: number
}

export interface Section extends ByteSpan {
  readonly trailer: StrictDictionary
  /** Bytes of a section that this one continues, and that end before it begins. */
  readonly continued?: readonly ByteSpan[]
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

/** Returns the bytes of a section, of its hidden stream, and of the section that it continues. */
export const spansOf = (section: Section): readonly ByteSpan[] => [
  section,
  ...(section.hidden === undefined ? [] : [section.hidden]),
  ...(section.continued ?? []),
]
