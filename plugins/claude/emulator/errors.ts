// Builds error bodies and checks the authorisation of this API.
import type { Answer, AuthorizeRequest, RefusalKind, Refused } from '../../emulator/contract.js'
import { refusedToken, signedInBeta, tokenPath } from './oauth.js'

const shapes: Readonly<Record<RefusalKind, { readonly status: number; readonly type: string }>> = {
  invalid: { status: 400, type: 'invalid_request_error' },
  methodNotAllowed: { status: 405, type: 'invalid_request_error' },
  tooLarge: { status: 413, type: 'request_too_large' },
  unauthorized: { status: 401, type: 'authentication_error' },
  forbidden: { status: 403, type: 'permission_error' },
  notFound: { status: 404, type: 'not_found_error' },
  conflict: { status: 409, type: 'conflict_error' },
  rateLimited: { status: 429, type: 'rate_limit_error' },
  serverError: { status: 500, type: 'api_error' },
  overloaded: { status: 529, type: 'overloaded_error' },
}

/** Error codes that are in `error.type` instead of `error.details.error_code`. */
const wordsAsType: ReadonlySet<string> = new Set(['memory_path_conflict_error', 'memory_precondition_failed_error'])

export function errorAnswer(refused: Refused, { requestId }: { readonly requestId: string }): Answer {
  const { kind, code, message, details } = refused
  const { status, type } = shapes[kind]
  const isType = code !== undefined && wordsAsType.has(code)
  return {
    status: refused.status ?? status,
    body: {
      type: 'error',
      error: {
        type: isType ? code : type,
        message,
        ...(code === undefined || isType ? {} : { details: { error_code: code } }),
        ...details,
      },
      request_id: requestId,
    },
  }
}

const managedBeta = 'managed-agents-2026-04-01'
const memoryBeta = 'agent-memory-2026-07-22'
const managedPaths = /^\/(agents|environments|vaults|sessions|deployments|deployment_runs)(\/|$)/

export function authorize({ path, headers, ownKnobs }: AuthorizeRequest): Refused | undefined {
  if (path === tokenPath) return undefined
  if (!headers['x-api-key'] && !/^Bearer ./.test(headers['authorization'] ?? ''))
    return { kind: 'unauthorized', message: 'x-api-key header is required' }
  if (!headers['anthropic-version']) return { kind: 'unauthorized', message: 'anthropic-version header is required' }
  const betas = betasOf(headers)
  const refused = refusedToken(headers['authorization'], betas, ownKnobs)
  if (refused) return refused
  if (managedPaths.test(path) && !betas.includes(managedBeta))
    return { kind: 'invalid', message: `anthropic-beta must include ${managedBeta} here` }
  const own = betas.filter((beta) => beta !== signedInBeta)
  if (path.startsWith('/memory_stores') && (own.length !== 1 || own[0] !== memoryBeta))
    return { kind: 'invalid', message: `anthropic-beta must be ${memoryBeta} and nothing else here` }
  return undefined
}

export function betasOf(headers: Readonly<Record<string, string | undefined>>): readonly string[] {
  return (headers['anthropic-beta'] ?? '')
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '')
}
