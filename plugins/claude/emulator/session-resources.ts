// Emulated mounts of a session; files can be added and tokens of repositories replaced later.
import type { JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse } from '../../emulator/contract.js'
import type { Store, StoredObject } from '../../emulator/store.js'
import { list, live, removeObject, requireObject, timeText, withChanges } from './objects.js'
import { Resource, resolvedResource } from './run-parts.js'
import { call, exact, listed, query, text } from './schema.js'

export function addResource(context: EmulatorContext, sessionId: string, resource: Resource): StoredObject {
  const { store, nowMs } = context
  const { shown, hidden } = resolvedResource(context, resource)
  const id = store.newId('sesrsc_01')
  const now = timeText(nowMs)
  return store.insert({
    id,
    collection: 'session_resource',
    parent: sessionId,
    createdAtMs: nowMs,
    body: { id, ...shown, created_at: now, updated_at: now },
    hidden,
  })
}

export function resourcesOf(store: Store, sessionId: string): readonly JsonObject[] {
  return [...store.childrenOf('session_resource', sessionId)].map(({ body }) => body)
}

export const sessionResourceRoutes: readonly Route[] = [
  call({
    method: 'GET',
    path: '/sessions/:id/resources',
    query: query(listed),
    handle: ({ store, params, query }) =>
      list(store.childrenOf('session_resource', requireObject(store, 'session', params['id']).id), query, {
        order: 'oldestFirst',
      }),
  }),
  call({
    method: 'POST',
    path: '/sessions/:id/resources',
    body: Resource,
    handle(request) {
      const session = live(request.store, 'session', request.params['id'])
      if (request.body.type !== 'file') throw refuse('invalid', 'type: only files can be added later')
      return { body: addResource(request, session.id, request.body).body }
    },
  }),
  call({
    method: 'GET',
    path: '/sessions/:id/resources/:rid',
    handle: ({ store, params }) => ({
      body: requireObject(store, 'session_resource', params['rid'], params['id']).body,
    }),
  }),
  call({
    method: 'POST',
    path: '/sessions/:id/resources/:rid',
    body: exact({ authorization_token: text() }),
    handle(request) {
      const { store, params, body } = request
      live(store, 'session', params['id'])
      const resource = requireObject(store, 'session_resource', params['rid'], params['id'])
      if (resource.body['type'] !== 'github_repository') throw refuse('invalid', 'only repositories have a token')
      return { body: store.put({ ...withChanges(resource, request, {}), hidden: { ...body } }).body }
    },
  }),
  call({
    method: 'DELETE',
    path: '/sessions/:id/resources/:rid',
    handle: ({ store, params }) =>
      removeObject(
        requireObject(store, 'session_resource', params['rid'], params['id']),
        store,
        'session_resource_deleted',
      ),
  }),
]

export const sessionResourceCollection: Collection = { kind: 'session_resource', isTopLevel: false, isPermanent: false }
