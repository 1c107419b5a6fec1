// Lets scripts of other sites use the API. The other paths (probes, metrics, pages, the reference) are read by programs and by
// pages of the server itself: a site that somebody looks at has no business with a server on their machine.
import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** True for a path, or an address, of the API. */
export const isOfApi = (url: string): boolean => url.startsWith('/v1/')

const ofOthers: FastifyCorsOptions = { origin: false }

/** `exposedHeaders`: response headers that scripts may read. */
export async function admitOtherOrigins(app: FastifyInstance, exposedHeaders: readonly string[]): Promise<void> {
  const ofApi: FastifyCorsOptions = {
    origin: true,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [...exposedHeaders],
    maxAge: 600,
    // A plain OPTIONS request has no Origin header.
    strictPreflight: false,
  }
  await app.register(cors, {
    delegator: (request: FastifyRequest, done: (error: Error | null, options: FastifyCorsOptions) => void) =>
      done(null, isOfApi(request.url) ? ofApi : ofOthers),
  })
}
