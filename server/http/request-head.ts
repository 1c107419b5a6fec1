// Refuses requests with an invalid head (no Host, unknown Expect). Node's own handling is disabled, so that these
// requests are counted, limited and answered like all others.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals/refusal.js'

const lastOfConnection = { Connection: 'close' }

export function checkRequestHeads(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => done(refusalOf(request)))
}

function refusalOf({ raw: { headers, httpVersion } }: FastifyRequest): Refusal | undefined {
  if (httpVersion !== '1.1') return undefined
  if (headers.host === undefined) {
    return new Refusal('InvalidArg', 'The request has no Host header', { headers: lastOfConnection })
  }
  if (headers.expect === undefined || headers.expect.toLowerCase() === '100-continue') return undefined
  return new Refusal('InvalidArg', 'The header Expect may only be 100-continue', {
    status: 417,
    headers: lastOfConnection,
    details: { header: 'Expect' },
  })
}
