// Serves one emulated API below its prefix.
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { EmulatedApi } from './contract.js'
import type { Account } from './emulated-account.js'
import { Exchange, type Machinery } from './exchange.js'
import { multipartOptions } from './multipart-form.js'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export function apiPlugin(account: Account, api: EmulatedApi, machinery: Machinery): FastifyPluginAsync {
  const exchange = new Exchange(account, api, machinery)
  return async (app: FastifyInstance) => {
    await app.register(multipart, multipartOptions)
    app.removeContentTypeParser(['application/json', 'text/plain'])
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text))
    app.setNotFoundHandler((request, reply) => exchange.refuseRequest(request, reply, 'notFound'))
    app.setErrorHandler((error, request, reply) => exchange.fail(error, request, reply))
    const taken = new Map<string, string[]>()
    for (const route of api.routes) {
      app.route({ method: route.method, url: route.path, handler: (q, r) => exchange.run(route, q, r) })
      const path = route.path.replaceAll(/:[^/]+/g, ':id')
      taken.set(path, [...(taken.get(path) ?? []), route.method])
    }
    for (const [url, used] of taken) {
      const others = methods.filter((method) => !used.includes(method))
      if (others.length > 0)
        app.route({ method: others, url, handler: (q, r) => exchange.refuseRequest(q, r, 'methodNotAllowed') })
    }
  }
}
