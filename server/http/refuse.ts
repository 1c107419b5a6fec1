// Sends an error response in the envelope of its plane, uncacheable, and logs it if auditors or operators need it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PoolFailure } from '../../workers/messages/task.js'
import type { Caller } from '../auth/caller.js'
import { limits } from '../limits.js'
import { refusalOf } from '../operation/failures.js'
import type { Plane } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import { refusalRecord } from '../telemetry/logging.js'
import { envelope, unknownFailure } from './envelope.js'

export interface RefusalTarget {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: Caller | undefined
}

export function refuse(refusal: Refusal, { request, reply, caller }: RefusalTarget): void {
  const { status, retryAfterSeconds, headers } = refusal
  if (status === 401 || status === 403) request.log.warn(refusalRecord(request, refusal, caller), 'refused')
  else if (refusal.cause instanceof PoolFailure) {
    // Failures caused by a hostile or heavy document are not bugs, so no stack is logged.
    request.log.warn({ code: refusal.code, pool: refusal.cause.code }, 'could not answer')
  } else if (refusal.code === 'UpstreamFailed') {
    // The source of an import failed, not this server.
    request.log.warn({ code: refusal.code, reason: refusal.message }, 'could not answer')
  } else if (status >= 500) request.log.error({ err: refusal }, 'could not answer')
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds))
  if (status === 401) reply.header('WWW-Authenticate', challengeTo(request))
  keepOpenWhileSending(request, reply)
  reply
    .code(status)
    .headers(headers)
    .header('X-Request-Id', request.id)
    .header('Cache-Control', 'no-store')
    .type('application/json')
    .send(envelope(withSize(refusal, request), planeOf(request)))
}

/** Sends and returns the refusal of any thrown value. Unexpected errors are bugs; their details are only logged. */
export function refuseError(error: unknown, target: RefusalTarget): Refusal {
  const { request } = target
  const refusal = refusalOf(error, request.routeOptions.bodyLimit) ?? abortionOf(error, request)
  if (refusal === undefined) request.log.error({ err: error }, 'a bug: this error was not expected')
  const sent = refusal ?? unknownFailure(request.id)
  refuse(sent, target)
  return sent
}

/** Reading the body of a client that disconnected fails with an error of the connection, which is no bug. */
function abortionOf(error: unknown, { raw }: FastifyRequest): Refusal | undefined {
  const isOfConnection = error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
  if (!isOfConnection || !raw.destroyed || raw.complete) return undefined
  return new Refusal('Aborted', 'Client disconnected before its request was complete')
}

/** Adds the declared size of the body to a size refusal. */
function withSize(refusal: Refusal, { headers }: FastifyRequest): Refusal {
  const { code, message, details } = refusal
  const value = Number(headers['content-length'])
  const isOfBytes = code === 'PayloadTooLarge' && /BytesMax$/.test(String(details?.limit))
  if (!isOfBytes || details?.value !== undefined || !Number.isSafeInteger(value)) return refusal
  return new Refusal(code, message, { details: { ...details, value } })
}

/** Keeps the connection open for a client that is still sending; closing it would lose the response. */
function keepOpenWhileSending({ headers }: FastifyRequest, reply: FastifyReply): void {
  if (Number(headers['content-length']) <= limits.droppedBodyBytesMax) reply.removeHeader('connection')
}

/** Returns the plane of a request, also for unknown paths. */
function planeOf({ routeOptions, url }: FastifyRequest): Plane {
  return routeOptions.config?.operation?.plane ?? (url.startsWith('/v1/docs/') ? 'document' : 'tenant')
}

/** Returns the bearer challenge. If a token was sent, it reports the token as invalid (RFC 6750, 3). */
const challengeTo = ({ headers }: FastifyRequest): string =>
  headers.authorization === undefined ? 'Bearer realm="steward"' : 'Bearer realm="steward", error="invalid_token"'
