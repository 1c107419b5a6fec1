// What the strict reader knows about a file: its revisions, and every object as one revision defines it. Nothing is
// repaired: whatever the bytes do not say unambiguously is a `NotStrict` error.
import type { ReferenceGraph } from './references/reference-graph.js'
import type { StrictDictionary, StrictReference, StrictStream, StrictValue } from './values.js'

/** The file is not what ISO 32000-2, 7.5 asks for; what it contains is uncertain. */
export class NotStrict extends Error {
  constructor(
    message: string,
    /** Offset in the file that the message is about. */
    readonly offset?: number,
  ) {
    super(message)
    this.name = 'NotStrict'
  }
}

/** The file as one of its revisions left it. All reads throw `NotStrict`. */
export interface StrictRevision {
  readonly index: number
  /** The revision is the bytes from 0 to here: behind the end-of-line of its `%%EOF`, if there is one. */
  readonly end: number
  /** Offset of its newest cross-reference section. */
  readonly xrefOffset: number
  readonly trailer: StrictDictionary
  /** Numbers that this revision's own sections list: defined, defined again or freed. */
  readonly listed: ReadonlySet<number>
  /** Number and generation of the object in use under this number; undefined if it is free or unknown. */
  generationOf(number: number): number | undefined
  /** Whether the other revision has the same object at the same place, or also none. */
  sharesEntry(number: number, other: StrictRevision): boolean
  /** Returns the object under a number; null if it is free, unknown or of another generation. */
  object(reference: Pick<StrictReference, 'number' | 'generation'>): StrictValue
  /** Follows references until another value; a circle is refused. */
  resolve(value: StrictValue | undefined): StrictValue
  /** Where the object's bytes are: an offset of the file, or the object stream that contains it. */
  placeOf(number: number): StrictPlace | undefined
  /** Reads every object once; the result is remembered. */
  references(): ReferenceGraph
}

export type StrictPlace =
  | { readonly kind: 'file'; readonly offset: number; readonly end: number }
  | { readonly kind: 'object-stream'; readonly stream: number; readonly index: number }

export interface StrictDocument {
  readonly sizeBytes: number
  /** Oldest first; the last one ends with the file. */
  readonly revisions: readonly StrictRevision[]
  readonly isEncrypted: boolean
  /** Bytes of the file, decrypted if it is encrypted, without decoding filters. */
  rawBytes(stream: StrictStream): Uint8Array
  /** Bytes of the stream, decrypted and with all filters decoded; refuses more than the limit, and unknown filters. */
  decodedBytes(stream: StrictStream): Uint8Array
  /** Bytes of the file as they are. */
  bytes(offset: number, length: number): Uint8Array
  close(): void
}
