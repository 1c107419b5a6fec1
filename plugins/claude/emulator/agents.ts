// Emulated agents: every accepted write creates a version, the current version may guard it, and agents are archived.
import { Type } from 'typebox'
import { type Collection, type EmulatorContext, type Route, refuse, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { agentBody } from './agent-body.js'
import { CreateAgent, UpdateAgent } from './agent-schema.js'
import { list, live, patchedMetadata, requireObject, timeText, withChanges } from './objects.js'
import { usualRoutes } from './routes.js'
import { archivedToo, call, createdBetween, listed, optional, query } from './schema.js'

function create(context: EmulatorContext, given: CreateAgent, id = context.store.newId('agent_01')): StoredObject {
  const now = timeText(context.nowMs)
  const agent = context.store.insert({
    id,
    collection: 'agent',
    createdAtMs: context.nowMs,
    body: {
      id,
      type: 'agent',
      version: 1,
      ...agentBody(context.store, given, { id }),
      metadata: patchedMetadata({}, given.metadata),
      created_at: now,
      updated_at: now,
      archived_at: null,
    },
  })
  keepVersion(context, agent)
  return agent
}

function nextVersion(agent: StoredObject, context: EmulatorContext): StoredObject {
  const next = withChanges(agent, context, { version: Number(agent.body['version']) + 1 })
  keepVersion(context, next)
  return next
}

function keepVersion({ store, nowMs }: EmulatorContext, agent: StoredObject): void {
  store.insert({
    id: `${agent.id}@${String(agent.body['version'])}`,
    collection: 'agent_version',
    parent: agent.id,
    createdAtMs: nowMs,
    body: agent.body,
  })
}

export const agentRoutes: readonly Route[] = [
  ...usualRoutes({ path: '/agents', collection: 'agent', verbs: ['archive'] }),
  call({
    method: 'POST',
    path: '/agents',
    body: CreateAgent,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  call({
    method: 'GET',
    path: '/agents',
    query: query({ ...listed, ...archivedToo, ...createdBetween }),
    handle: (request) => list(request.store.all('agent'), request.query),
  }),
  call({
    method: 'GET',
    path: '/agents/:id',
    query: query({ version: optional(Type.String({ pattern: '^[1-9][0-9]*$' })) }),
    handle({ store, params, query }) {
      const agent = requireObject(store, 'agent', params['id'])
      if (query.version === undefined) return { body: agent.body }
      return { body: requireObject(store, 'agent_version', `${agent.id}@${query.version}`).body }
    },
  }),
  call({
    method: 'POST',
    path: '/agents/:id',
    body: UpdateAgent,
    handle(request) {
      const { store, params, body } = request
      const agent = live(store, 'agent', params['id'])
      if (body.version !== undefined && body.version !== agent.body['version'])
        throw refuse('conflict', `version: the agent is at ${String(agent.body['version'])}`, { param: 'version' })
      const next = {
        ...agent,
        body: {
          ...agent.body,
          ...agentBody(store, body, { id: agent.id, current: agent.body }),
          metadata: patchedMetadata(agent.body['metadata'], body.metadata),
        },
      }
      return { body: store.put(nextVersion(next, request)).body }
    },
  }),
  call({
    method: 'GET',
    path: '/agents/:id/versions',
    query: query(listed),
    handle: ({ store, params, query }) =>
      list(store.childrenOf('agent_version', requireObject(store, 'agent', params['id']).id), query),
  }),
]

export const agentCollection: Collection = {
  kind: 'agent',
  isTopLevel: true,
  isPermanent: false,
  seeding: seeding({ schema: CreateAgent, defaults: { name: 'seeded', model: 'any-model' }, create }),
  touched: nextVersion,
}

export const agentVersionCollection: Collection = { kind: 'agent_version', isTopLevel: false, isPermanent: true }
