// Serves one emulated API below its prefix.
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { EmulatedApi } from './contract.js'
import type { Exchange } from './exchange.js'
import { multipartOptions } from './multipart-form.js'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** `exchangeOf` returns what answers a request: one for each account that is reached below the prefix. */
export function apiPlugin(
  { routes }: EmulatedApi,
  exchangeOf: (request: FastifyRequest) => Exchange | Promise<Exchange>,
): FastifyPluginAsync {
  return async (app: FastifyInstance) => {
    await app.register(multipart, multipartOptions)
    app.removeContentTypeParser(['application/json', 'text/plain'])
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text))
    app.setNotFoundHandler(async (request, reply) =>
      (await exchangeOf(request)).refuseRequest(request, reply, 'notFound'),
    )
    app.setErrorHandler(async (error, request, reply) => (await exchangeOf(request)).fail(error, request, reply))
    const taken = new Map<string, string[]>()
    for (const route of routes) {
      app.route({
        method: route.method,
        url: route.path,
        handler: async (q, r) => (await exchangeOf(q)).run(route, q, r),
      })
      const path = route.path.replaceAll(/:[^/]+/g, ':id')
      taken.set(path, [...(taken.get(path) ?? []), route.method])
    }
    for (const [url, used] of taken) {
      const others = methods.filter((method) => !used.includes(method))
      if (others.length > 0)
        app.route({
          method: others,
          url,
          handler: async (q, r) => (await exchangeOf(q)).refuseRequest(q, r, 'methodNotAllowed'),
        })
    }
  }
}
