// Value of a field in a file of values.

/** Value that is in the file and cannot be read. */
export interface UnreadableValue {
  readonly problem: string
}

export interface FileValue {
  /** Full name of the field. */
  readonly name: string
  readonly value: string | readonly string[] | boolean | null | UnreadableValue
  /** True if the value is the name of a state, as FDF distinguishes it from a text. */
  readonly isState?: boolean
  /** True if the file is XML, which cannot contain every character. */
  readonly isOfXml?: boolean
}
