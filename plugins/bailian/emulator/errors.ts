// Authorisation, the error body, and the request id in every response.
import { isObject } from '../../../core/value/tree.js'
import type { Answer, AuthorizeRequest, RefusalKind, Refused } from '../../emulator/contract.js'

const answers: Readonly<Record<RefusalKind, { readonly status: number; readonly code: string }>> = {
  invalid: { status: 400, code: 'invalid_request_error' },
  unauthorized: { status: 401, code: 'InvalidApiKey' },
  forbidden: { status: 403, code: 'permission_error' },
  notFound: { status: 404, code: 'not_found_error' },
  methodNotAllowed: { status: 405, code: 'method_not_allowed' },
  conflict: { status: 409, code: 'conflict_error' },
  tooLarge: { status: 400, code: 'invalid_request_error' },
  rateLimited: { status: 429, code: 'rate_limit_error' },
  serverError: { status: 500, code: 'api_error' },
  overloaded: { status: 503, code: 'overloaded_error' },
}

export function authorize({ headers }: AuthorizeRequest): Refused | undefined {
  if (/^Bearer \S+$/.test(headers['authorization'] ?? '')) return undefined
  return { kind: 'unauthorized', message: 'the API key is missing or invalid' }
}

export function errorAnswer(refused: Refused, { requestId }: { readonly requestId: string }): Answer {
  const usual = answers[refused.kind]
  return {
    status: refused.status ?? usual.status,
    body: {
      type: 'error',
      error: { code: refused.code ?? usual.code, message: refused.message },
      request_id: requestId,
    },
  }
}

/** Adds the request id. Two routes name the member `requestId`; their handlers add it themselves. */
export function withRequestId(answer: Answer, { requestId }: { readonly requestId: string }): Answer {
  const { body } = answer
  return {
    ...answer,
    headers: { ...answer.headers, 'x-request-id': requestId },
    ...(isObject(body) && !('requestId' in body) ? { body: { ...body, request_id: requestId } } : {}),
  }
}
