// Types of tasks that are sent to worker threads. A task contains paths and small values, never PDF bytes or keys of
// the store; pictures and new PDFs are returned as transferred buffers or as files in the staging folder.

import type { Account } from './account.js'

/** A file to read, with the key of its open copy. */
export interface PdfSource {
  /** Internal id of the document: chooses the home worker. */
  readonly document: string
  /** Account that the work is charged to; default: the server itself. */
  readonly account?: Account
  /**
   * Key of the content: version or layer, and token of its last committed change. An open copy is used only under an
   * equal key.
   */
  readonly key: string
  readonly path: string
  readonly sizeBytes: number
  /** Password in UTF-8. It is never logged or stored, and no error contains it. */
  readonly password?: Uint8Array
  /** Changes of a layer; undefined for the unchanged file. */
  readonly overlay?: Overlay
}

/** Members that determine the content and how to read it. */
export type OpenedFrom = Pick<PdfSource, 'path' | 'password' | 'overlay'>

/** The edits of a layer over its base file. */
export interface Overlay {
  /**
   * Images of changed objects. The first request omits them, because a thread with an open copy under the source's key
   * needs none. A thread without one refuses with `OverlayWanted`, and the request is repeated with the images.
   */
  readonly images?: readonly StoredImage[]
  /** First object number that is unused in all layers of the document. */
  readonly nextObject: number
  /** Annotations that the uploaded file stores inline and this layer changed: they keep the name `base:N`. */
  readonly promoted: readonly InlineAnnotation[]
}

/** An annotation that the uploaded file stores inline, and the object number it gets when it is first changed. */
export interface InlineAnnotation {
  readonly page: number
  /** Index in the page's `/Annots` in the uploaded file. */
  readonly baseIndex: number
  readonly objectNumber: number
}

/**
 * A changed object of a layer; see `workers/objects/object-image.ts`. Large ones stay in their file until they are
 * read.
 */
export interface StoredImage {
  readonly number: number
  readonly generation: number
  readonly isHidden: boolean
  readonly body: Uint8Array | { readonly path: string; readonly offset: number; readonly length: number }
}

export type PoolFailureCode = 'overloaded' | 'timed-out' | 'quarantined' | 'worker-lost' | 'closed'

/** Error of the pool: the task was not run or not finished, nothing was changed, and a later retry may succeed. */
export class PoolFailure extends Error {
  constructor(
    readonly code: PoolFailureCode,
    message: string,
    /** Delay in whole seconds. */
    readonly retryAfterSeconds: number,
    /** True if the task timed out because other tasks took its processor time. */
    readonly isStarved = false,
  ) {
    super(message)
    this.name = 'PoolFailure'
  }
}
