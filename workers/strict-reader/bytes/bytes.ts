// Bytes that a scanner reads: of a file, or of a decoded object stream.

export interface Bytes {
  readonly sizeBytes: number
  /** Returns -1 outside. */
  byte(offset: number): number
  /** Throws `NotStrict` unless the whole range is inside. */
  slice(offset: number, length: number): Uint8Array
}
