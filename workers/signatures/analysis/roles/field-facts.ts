// Facts about a field that a walk down the field tree collects, including inherited ones.
import type { StrictValue } from '../../../strict-reader/values.js'

export interface FieldFacts {
  /** Full name; empty above the first level. */
  readonly name: string
  readonly type: string | undefined
  readonly flags: number
  readonly value: StrictValue | undefined
  readonly options: StrictValue | undefined
  readonly isValueChanged: boolean
  /** True if the later revision added a permitted signature to the field. */
  readonly isSigned: boolean
  readonly widgetCount: number
  /** True if a script formats the value, so that the appearance shows another text. */
  readonly isFormatted: boolean
  readonly isLocked: boolean
  readonly depth: number
}

/** Facts above the first level of the tree. */
export const topField: FieldFacts = {
  name: '',
  type: undefined,
  flags: 0,
  value: undefined,
  options: undefined,
  isValueChanged: false,
  isSigned: false,
  widgetCount: 0,
  isFormatted: false,
  isLocked: false,
  depth: 0,
}
