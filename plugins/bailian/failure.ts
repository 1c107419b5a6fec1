// Classifies failed responses. Codes and texts take precedence over the status, because this API returns permanent
// refusals with status 500 and name conflicts with any status.

import type { Classification, FailedResponse, FailureClass } from '../../core/plugin/failure.js'
import { classifyByStatus } from '../../core/plugin/failure.js'
import { isObject } from '../../core/value/tree.js'

export const skillFileNotFound = 'SKILL_FILE_NOT_FOUND'

const classByCode: Readonly<Record<string, FailureClass>> = {
  '11300026': 'nameTaken',
  AGENT_010: 'retry', // The agent names a skill version that is still being scanned.
  CREDENTIAL_AUTH_NETWORKING_ERROR: 'invalid',
  CREDENTIAL_AUTH_TYPE_ERROR: 'invalid',
  DEPLOYMENT_STATE_CONFLICT: 'stale',
  [skillFileNotFound]: 'retry',
  overloaded_error: 'retry',
  rate_limit_error: 'retry',
}

const classByText: readonly (readonly [RegExp, FailureClass])[] = [
  [/已存在|already exists/i, 'nameTaken'],
  [/must be one of \[unrestricted\]/, 'invalid'],
]

/** Codes whose meaning depends on the request. */
const classByRequest: readonly {
  readonly method: string
  readonly path: RegExp
  readonly code: string
  readonly class: FailureClass
}[] = [
  { method: 'POST', path: /\/memories$/, code: 'memory_path_conflict_error', class: 'nameTaken' },
  { method: 'DELETE', path: /./, code: 'conflict_error', class: 'inUse' },
]

export function classify({ method, path, status, body }: FailedResponse): Classification {
  const { code, message } = errorIn(body)
  const byRequest = classByRequest.find((row) => row.method === method && row.code === code && row.path.test(path))
  const byText = classByText.find(([pattern]) => pattern.test(message ?? ''))
  return {
    class: byRequest?.class ?? classByCode[code ?? ''] ?? byText?.[1] ?? classifyByStatus(status, body),
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
  }
}

/**
 * Returns code and message of an error body: current bodies have `code` and `message`, older ones `error_code` and
 * `error_message`, and those of a gateway a text in `error`.
 */
function errorIn(body: unknown): { readonly code: string | undefined; readonly message: string | undefined } {
  if (!isObject(body)) return { code: undefined, message: text(body) }
  const { error } = body
  if (!isObject(error)) return { code: text(body['code']), message: text(body['message']) ?? text(error) }
  return {
    code: text(error['code']) ?? text(error['error_code']),
    message: text(error['message']) ?? text(error['error_message']),
  }
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
