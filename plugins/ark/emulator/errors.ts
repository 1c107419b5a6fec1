// Checks authorisation and builds error bodies. This API treats unknown routes and methods like unknown objects.
import type { Answer, AuthorizeRequest, RefusalKind, Refused } from '../../emulator/contract.js'

const answers: Readonly<Record<RefusalKind, { readonly status: number; readonly code: string }>> = {
  invalid: { status: 400, code: 'InvalidParameter' },
  unauthorized: { status: 401, code: 'AuthenticationError' },
  forbidden: { status: 403, code: 'AccessDenied' },
  notFound: { status: 404, code: 'NotFound' },
  methodNotAllowed: { status: 404, code: 'NotFound' },
  conflict: { status: 409, code: 'ResourceConflict' },
  tooLarge: { status: 400, code: 'InvalidParameter' },
  rateLimited: { status: 429, code: 'RateLimitExceeded' },
  serverError: { status: 500, code: 'InternalServiceError' },
  overloaded: { status: 503, code: 'ServiceUnavailable' },
}

export function authorize({ headers }: AuthorizeRequest): Refused | undefined {
  if (/^Bearer \S+$/.test(headers['authorization'] ?? '')) return undefined
  return { kind: 'unauthorized', message: 'the API key in the request is missing or invalid' }
}

export function errorAnswer(refused: Refused): Answer {
  const usual = answers[refused.kind]
  const { message, param } = refused
  const code = refused.code ?? usual.code
  return {
    status: refused.status ?? usual.status,
    body: { error: { code, message, ...(param === undefined ? {} : { param }) } },
  }
}
