// Emulated sessions: idle until an event arrives, with the agent as it was at creation.
import type { JsonObject } from '../../../core/value/tree.js'
import { isObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { iso, listAnswer, newId, requireObject, touched, withChanges } from './objects.js'
import { usualRoutes } from './routes.js'
import { presentMembers, withoutEmpty } from './schema.js'
import { checkCounts, mounted, resourcesOf } from './session-resources.js'
import { CreateSession, SessionListQuery, UpdateSession, UpgradeSession } from './session-schema.js'

export const sessions: Collection = {
  kind: 'session',
  isTopLevel: true,
  isPermanent: false,
  name: ({ body }) => String(body['title'] ?? ''),
  touched,
  seeding: seeding({ schema: CreateSession, defaults: {}, create }),
}

export const sessionRoutes: readonly Route[] = [
  ...usualRoutes({ path: '/sessions', collection: 'sessions', verbs: ['read'] }),
  route({
    method: 'POST',
    path: '/sessions',
    body: CreateSession,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  route({
    method: 'GET',
    path: '/sessions',
    query: SessionListQuery,
    handle: ({ store, query }) => listAnswer([...store.all('sessions')].filter(fitting(query)), query),
  }),
  route({
    method: 'POST',
    path: '/sessions/:id',
    body: UpdateSession,
    handle(request) {
      const current = requireObject(request, 'sessions', request.params['id'])
      return { body: request.store.put(withChanges(current, request, presentMembers(request.body))).body }
    },
  }),
  route({
    method: 'POST',
    path: '/sessions/:id/upgrades',
    body: UpgradeSession,
    handle(request) {
      const current = requireObject(request, 'sessions', request.params['id'])
      const { id, version } = request.body.agent
      const snapshot = agentAt(request, id, version)
      return { body: request.store.put(withChanges(current, request, { agent: snapshot })).body }
    },
  }),
  route({
    method: 'DELETE',
    path: '/sessions/:id',
    handle(request) {
      const current = requireObject(request, 'sessions', request.params['id'])
      if (current.body['status'] === 'running') throw refuse('conflict', 'the session is running')
      request.store.remove(current)
      countSessions(request, current)
      return { body: { id: current.id, type: 'session_deleted' } }
    },
  }),
]

function create(context: EmulatorContext, body: CreateSession, wantedId?: string): StoredObject {
  const { agent, environment_id, title, tags, vault_ids = [], resources = [] } = presentMembers(body)
  const { id: agentId, version } = typeof agent === 'object' ? agent : { id: String(agent), version: undefined }
  const snapshot = agentAt(context, agentId, version ?? undefined)
  mustExist(context, 'environments', 'environment_id', String(environment_id))
  for (const id of vault_ids) mustExist(context, 'vaults', 'vault_ids', id)
  const mounts = mounted(context, resources)
  checkCounts(mounts)
  const id = wantedId ?? newId(context, 'sesn')
  const session = context.store.insert({
    id,
    collection: 'sessions',
    createdAtMs: context.nowMs,
    body: {
      ...withoutEmpty({ id, type: 'session', title, tags }),
      status: 'idle',
      agent: snapshot,
      environment_id,
      vault_ids,
      resources: mounts,
      usage: { input_tokens: 0, output_tokens: 0 },
      created_at: iso(context.nowMs),
      updated_at: iso(context.nowMs),
      archived_at: null,
    },
  })
  countSessions(context, session)
  return session
}

/** Returns the agent in a version. */
function agentAt({ store }: EmulatorContext, id: string, version: number | undefined): JsonObject {
  const agent = version === undefined ? store.find('agents', id) : store.find('agentVersions', `${id}@${version}`)
  if (!agent) throw refuse('invalid', `agent ${id} is not found in that version`, { param: 'agent' })
  return agent.body
}

function mustExist({ store }: EmulatorContext, collection: string, param: string, id: string): void {
  if (!store.find(collection, id)) throw refuse('invalid', `${param}: ${id} is not found`, { param })
}

/** Updates the stores' counts of sessions that mount them. */
function countSessions({ store }: EmulatorContext, session: StoredObject): void {
  for (const { memory_store_id } of resourcesOf(session)) {
    const mountedStore = store.find('memoryStores', String(memory_store_id))
    if (!mountedStore) continue
    const count = [...store.all('sessions')].filter((one) => mounts(one, mountedStore.id)).length
    store.put({ ...mountedStore, body: { ...mountedStore.body, session_count: count } })
  }
}

function mounts(session: StoredObject, storeId: string): boolean {
  return resourcesOf(session).some(({ memory_store_id }) => memory_store_id === storeId)
}

function fitting(query: SessionListQuery): (session: StoredObject) => boolean {
  const { agent_id, agent_version, memory_store_id, status } = query
  const { created_at_gt = '', created_at_gte = '', created_at_lt = '9999', created_at_lte = '9999' } = query
  return (session) => {
    const agent = isObject(session.body['agent']) ? session.body['agent'] : {}
    const createdAt = iso(session.createdAtMs)
    return (
      (agent_id ?? agent['id']) === agent['id'] &&
      (agent_version ?? String(agent['version'])) === String(agent['version']) &&
      (status ?? session.body['status']) === session.body['status'] &&
      (memory_store_id === undefined || mounts(session, memory_store_id)) &&
      createdAt > created_at_gt &&
      createdAt >= created_at_gte &&
      createdAt < created_at_lt &&
      createdAt <= created_at_lte
    )
  }
}
