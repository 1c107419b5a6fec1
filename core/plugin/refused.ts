// Failures that were answered: what the provider's status and error mean.
import type { HttpResponse } from '../ports/http.js'
import { isObject } from '../value/tree.js'
import { describeAnswer, isErrorOfApi, parseBody, shortened } from './answer.js'
import { ApiFailure, type Classify } from './failure.js'
import { retryAfterMs } from './retry-after.js'

const messageMax = 2_000

export interface RefusedRequest {
  readonly method: string
  readonly path: string
  /** Host and port to which the request was sent. */
  readonly host: string
  readonly classify: Classify
  readonly nowMs: number
}

export function refused(response: HttpResponse, { method, path, host, classify, nowMs }: RefusedRequest): ApiFailure {
  const { status, headers } = response
  const body = parseBody(response.text)
  const found = classify({ method, path, status, body })
  const retry = headers.get('x-should-retry')
  const failureClass =
    retry === 'false' && found.class === 'retry' ? 'invalid' : retry === 'true' ? 'retry' : found.class
  // A page with status 404 does not prove that the object is gone.
  const isOther = failureClass === 'gone' && !isErrorOfApi(body)
  return new ApiFailure({
    class: isOther ? 'unexpected' : failureClass,
    status,
    code: found.code,
    message:
      (isObject(body) && found.message !== undefined ? shortened(found.message, messageMax) : undefined) ??
      describeAnswer(response, host),
    operation: `${method} ${path}`,
    isAmbiguous: status >= 500 || status === 408,
    requestId: headers.get('x-request-id') ?? headers.get('request-id') ?? undefined,
    retryAfterMs: retryAfterMs(headers, nowMs),
  })
}
