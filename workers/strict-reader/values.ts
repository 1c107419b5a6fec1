// Types of the values of PDF objects as the strict reader returns them: exactly as written, without repair. References
// stay references until they are resolved in a revision.

/** Name with decoded `#xx` escapes; each character is one byte. */
export interface StrictName {
  readonly kind: 'name'
  readonly name: string
}

/** String decoded from its escapes or hexadecimal digits, and decrypted. */
export interface StrictString {
  readonly kind: 'string'
  readonly bytes: Uint8Array
}

export interface StrictArray {
  readonly kind: 'array'
  readonly items: readonly StrictValue[]
}

/**
 * Dictionary with entries in the order of the file, and keys decoded like `StrictName`. One with a repeated key is
 * refused.
 */
export interface StrictDictionary {
  readonly kind: 'dictionary'
  readonly entries: ReadonlyMap<string, StrictValue>
}

export interface StrictReference {
  readonly kind: 'reference'
  readonly number: number
  readonly generation: number
}

export interface StrictStream {
  readonly kind: 'stream'
  readonly dictionary: StrictDictionary
  /** Offset of the data in the file, where they are filtered, and encrypted if the file is. */
  readonly offset: number
  readonly length: number
}

export type StrictValue =
  | null
  | boolean
  | number
  | StrictName
  | StrictString
  | StrictArray
  | StrictDictionary
  | StrictReference
  | StrictStream
