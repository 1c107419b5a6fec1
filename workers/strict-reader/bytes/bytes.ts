// Interface of the bytes that a scanner reads: those of a file, or of a decoded object stream.

export interface Bytes {
  readonly sizeBytes: number
  /** Returns the byte at the offset; -1 outside the range. */
  byte(offset: number): number
  /** Throws `NotStrict` unless the whole range is inside. */
  slice(offset: number, length: number): Uint8Array
}
