// What is known of a field on the way down the field tree.
import type { StrictValue } from '../../../strict-reader/values.js'

/** What a field inherits, and what is known of it. */
export interface FieldFacts {
  /** Full name; empty above the first level. */
  readonly name: string
  readonly type: string | undefined
  readonly flags: number
  readonly value: StrictValue | undefined
  readonly options: StrictValue | undefined
  readonly isValueChanged: boolean
  /** A signature was made in the field, by a rule. */
  readonly isSigned: boolean
  /** Widgets of the field. */
  readonly widgetCount: number
  /** A script formats the value, so that the appearance shows another text. */
  readonly isFormatted: boolean
  /** Appearances were to be drawn by the reader (`/NeedAppearances`). */
  readonly regenerates: boolean
  readonly isLocked: boolean
  readonly depth: number
}

export const topField = (regenerates: boolean): FieldFacts => ({
  name: '',
  type: undefined,
  flags: 0,
  value: undefined,
  options: undefined,
  isValueChanged: false,
  isSigned: false,
  widgetCount: 0,
  isFormatted: false,
  regenerates,
  isLocked: false,
  depth: 0,
})
