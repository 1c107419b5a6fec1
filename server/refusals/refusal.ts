// Refusals: thrown with a code of `refusal-codes.ts` and sent in the envelope of their API plane by `envelope.ts`. The
// message is for people and never contains secrets, paths or names of other tenants.
import { type RefusalCode, refusalCodes } from './refusal-codes.js'

export type { RefusalCode }

export const statusOf: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(refusalCodes).map(([code, { status }]) => [code, status]),
)

export interface RefusalExtras {
  /** Status that is more specific than that of the code, because clients know a closed list of codes. */
  readonly status?: 405 | 415 | 417 | 431
  readonly details?: Readonly<Record<string, unknown>>
  /** Delay in whole seconds, sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
  /** Further headers that the status requires. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** An intended error response. Any other thrown value is a bug and results in `Unknown`. */
export class Refusal extends Error {
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    readonly code: RefusalCode,
    message: string,
    { details, status, retryAfterSeconds, headers = {}, cause }: RefusalExtras = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'Refusal'
    this.details = details
    this.status = status ?? refusalCodes[code].status
    this.retryAfterSeconds = retryAfterSeconds
    this.headers = headers
  }
}

export const invalidArg = (message: string, details?: Readonly<Record<string, unknown>>) =>
  new Refusal('InvalidArg', message, details ? { details } : {})

export const notFound = (what: string) => new Refusal('NotFound', `There is no such ${what}`)

/** True if background work failed because its document or tenant is being deleted or gone. */
export const isGone = (error: unknown): boolean => error instanceof Refusal && error.code === 'NotFound'

/** Reports what the credential lacks, but not whether the requested resource exists. */
export const forbidden = (why: string, details?: Readonly<Record<string, unknown>>) =>
  new Refusal('Forbidden', `This credential does not allow the request: ${why}`, details ? { details } : {})
