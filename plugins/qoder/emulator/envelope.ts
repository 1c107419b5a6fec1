// Checks authorisation and builds error bodies, which are almost the same in both APIs: errors of the forward API also
// have a stable code.

import type { RefusalKind } from '../../emulator/contract.js'
import { type Answer, type AuthorizeRequest, type EmulatedApi, type Refused, refuse } from '../../emulator/contract.js'
import { downloadPath } from './downloads.js'
import type { Api } from './names.js'

interface Shape {
  readonly status: number
  readonly type: string
  /** Default code, if the refusal has none of its own. */
  readonly code: string
}

const invalid = { status: 400, type: 'invalid_request_error', code: 'invalid_request_body' } as const

const shapes: Readonly<Record<RefusalKind, Shape>> = {
  invalid,
  tooLarge: { ...invalid, code: 'request_too_large' },
  methodNotAllowed: { ...invalid, status: 405, code: 'method_not_allowed' },
  unauthorized: { status: 401, type: 'authentication_error', code: 'invalid_token' },
  forbidden: { status: 403, type: 'permission_error', code: 'permission_denied' },
  notFound: { status: 404, type: 'not_found_error', code: 'not_found' },
  conflict: { status: 409, type: 'conflict_error', code: 'conflict' },
  rateLimited: { status: 429, type: 'rate_limit_error', code: 'rate_limited' },
  serverError: { status: 500, type: 'api_error', code: 'internal_error' },
  overloaded: { status: 503, type: 'api_error', code: 'unavailable' },
}

/** Checks the API key. A signed link needs none, because it contains its own signature. */
export function authorize({ headers, path }: AuthorizeRequest): Refused | undefined {
  if (path.startsWith(`${downloadPath}/`)) return undefined
  if (/^Bearer \S+$/.test(headers['authorization'] ?? '')) return undefined
  return refuse('unauthorized', 'a personal access token is required: Authorization: Bearer <token>').refused
}

export function errorOf(api: Api): EmulatedApi['error'] {
  return (refused, { requestId }) => {
    const { status, type, code } = shapes[refused.kind]
    const error = {
      type,
      message: refused.message,
      ...(refused.param === undefined ? {} : { param: refused.param }),
      ...(api === 'forward' ? { code: refused.code ?? code } : {}),
    }
    return { status: refused.status ?? status, body: { type: 'error', request_id: requestId, error } }
  }
}

export function finish(answer: Answer, { requestId }: { readonly requestId: string }): Answer {
  return { ...answer, headers: { ...answer.headers, 'x-request-id': requestId } }
}
