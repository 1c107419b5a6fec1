// Classes of failed calls, on which the engine acts. Providers translate their errors into these.
import { recogniseEverywhere } from '../brand.js'
import type { HttpResponse, NetworkObstacle } from '../ports/http.js'
import { isObject } from '../value/tree.js'

/**
 * Class of a failure. `retry`: try again later. `gone`: no such object. `nameTaken`: another object has the name or
 * key. `stale`: the object changed since it was read. `inUse`: something else still needs it. `denied`: credentials or
 * permissions. `invalid`: the request itself is wrong. `unexpected`: another program answered, or the answer violates
 * the API. The class that `classify` returns is final, except for redirects, HTML pages and `x-should-retry`.
 */
export type FailureClass = 'retry' | 'gone' | 'nameTaken' | 'stale' | 'inUse' | 'denied' | 'invalid' | 'unexpected'

/**
 * What stands between this program and the API, or is wrong with the API itself, where that is known. It decides what
 * people are told; the engine acts on the class.
 */
export type Obstacle = NetworkObstacle | 'tooLarge' | 'blocked' | 'endlessList'

export interface FailedResponse {
  readonly method: string
  readonly path: string
  readonly status: number
  /** Parsed JSON, or the text if it is not JSON. */
  readonly body: unknown
  readonly headers: HttpResponse['headers']
}

export interface Classification {
  readonly class: FailureClass
  /** The provider's own code (`conflict_error`). */
  readonly code?: string
  readonly message?: string
}

export type Classify = (response: FailedResponse) => Classification

export class ApiFailure extends Error {
  static {
    recogniseEverywhere(ApiFailure, 'ApiFailure')
  }

  readonly class: FailureClass
  readonly obstacle: Obstacle | undefined
  /** HTTP status; 0 when no answer arrived. */
  readonly status: number
  readonly code: string | undefined
  readonly requestId: string | undefined
  /** Method and path, `POST /agents`. */
  readonly operation: string
  /** True if the request may have taken effect although it failed: there was no answer, or a server error. */
  readonly isAmbiguous: boolean
  readonly retryAfterMs: number | undefined

  constructor(facts: {
    readonly class: FailureClass
    readonly obstacle?: Obstacle | undefined
    readonly status: number
    readonly message: string
    readonly operation: string
    readonly isAmbiguous: boolean
    readonly code?: string | undefined
    readonly requestId?: string | undefined
    readonly retryAfterMs?: number | undefined
    readonly cause?: unknown
  }) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = 'ApiFailure'
    this.class = facts.class
    this.obstacle = facts.obstacle
    this.status = facts.status
    this.code = facts.code
    this.requestId = facts.requestId
    this.operation = facts.operation
    this.isAmbiguous = facts.isAmbiguous
    this.retryAfterMs = facts.retryAfterMs
  }
}

export function isFailure(error: unknown, ...classes: readonly FailureClass[]): error is ApiFailure {
  return error instanceof ApiFailure && (classes.length === 0 || classes.includes(error.class))
}

/**
 * Returns the class by the status, for errors that contain no more. With the body of the answer, 404 and 410 are `gone`
 * only if it is an error of the API, and `unexpected` otherwise: a gateway without such a route answers 404, too.
 */
export function classifyByStatus(status: number, ...answer: [body?: unknown]): FailureClass {
  if (status === 404 || status === 410) return answer.length > 0 && !isErrorOfApi(answer[0]) ? 'unexpected' : 'gone'
  if (status === 401 || status === 402 || status === 403) return 'denied'
  if (status === 409 || status === 412) return 'stale'
  if (status === 408 || status === 429 || status >= 500) return 'retry'
  return 'invalid'
}

/**
 * Returns whether an error comes from an API that knows the requested path: it is an error object, or a code with its
 * message. HTML pages, gateways (`{"message":"no Route matched"}`) and frameworks (`{"status":404,"error":"Not Found"}`)
 * have other bodies.
 */
function isErrorOfApi(body: unknown): boolean {
  if (!isObject(body)) return false
  const { error, code, message } = body
  return isObject(error) ? Object.values(error).some(isWord) : isWord(code) && isWord(message)
}

const isWord = (value: unknown): boolean => typeof value === 'string' && /\p{L}/u.test(value)

/**
 * The object cannot exist yet, although nothing is wrong. The change ends as waiting, and the next apply tries again.
 */
export class NotYet extends Error {
  static {
    recogniseEverywhere(NotYet, 'NotYet')
  }

  constructor(
    /** Text for people that names what has to happen first. */
    message: string,
    /** Facts that a removal needs once the object exists; stored in the row, for `preflight`. */
    readonly facts?: Readonly<Record<string, string>>,
  ) {
    super(message)
    this.name = 'NotYet'
  }
}
