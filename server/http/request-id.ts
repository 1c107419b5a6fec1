// Request id for responses and log lines: the one set by a proxy or client if it is safe to log, otherwise a new one.
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const fit = /^[A-Za-z0-9][A-Za-z0-9._:=+/@-]{0,127}$/

export function requestIdOf({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const { 'x-request-id': given } = headers
  return typeof given === 'string' && fit.test(given) ? given : randomUUID()
}
