// Responds with 405 and `Allow`, instead of 404, to methods that an existing path does not support.
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../refusals/refusal.js'
import { isOfApi } from './other-origins.js'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Records routes mounted from now on; `mount` adds the other methods of their paths. */
export class ServedMethods {
  readonly #byPath = new Map<string, Set<string>>()

  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method, prefix }) => {
      // Pages of a package handle their own paths.
      if (prefix !== '') return
      const methods = this.#byPath.get(url) ?? new Set()
      for (const one of [method].flat()) methods.add(one)
      this.#byPath.set(url, methods)
    })
  }

  mountOthers(app: FastifyInstance): void {
    for (const [url, served] of [...this.#byPath]) {
      const others = methods.filter((method) => !served.has(method))
      const allowed = [...served, ...(isOfApi(url) ? ['OPTIONS'] : [])].toSorted().join(', ')
      if (url.includes('*') || others.length === 0) continue
      app.route({
        method: others,
        url,
        // The body is not read.
        onRequest: async ({ method }) => {
          throw new Refusal('InvalidArg', `This path does not support ${method}; it supports ${allowed}`, {
            status: 405,
            headers: { Allow: allowed },
          })
        },
        handler: async () => undefined,
      })
    }
  }
}
