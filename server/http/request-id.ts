// The id an answer and its log lines go by: the one a proxy or client gave the request, where it is fit for a log, or one of
// our own.
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const fit = /^[A-Za-z0-9][A-Za-z0-9._:=+/@-]{0,127}$/

export function requestIdOf({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const { 'x-request-id': given } = headers
  return typeof given === 'string' && fit.test(given) ? given : randomUUID()
}
