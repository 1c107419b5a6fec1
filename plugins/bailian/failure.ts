// What an unsuccessful answer means here. Codes and texts decide before the status does, because this API puts
// permanent refusals behind 500 and name conflicts behind any status at all.

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

/** The same code tells different things to different requests. */
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
  const { code, message } = told(body)
  const byRequest = classByRequest.find((row) => row.method === method && row.code === code && row.path.test(path))
  const byText = classByText.find(([pattern]) => pattern.test(message ?? ''))
  return {
    class: byRequest?.class ?? classByCode[code ?? ''] ?? byText?.[1] ?? classifyByStatus(status),
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
  }
}

/** Present bodies say `code` and `message`, older ones `error_code` and `error_message`; a gateway puts text in `error`. */
function told(body: unknown): { readonly code: string | undefined; readonly message: string | undefined } {
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
