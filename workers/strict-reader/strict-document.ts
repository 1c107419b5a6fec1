// Interface of a strictly read file: its revisions, and every object as one revision defines it. Nothing is repaired:
// bytes that are malformed or ambiguous are a `NotStrict` error.
import type { ReferenceGraph } from './references/reference-graph.js'
import type { StrictDictionary, StrictReference, StrictStream, StrictValue } from './values.js'

/** Error of a file that violates ISO 32000-2, 7.5, or that readers understand in different ways. */
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

/** A file as one of its revisions left it. All reads throw `NotStrict`. */
export interface StrictRevision {
  readonly index: number
  /** End of the revision, which begins at 0 and ends with `%%EOF` and its end-of-line, if there is one. */
  readonly end: number
  /** Offset of its newest cross-reference section. */
  readonly xrefOffset: number
  readonly trailer: StrictDictionary
  /** Bytes of its cross-reference sections. */
  readonly structure: readonly { readonly offset: number; readonly end: number }[]
  /** Numbers that this revision's own sections list, because it defines, redefines or frees them. */
  readonly listed: ReadonlySet<number>
  /** Returns the generation of the object under this number; undefined if the number is free or unknown. */
  generationOf(number: number): number | undefined
  /** True if the other revision has the same object at the same place, or if neither has one. */
  sharesEntry(number: number, other: StrictRevision): boolean
  /** Returns the object under a number; null if it is free, unknown or of another generation. */
  object(reference: Pick<StrictReference, 'number' | 'generation'>): StrictValue
  /** Follows references until a value is none. Refuses circles. */
  resolve(value: StrictValue | undefined): StrictValue
  /** Returns the place of the object's bytes: an offset in the file, or the object stream that contains it. */
  placeOf(number: number): StrictPlace | undefined
  /** Returns the references of all objects of the file, those of other revisions included. Reads every object once. */
  references(): ReferenceGraph
}

export type StrictPlace =
  | { readonly kind: 'file'; readonly offset: number; readonly end: number }
  | { readonly kind: 'object-stream'; readonly stream: number; readonly index: number }

export interface StrictDocument {
  readonly sizeBytes: number
  /** Revisions, oldest first; the last one ends with the file. */
  readonly revisions: readonly StrictRevision[]
  readonly isEncrypted: boolean
  /** Returns the stream's bytes decrypted, with its filters not decoded. */
  rawBytes(stream: StrictStream): Uint8Array
  /** Returns the stream's bytes decrypted and decoded; refuses more than the limit, and unsupported filters. */
  decodedBytes(stream: StrictStream): Uint8Array
  /** Returns bytes of the file as they are. */
  bytes(offset: number, length: number): Uint8Array
}

/** A document that keeps its file open until it is closed. */
export interface OpenStrictDocument extends StrictDocument {
  close(): void
}
