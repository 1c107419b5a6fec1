// Rate limit of requests without a credential: probes, reference, shares, unknown paths.
import type { FastifyInstance } from 'fastify'
import { networkOf, type Rates } from '../auth/rates.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route is exempt from the limit, such as the probes that monitoring needs. */
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
