// Failures that were answered: what the provider's status and error mean.
import type { HttpResponse } from '../ports/http.js'
import { isObject } from '../value/tree.js'
import { describeAnswer, parseBody, shortened } from './answer.js'
import { ApiFailure, type Classify, type FailureClass, type Obstacle } from './failure.js'
import { retryAfterMs } from './retry-after.js'

const messageMax = 2_000

export interface RefusedRequest {
  readonly method: string
  readonly path: string
  /** Host and port to which the request was sent. */
  readonly host: string
  readonly classify: Classify
  readonly nowMs: number
  /** Returns a text of the answer without what nobody may see. */
  hide?(text: string): string
}

/** What a status says about the way to the API, whoever answered. */
const verdicts: Readonly<Record<number, { readonly class: FailureClass; readonly obstacle?: Obstacle }>> = {
  407: { class: 'unexpected', obstacle: 'proxy' },
  413: { class: 'invalid', obstacle: 'tooLarge' },
  431: { class: 'invalid', obstacle: 'tooLarge' },
  451: { class: 'denied', obstacle: 'blocked' },
  511: { class: 'unexpected' },
}

export function refused(response: HttpResponse, request: RefusedRequest): ApiFailure {
  const { status, headers } = response
  const { method, path, host, classify, nowMs, hide = (text) => text } = request
  const body = parseBody(response.text)
  const found = classify({ method, path, status, body, headers })
  const verdict = verdicts[status] ?? { class: classOf(response, found.class) }
  return new ApiFailure({
    ...verdict,
    status,
    code: found.code,
    message: hide(
      (isObject(body) && found.message !== undefined ? shortened(found.message, messageMax) : undefined) ??
        `${describeAnswer(response, host)}${leadingElsewhere(response, host)}`,
    ),
    operation: `${method} ${path}`,
    isAmbiguous: status >= 500 || status === 408,
    requestId: headers.get('x-request-id') ?? headers.get('request-id') ?? undefined,
    retryAfterMs: retryAfterMs(headers, nowMs),
  })
}

function classOf({ status, headers }: HttpResponse, found: FailureClass): FailureClass {
  const retry = headers.get('x-should-retry')
  if (retry === 'true') return 'retry'
  if (found === 'retry') return retry === 'false' ? 'invalid' : 'retry'
  if (status >= 300 && status < 400) return 'unexpected'
  // A page with status 404 does not prove that the object is gone, and one with 401 or 403 nothing about the key.
  const isPage = /^(text\/html|application\/xhtml)/i.test(headers.get('content-type') ?? '')
  return isPage ? 'unexpected' : found
}

/** Names the host of a redirect, which is never followed. */
function leadingElsewhere({ status, headers }: HttpResponse, host: string): string {
  const location = headers.get('location') ?? ''
  if (status < 300 || status >= 400 || !URL.canParse(location, `http://${host}`)) return ''
  const { host: other } = new URL(location, `http://${host}`)
  return `, a redirect to ${other}`
}
