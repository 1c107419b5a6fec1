// The words both sides of the thread border speak. A task carries paths and small values, never PDF bytes and never
// keys of the store; pictures and new PDFs come back as transferred buffers or as files in a staging folder.

import type { Account } from './account.js'

/** A file to read, and the name its open copy is remembered by. */
export interface PdfSource {
  /** Internal id of the document: chooses the home worker. */
  readonly document: string
  /** Party that the work is charged to; none = the server itself. */
  readonly account?: Account
  /** (version or layer, token of its last committed change): a hot copy is used only under the very same key. */
  readonly key: string
  readonly path: string
  readonly sizeBytes: number
  /** UTF-8 bytes; never written down, never in an error. */
  readonly password?: Uint8Array
  /** Changes of a layer; none = the file as it is. */
  readonly overlay?: Overlay
}

/** Members that determine the content, and how to read it. */
export type OpenedFrom = Pick<PdfSource, 'path' | 'password' | 'overlay'>

/** The edits of a layer over its base file. */
export interface Overlay {
  /**
   * Left out at first: a thread with a hot copy under the source's key needs none. One without refuses with
   * `OverlayWanted`, and is asked again with them.
   */
  readonly images?: readonly StoredImage[]
  /** Numbers from here on are free in every layer of the document. */
  readonly nextObject: number
  /** Annotations that the uploaded file stores inline and this layer changed: they keep the name `base:N`. */
  readonly promoted: readonly InlineAnnotation[]
}

/** An annotation the uploaded file stores inline, and the number it has, or gets when it is first changed. */
export interface InlineAnnotation {
  readonly page: number
  /** Place in the page's `/Annots` in the uploaded file. */
  readonly baseIndex: number
  readonly objectNumber: number
}

/** A changed object of a layer; see `workers/objects/object-image.ts`. Large ones stay in their file until they are read. */
export interface StoredImage {
  readonly number: number
  readonly generation: number
  readonly isHidden: boolean
  readonly body: Uint8Array | { readonly path: string; readonly offset: number; readonly length: number }
}

export type PoolFailureCode = 'overloaded' | 'timed-out' | 'quarantined' | 'worker-lost' | 'closed'

/** The pool could not get the work done; nothing was changed, and asking again later may succeed. */
export class PoolFailure extends Error {
  constructor(
    readonly code: PoolFailureCode,
    message: string,
    /** Whole seconds. */
    readonly retryAfterSeconds: number,
    /** It timed out because others took the processor from it. */
    readonly isStarved = false,
  ) {
    super(message)
    this.name = 'PoolFailure'
  }
}
