// Emulated runs of deployments: each starts a session, which is visible only later.
import type { JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, Refusal, type Route, refuse, route } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { active, agentOf } from './deployments.js'
import { found, iso, listed } from './objects.js'
import { ListQuery } from './schema.js'
import { type CreateSession, start } from './sessions.js'
import { take } from './turns.js'

const path = '/deployments/:deployment/runs'

export const deploymentRuns: Collection = { kind: 'deployment_run', isTopLevel: false, isPermanent: true }

export const deploymentRunRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/deployments/:deployment/run',
    handle(request) {
      const deployment = active(request, request.params['deployment'])
      const { id: agentId, version } = agentOf(deployment)
      const id = request.store.newId('drun_', 24)
      const run = request.store.insert({
        id,
        collection: 'deployment_runs',
        parent: deployment.id,
        createdAtMs: request.nowMs,
        body: {
          id,
          type: 'deployment_run',
          deployment_id: deployment.id,
          agent: { id: agentId, version },
          status: 'running',
          error: null,
          session_id: null,
          trigger_source: 'manual',
          started_at: iso(request.nowMs),
          finished_at: null,
        },
      })
      return { body: run.body }
    },
  }),
  route({
    method: 'GET',
    path,
    query: ListQuery,
    handle(request) {
      const deployment = found(request, 'deployments', request.params['deployment'])
      const runs = [...request.store.childrenOf('deployment_runs', deployment.id)]
      return listed(
        runs.map((run) => finished(request, deployment, run)),
        request.query,
      )
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    handle(request) {
      const deployment = found(request, 'deployments', request.params['deployment'])
      const run = found(request, 'deployment_runs', request.params['id'])
      if (run.parent !== deployment.id) throw refuse('notFound', 'not a run of this deployment')
      return { body: finished(request, deployment, run).body }
    },
  }),
]

/** Ends a run when it is read. */
function finished(context: EmulatorContext, deployment: StoredObject, run: StoredObject): StoredObject {
  if (run.body['status'] !== 'running') return run
  const facts = { ...outcome(context, deployment), finished_at: iso(context.nowMs) }
  return context.store.put({ ...run, body: { ...run.body, ...facts } })
}

/** Returns the outcome: failure if an object the deployment names is missing. */
function outcome(context: EmulatorContext, deployment: StoredObject): JsonObject {
  try {
    const { id, version } = agentOf(deployment)
    const session = start(context, sessionBody(deployment, String(id)), String(version))
    take(context, session, deployment.body['initial_events'] as readonly JsonObject[])
    return { status: 'succeeded', session_id: session.id }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: 'failed', error: { message: error.message } }
  }
}

function sessionBody({ body }: StoredObject, agent: string): CreateSession {
  const { environment_id, vault_ids, environment_variables, resources, name } = body
  return {
    agent,
    title: String(name),
    ...(typeof environment_id === 'string' ? { environment_id } : {}),
    // The schema of `CreateDeployment` has accepted these members.
    ...({ vault_ids, environment_variables, resources } as Partial<CreateSession>),
  }
}
