// `/healthz` shows that the process runs; `/readyz`, that store, blobs, workers and leases perform real operations (without
// Redis leases work within the process, which is safe, so that its loss takes no server out of the balancer);
// `/metrics` is for Prometheus.
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { SharedResult } from '../concurrency/shared-result.js'
import { limits } from '../limits.js'
import type { Deployment } from '../operation/deployment.js'

export function mountProbes(app: FastifyInstance, deployment: Deployment): void {
  app.get('/healthz', { config: { isFree: true } }, async () => ({ status: 'ok' }))
  const readiness = new SharedResult(() => tryAll(deployment), {
    forMs: limits.readinessRememberedMs,
    clock: deployment.clock,
  })
  app.get('/readyz', async (_request, reply) => {
    if (deployment.draining.signal.aborted) return reply.code(503).send({ status: 'draining' })
    const found = await readiness.get()
    const isReady = Object.values(found).every(({ error }) => error === undefined)
    const parts = Object.fromEntries(Object.entries(found).map(([part, { error }]) => [part, error ? 'failed' : 'ok']))
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'unready', parts })
  })
  app.get('/metrics', async (_request, reply) => {
    const { registry, read } = deployment.metrics
    return reply.type(registry.contentType).send(await read())
  })
}

type InternalRow = Readonly<Record<string, { readonly error?: unknown }>>

/** Balancers wait for some seconds only. */
async function unansweredIn(ms: number, signal: AbortSignal): Promise<never> {
  await setTimeout(ms, undefined, { signal, ref: false })
  throw new Error(`It did not answer within ${ms} ms`)
}

async function tryAll({ store, blobs, workers, leases, log }: Deployment): Promise<InternalRow> {
  const parts = { store, blobs, workers, leases }
  const tried = Object.entries(parts).map(async ([name, part]) => {
    const late = new AbortController()
    const outcome = await Promise.race([part.probe(), unansweredIn(limits.readinessProbeMs, late.signal)]).then(
      () => ({}),
      (error: unknown) => ({ error }),
    )
    late.abort()
    return [name, outcome] as const
  })
  const found: InternalRow = Object.fromEntries(await Promise.all(tried))
  for (const [part, { error }] of Object.entries(found)) if (error) log.error({ err: error, part }, 'not ready')
  return found
}
