// Every refusal the wire contract knows, with its status: one table, thrown as `Refusal`, put into the envelope of its
// plane by `envelope.ts`. The message is for people and never holds secrets, paths or other tenants' names.

export const statusOf = {
  InvalidArg: 400,
  Conflict: 400,
  UploadMismatch: 400,
  Unauthenticated: 401,
  Forbidden: 403,
  OriginRequired: 403,
  OriginNotAllowed: 403,
  ImportRefused: 403,
  ProtectedDocument: 403,
  NotFound: 404,
  DocNotOpen: 404,
  ThumbnailUnavailable: 404,
  NotAwaitingUpload: 409,
  LayerVersionConflict: 409,
  StaleBase: 409,
  IdempotencyKeyReused: 409,
  UndoUnavailable: 409,
  ChangeConflict: 409,
  ObjectNumberUnavailable: 409,
  LayerFull: 409,
  ShareExpired: 410,
  PayloadTooLarge: 413,
  RangeNotSatisfiable: 416,
  DocPasswordRequired: 422,
  DocPasswordIncorrect: 422,
  SharePasswordRequired: 422,
  DocOpenFailed: 422,
  MalformedPdf: 422,
  TooManyRequests: 429,
  Aborted: 499,
  Unknown: 500,
  NotImplemented: 501,
  UpstreamFailed: 502,
  RuntimeUnavailable: 503,
} as const

export type RefusalCode = keyof typeof statusOf

export interface RefusalExtras {
  readonly details?: Readonly<Record<string, unknown>>
  /** Whole seconds; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
  /** Further headers the status calls for. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** A request that is answered with an error on purpose. Anything else that is thrown is a bug and answers `Unknown`. */
export class Refusal extends Error {
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly retryAfterSeconds: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    readonly code: RefusalCode,
    message: string,
    { details, retryAfterSeconds, headers = {}, cause }: RefusalExtras = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'Refusal'
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
    this.headers = headers
  }

  get status(): number {
    return statusOf[this.code]
  }
}

export const invalidArg = (message: string, details?: Readonly<Record<string, unknown>>) =>
  new Refusal('InvalidArg', message, details ? { details } : {})

export const notFound = (what: string) => new Refusal('NotFound', `There is no such ${what}`)

/** Says what the credential lacks, which whoever holds it may know; never whether there is what it was asked for. */
export const forbidden = (why: string, details?: Readonly<Record<string, unknown>>) =>
  new Refusal('Forbidden', `This credential does not allow the request: ${why}`, details ? { details } : {})
