// Options and limits of the JSON client, and of its requests.
import type { TSchema } from 'typebox'
import type { HttpResponse } from '../ports/http.js'
import type { Json, JsonObject } from '../value/tree.js'
import type { Classify } from './failure.js'
import type { Query } from './path-to.js'
import type { ConnectEnvironment } from './provider.js'

export const clientLimits = {
  requestTimeoutMs: 30_000,
  /** Maximum time in which no byte of an upload or download moves, and of the wait for the answer after it. */
  transferSilenceMs: 300_000,
  /** Delays between reads of an object whose removal was accepted, and the maximum time until it is gone. */
  removal: { firstDelayMs: 500, longestDelayMs: 8_000, timeoutMs: 600_000 },
} as const

export interface ClientOptions {
  /** Address without a trailing slash. */
  readonly baseUrl: string
  /** Returns the authorization and version headers, which may depend on the path. */
  headers?(path: string): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /**
   * Obtains an authorization that expires, before the first request and again after an answer of 401, whose request is
   * then repeated once. Its headers are added to those of `headers`.
   */
  readonly signIn?: SignIn
  readonly classify: Classify
  /** Schema of the required part of results, unless a request has its own. Default: an object with an id. */
  readonly answer?: TSchema
  /**
   * Returns the result of a request from the body and the headers of its answer (`ETag`, `Location`), before it is
   * checked. An answer without a body counts as an empty object here, unless its status is 200. Default: the body.
   */
  result?(body: JsonObject, response: Pick<HttpResponse, 'status' | 'headers'>): JsonObject
  /** True if an object that a read still returns counts as removed. Default: never. */
  isRemoved?(remote: JsonObject): boolean
  readonly environment: ConnectEnvironment
}

export interface RequestOptions {
  readonly signal?: AbortSignal
  readonly query?: Query
  readonly headers?: Readonly<Record<string, string>>
  /** Schema of the required part of the result, or of every row of a list. Default: `ClientOptions.answer`. */
  readonly answer?: TSchema
}

export interface DeleteOptions extends RequestOptions {
  /** Returns whether the object is gone, for objects that cannot be read by a GET of the same path. */
  isGone?(): Promise<boolean>
}

export interface SignInRequest {
  /** Whole address; one of the emulator, if there is one. */
  readonly url: string
  /** Default `POST`. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Body: a form (`URLSearchParams`, as OAuth has it), or JSON. */
  readonly body?: URLSearchParams | Json
  /** Parts of the body that no message may show, should the answer repeat them. */
  readonly secrets?: readonly string[]
  /** Schema of the required part of the answer. Default: an object. */
  readonly answer?: TSchema
}

/**
 * Obtains an authorization by requests that it passes to `send`, and returns the headers that carry it. `send` repeats
 * a request that failed temporarily, and throws `ApiFailure`.
 */
export type SignIn = (
  send: (request: SignInRequest) => Promise<JsonObject>,
) => Promise<Readonly<Record<string, string>>>
