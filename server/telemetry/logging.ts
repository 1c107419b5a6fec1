// Writes the log as JSON lines. Members that may contain a secret are redacted here for every log call.
import type { FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Caller } from '../auth/caller.js'
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
