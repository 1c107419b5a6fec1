// The words both sides of the thread border speak. A task carries paths and small values, never PDF bytes and never
// keys of the store; pictures and new PDFs come back as transferred buffers or as files in a workshop folder.

/** A file to read, and the name its open copy is remembered by. */
export interface PdfSource {
  /** Internal id of the document: chooses the home worker. */
  readonly document: string
  /** (version or layer, token of its last committed change): a hot copy is used only under the very same key. */
  readonly key: string
  readonly path: string
  readonly sizeBytes: number
  /** UTF-8 bytes; never written down, never in an error. */
  readonly password?: Uint8Array
}

/** Why a job says no. The server answers these; everything else that a job throws is a failure of the engine. */
export const refusalCodes = [
  'InvalidArg',
  'NotFound',
  'DocPasswordRequired',
  'DocPasswordIncorrect',
  'DocOpenFailed',
  'MalformedPdf',
  'PayloadTooLarge',
] as const
export type JobRefusalCode = (typeof refusalCodes)[number]

/** Thrown by jobs; crosses the border as plain data and is thrown again by the pool. */
export class JobRefusal extends Error {
  constructor(
    readonly code: JobRefusalCode,
    message: string,
    readonly details?: Readonly<Record<string, unknown>>,
  ) {
    super(message)
    this.name = 'JobRefusal'
  }
}

export type PoolFailureCode = 'overloaded' | 'timed-out' | 'quarantined' | 'worker-lost' | 'closed'

/** The pool could not get the work done; nothing was changed, and asking again later may succeed. */
export class PoolFailure extends Error {
  constructor(
    readonly code: PoolFailureCode,
    message: string,
    /** Whole seconds. */
    readonly retryAfterSeconds: number,
  ) {
    super(message)
    this.name = 'PoolFailure'
  }
}
