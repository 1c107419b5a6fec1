// Writes the log as JSON lines. Members that may contain a secret are redacted here for every log call.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, pino } from 'pino'
import { type Caller, subjectOf } from '../auth/caller.js'
import type { Refusal } from '../refusals/refusal.js'

const secretPaths = [
  'headers.authorization',
  'headers["x-document-password"]',
  'req.headers',
  '*.password',
  '*.token',
  '*.apiToken',
  '*.signingSecret',
  '*.sealingKey',
]

export function openLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: { paths: secretPaths, censor: '[secret]' },
    serializers: { req: ({ id, method }: FastifyRequest) => ({ id, method }) },
  }
  return destination ? pino(options, destination) : pino(options)
}

/**
 * Returns the record of an answer. It has the name of the operation, not the URL, so that ids of documents and links stay
 * out of the log. `address`: of the client, from a proxy where it is trusted.
 */
export function answerRecord(
  { routeOptions, ip }: FastifyRequest,
  { statusCode, elapsedTime }: FastifyReply,
  { caller, tenantId }: Asker,
) {
  return {
    operation: routeOptions.config.operation?.name ?? 'none',
    status: statusCode,
    ms: Math.round(elapsedTime),
    address: ip,
    ...(tenantId === undefined ? {} : { tenant: tenantId }),
    ...(caller === undefined ? {} : { subject: subjectOf(caller) }),
  }
}

/** Who sent a request, as far as it is known: its caller, and the tenant that the caller may use. */
export interface Asker {
  readonly caller?: Caller
  /** Public id. */
  readonly tenantId?: string
}

/**
 * Returns the audit record of a refusal: who was refused what, without the content of the request. `jti` identifies a
 * token and is no secret.
 */
export function refusalRecord(
  { routeOptions, ip, method }: FastifyRequest,
  { code, status }: Refusal,
  caller: Caller | undefined,
) {
  const operation = routeOptions.config.operation?.name ?? null
  const who =
    caller && 'jti' in caller ? { caller: caller.kind, jti: caller.jti } : { caller: caller?.kind ?? 'unknown' }
  return { audit: 'refusal', operation, method, address: ip, ...who, code, status }
}
