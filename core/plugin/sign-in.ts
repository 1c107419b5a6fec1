// Signing in to APIs whose authorization expires. Concurrent requests share one sign-in, and what it returned is never
// shown.
import type { HttpResponse } from '../ports/http.js'
import type { JsonObject } from '../value/tree.js'
import { AnyObject, readAnswer } from './answer.js'
import { clientLimits, type SignIn, type SignInRequest } from './client-options.js'
import { Deadline } from './deadline.js'
import { ApiFailure, type Classify, isFailure } from './failure.js'
import type { ConnectEnvironment } from './provider.js'
import { refused } from './refused.js'
import { repeat } from './repeat.js'
import type { SchemaChecks } from './schema-checks.js'
import { overdue, unanswered } from './unanswered.js'

type Headers = Readonly<Record<string, string>>

export interface SignInFacts {
  readonly signIn: SignIn
  readonly classify: Classify
  readonly environment: ConnectEnvironment
  readonly checks: SchemaChecks
}

/** Minimum length of a word that is hidden in messages; a shorter one is no token. */
const hiddenLengthMin = 8

export class Authorization {
  /** Headers in use. */
  #headers: Headers | undefined
  /** Sign-in under way, and the signal of the request that began it. */
  #pending: { readonly headers: Promise<Headers>; readonly signal: AbortSignal | undefined } | undefined
  /** Words of every authorization so far. */
  readonly #hidden = new Set<string>()

  constructor(private readonly facts: SignInFacts) {}

  /** Returns the headers of the authorization, signing in if there is none. Rejects when the signal is aborted. */
  async headers(signal?: AbortSignal): Promise<Headers> {
    while (this.#headers === undefined) {
      signal?.throwIfAborted()
      this.#pending ??= this.#begin(signal)
      const pending = this.#pending
      try {
        return await untilAborted(pending.headers, signal)
      } catch (error) {
        // If only the request that began the sign-in was given up, this one signs in itself.
        if (signal?.aborted || !pending.signal?.aborted) throw error
      }
    }
    return this.#headers
  }

  /** Drops headers that were refused, unless others have taken their place already. */
  expire(used: Headers): void {
    if (this.#headers === used) this.#headers = undefined
  }

  /** Replaces every word of an authorization in a text for people. */
  hide(text: string): string {
    return hidden(text, this.#hidden)
  }

  #begin(signal: AbortSignal | undefined): { readonly headers: Promise<Headers>; readonly signal: typeof signal } {
    const { signIn } = this.facts
    const headers = signIn((request) => sendSignIn(this.facts, request, signal)).then((obtained) => {
      for (const word of Object.values(obtained).flatMap((value) => value.split(/[\s,;"=]+/)))
        if (word.length >= hiddenLengthMin) this.#hidden.add(word)
      this.#headers = obtained
      return obtained
    })
    const end = () => {
      this.#pending = undefined
    }
    headers.then(end, end)
    return { headers, signal }
  }
}

function hidden(text: string, words: Iterable<string>): string {
  let shown = text
  for (const word of words) shown = shown.replaceAll(word, '(hidden)')
  return shown
}

function sendSignIn(facts: SignInFacts, request: SignInRequest, signal: AbortSignal | undefined): Promise<JsonObject> {
  const { environment, checks } = facts
  const { method = 'POST', url, answer = AnyObject } = request
  const operation = `${method} ${new URL(url).pathname}`
  return repeat(
    async () => {
      try {
        const response = await attempt(facts, request, operation, signal)
        return readAnswer(response, answer, { operation, host: new URL(url).host, checks, isSecret: true })
      } catch (error) {
        throw isFailure(error) ? asSignIn(error) : error
      }
    },
    { operation, isRepeatable: true, environment, signal },
  )
}

async function attempt(
  { environment, classify }: SignInFacts,
  { method = 'POST', url, headers, body, secrets = [] }: SignInRequest,
  operation: string,
  signal: AbortSignal | undefined,
): Promise<HttpResponse> {
  const isQuery = body instanceof URLSearchParams
  const deadline = new Deadline(clientLimits.requestTimeoutMs, signal)
  let response: HttpResponse
  try {
    response = await environment.http({
      method,
      url,
      headers: {
        accept: 'application/json',
        ...(body === undefined
          ? {}
          : { 'content-type': isQuery ? 'application/x-www-form-urlencoded' : 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isQuery ? body.toString() : JSON.stringify(body) }),
      signal: deadline.signal,
      isSignIn: true,
    })
  } catch (error) {
    signal?.throwIfAborted()
    throw deadline.isOverdue ? overdue(error, operation) : unanswered(error, operation)
  } finally {
    deadline.end()
  }
  environment.trace?.(`${operation} -> ${response.status}`)
  if (response.status >= 200 && response.status < 300) return response
  const { host, pathname: path } = new URL(url)
  const hide = (text: string) => hidden(text, secrets)
  throw refused(response, { method, path, host, classify, nowMs: environment.clock.now(), hide })
}

/**
 * Returns the failure as that of the request that needed the authorization, which was not sent. Whatever the refusal of
 * a sign-in says, it is about the credentials: an address that is not found is no object that is gone.
 */
function asSignIn(failure: ApiFailure): ApiFailure {
  const isKept = failure.class === 'retry' || failure.class === 'unexpected'
  return new ApiFailure({
    ...failure,
    message: failure.message,
    cause: failure.cause,
    class: isKept ? failure.class : 'denied',
    isAmbiguous: false,
  })
}

/** Returns the result of work that goes on when the signal is aborted. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
