// Value of a field in a file: texts, or the name of a state, which reads like a text.
export interface FileValue {
  /** Full name of the field. */
  readonly name: string
  readonly value: string | readonly string[] | boolean | null
}
