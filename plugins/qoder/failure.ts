// Classifies failed responses. Status 409 stands for five different conflicts, which are distinguished by code and
// text, or else by the request.
import {
  type Classification,
  classifyByStatus,
  type FailedResponse,
  type FailureClass,
  isFailure,
} from '../../core/plugin/failure.js'
import { isObject } from '../../core/value/tree.js'

/** Code of a conflict: another channel already uses these credentials. */
export const channelCredentialConflict = 'CHANNEL_CREDENTIAL_CONFLICT'
/** Code of a conflict: the same idempotency key was sent with another body. */
export const idempotencyKeyReused = 'idempotency_key_reused'
const aboutIdempotency = /idempotency/i

const conflictByCode: Readonly<Record<string, FailureClass>> = {
  [channelCredentialConflict]: 'nameTaken',
  [idempotencyKeyReused]: 'invalid',
}

const conflictByText: readonly (readonly [RegExp, FailureClass])[] = [
  [aboutIdempotency, 'invalid'],
  [/in use|still mounted|referenced by|active session/i, 'inUse'],
  [/already (exists|taken|used)|must be unique|duplicate|name (is )?taken/i, 'nameTaken'],
  [/version|precondition|sha256|modified/i, 'stale'],
  [/archived/i, 'invalid'],
]

export function classify({ method, path, status, body }: FailedResponse): Classification {
  const { type, code, message } = errorMembers(body)
  const known = code ?? type
  return {
    class: classOf({ method, path, status, body, code, message }),
    ...(known === undefined ? {} : { code: known }),
    ...(message === undefined ? {} : { message }),
  }
}

interface Refusal {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly body: unknown
  readonly code: string | undefined
  readonly message: string | undefined
}

function classOf({ method, path, status, body, code, message }: Refusal): FailureClass {
  if (status !== 409) return isInUse(method, status, message) ? 'inUse' : classifyByStatus(status, body)
  return (
    conflictByCode[code ?? ''] ??
    conflictByText.find(([pattern]) => pattern.test(message ?? ''))?.[1] ??
    conflictByCall(method, path)
  )
}

/**
 * Returns the class of a conflict without a specific code or text by its request: a new object can only clash with
 * another one.
 */
function conflictByCall(method: string, path: string): FailureClass {
  if (method === 'DELETE') return 'inUse'
  return method === 'POST' && /^\/[^/]+$/.test(path) ? 'nameTaken' : 'stale'
}

/** True if the error means that an environment is in use; its status may be another one than 409. */
function isInUse(method: string, status: number, message: string | undefined): boolean {
  return method === 'DELETE' && status >= 400 && status < 500 && /in use/i.test(message ?? '')
}

/** True if an earlier request with this key took effect with another body. */
export function isKeyReused(error: unknown): boolean {
  if (!isFailure(error, 'invalid') || error.status !== 409) return false
  return error.code === idempotencyKeyReused || aboutIdempotency.test(error.message)
}

interface ErrorMembers {
  readonly type: string | undefined
  readonly code: string | undefined
  readonly message: string | undefined
}

function errorMembers(body: unknown): ErrorMembers {
  const error = isObject(body) && isObject(body['error']) ? body['error'] : undefined
  if (!error) return { type: undefined, code: undefined, message: text(body) }
  const message = text(error['message'])
  const parameter = text(error['param'])
  return {
    type: text(error['type']),
    code: text(error['code']),
    message: parameter === undefined || message?.includes(parameter) ? message : `${message ?? ''} (${parameter})`,
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
