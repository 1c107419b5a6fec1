// Classifies failed responses: the error code takes precedence over the type, and the type over the status.

import type { Classification, FailedResponse, FailureClass } from '../../core/plugin/failure.js'
import { classifyByStatus } from '../../core/plugin/failure.js'
import { isObject, type JsonObject } from '../../core/value/tree.js'

const classByWord: Readonly<Record<string, FailureClass>> = {
  environment_archived: 'gone',
  memory_path_conflict_error: 'nameTaken',
  memory_precondition_failed_error: 'stale',
  invalid_request_error: 'invalid',
  authentication_error: 'denied',
  billing_error: 'denied',
  permission_error: 'denied',
  not_found_error: 'gone',
  rate_limit_error: 'retry',
  api_error: 'retry',
  timeout_error: 'retry',
  overloaded_error: 'retry',
}

export function classify({ method, path, status, body }: FailedResponse): Classification {
  const error = errorOf(body)
  const details = isObject(error['details']) ? error['details'] : {}
  const words = [details['error_code'], error['type']].filter((word) => typeof word === 'string')
  const known = words.map((word) => classByWord[word]).find((found) => found !== undefined)
  const [code] = words
  const message = error['message']
  return {
    class: known ?? (status === 409 ? conflictOf(method, path) : classifyByStatus(status, body)),
    ...(code === undefined ? {} : { code }),
    ...(typeof message === 'string' ? { message } : {}),
  }
}

/** Returns the error of a body. Where a workload signs in, it has the members of OAuth (RFC 6749, 5.2). */
function errorOf(body: unknown): JsonObject {
  if (!isObject(body)) return {}
  const { error, error_description: message } = body
  return typeof error === 'string' ? { type: error, message } : isObject(error) ? error : {}
}

/** Returns the class of a conflict by its request, because all conflicts have the same code. */
function conflictOf(method: string, path: string): FailureClass {
  if (method === 'DELETE') return 'inUse'
  const isCollection = path.split('/').length % 2 === 0
  return isCollection ? 'nameTaken' : 'stale'
}
