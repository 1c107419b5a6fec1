// Refuses requests with an invalid head (no Host, several or an invalid one, unknown Expect). Node's own handling is disabled, so that these
// requests are counted, limited and answered like all others.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals/refusal.js'

const lastOfConnection = { Connection: 'close' }

export function checkRequestHeads(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => done(refusalOf(request)))
}

function refusalOf({ raw: { headers, rawHeaders, httpVersion } }: FastifyRequest): Refusal | undefined {
  const fault = hostFault(hostsIn(rawHeaders), httpVersion)
  if (fault !== undefined) return new Refusal('InvalidArg', fault, { headers: lastOfConnection })
  if (httpVersion !== '1.1') return undefined
  if (headers.expect === undefined || headers.expect.toLowerCase() === '100-continue') return undefined
  return new Refusal('InvalidArg', 'The header Expect may only be 100-continue', {
    status: 417,
    headers: lastOfConnection,
    details: { header: 'Expect' },
  })
}

/** Name or address and port (RFC 9112, 3.2). A cache in front could read another value as another server. */
const validHost = /^(?:\[[0-9A-Za-z:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/

function hostFault(hosts: readonly string[], httpVersion: string): string | undefined {
  const [host, ...others] = hosts
  if (host === undefined) return httpVersion === '1.1' ? 'The request has no Host header' : undefined
  if (others.length > 0) return 'The request has several Host headers'
  return validHost.test(host) ? undefined : 'The header Host is no name or address'
}

/** Node itself keeps the first one only. */
function hostsIn(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host')
}
