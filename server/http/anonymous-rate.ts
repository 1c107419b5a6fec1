// Rate of requests that need no credential: probes, reference, shares, paths that nobody serves. The others are answered
// for by whoever holds their token.
import type { FastifyInstance } from 'fastify'
import { networkOf, type Rates } from '../auth/rates.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether its answer costs too little to be counted: what watches a server must always get it. */
    readonly isFree?: boolean
  }
}

export function limitAnonymous(app: FastifyInstance, { anonymousRequests }: Rates): void {
  app.addHook('onRequest', async ({ routeOptions, ip }) => {
    const { operation, isFree = false } = routeOptions.config
    const isAnonymous = operation === undefined || operation.authority.kind === 'none'
    if (isAnonymous && !isFree) await anonymousRequests.count(networkOf(ip))
  })
}
