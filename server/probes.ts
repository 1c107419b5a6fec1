// `/healthz`: the process runs. `/readyz`: store, blobs, workers and locks were really tried. `/metrics`: for Prometheus.
import type { FastifyInstance } from 'fastify'
import type { Deployment } from './deployment.js'

export function mountProbes(app: FastifyInstance, deployment: Deployment): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    const found = await tryAll(deployment)
    for (const [part, { error }] of Object.entries(found))
      if (error) request.log.error({ err: error, part }, 'not ready')
    const isReady = Object.values(found).every(({ error }) => error === undefined)
    const parts = Object.fromEntries(Object.entries(found).map(([part, { error }]) => [part, error ? 'failed' : 'ok']))
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'unready', parts })
  })
  app.get('/metrics', async (_request, reply) => {
    const { registry } = deployment.metrics
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

async function tryAll({ store, blobs, workers, leases }: Deployment): Promise<Record<string, { error?: unknown }>> {
  const parts = { store, blobs, workers, leases }
  const tried = Object.entries(parts).map(async ([name, part]) => {
    const outcome = await part.probe().then(
      () => ({}),
      (error: unknown) => ({ error }),
    )
    return [name, outcome] as const
  })
  return Object.fromEntries(await Promise.all(tried))
}
