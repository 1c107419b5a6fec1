// Emulated sessions: a snapshot of the agent, mounts, and a status that changes with every turn.
import { type Static, Type } from 'typebox'
import { type Collection, type EmulatorContext, type Route, refuse, route } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { snapshot } from './agents.js'
import { createdQuery, isCreatedWithin } from './created-at.js'
import {
  archive,
  checkedMetadata,
  listObjects,
  make,
  mergeMembers,
  refuseArchived,
  requireObject,
  touched,
} from './objects.js'
import { Exact, listQuery, Maybe, Metadata, Variables } from './schema.js'
import { mount, SessionResource } from './session-resources.js'
import { tellStatus } from './turns.js'

const Id = Type.String({ minLength: 1 })
const CreateSession = Exact({
  agent: Id,
  environment_id: Maybe(Id),
  title: Maybe(Type.String()),
  metadata: Maybe(Metadata),
  vault_ids: Maybe(Type.Array(Id)),
  environment_variables: Maybe(Variables),
  resources: Maybe(Type.Array(SessionResource)),
})
export type CreateSession = Static<typeof CreateSession>
const Update = Exact({ title: Maybe(Type.String()), metadata: Maybe(Metadata) })

export const sessions: Collection = {
  kind: 'session',
  isTopLevel: true,
  isPermanent: false,
  name: ({ body }) => String(body['title'] ?? ''),
  touched,
}

export const sessionRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/sessions/:id/archive',
    handle(request) {
      const answer = archive(request, requireObject(request, 'sessions', request.params['id']))
      tellStatus(request, request.params['id'] ?? '', 'terminated')
      return answer
    },
  }),
  route({
    method: 'POST',
    path: '/sessions',
    body: CreateSession,
    handle: (request) => ({ body: responseBody(request, start(request, request.body)) }),
  }),
  route({
    method: 'GET',
    path: '/sessions',
    query: Exact({
      ...listQuery,
      ...createdQuery,
      agent_id: Maybe(Type.String()),
      'statuses[]': Maybe(Type.String()),
    }),
    handle(request) {
      const { agent_id, 'statuses[]': status, ...query } = request.query
      const wanted = [...request.store.all('sessions')].filter(
        (session) =>
          (agent_id === undefined || session.hidden['agentId'] === agent_id) &&
          (status === undefined || session.body['status'] === status) &&
          isCreatedWithin(session, query),
      )
      return listObjects(
        wanted.map((session) => ({ ...session, body: responseBody(request, session) })),
        query,
      )
    },
  }),
  route({
    method: 'GET',
    path: '/sessions/:id',
    handle: (request) => ({ body: responseBody(request, requireObject(request, 'sessions', request.params['id'])) }),
  }),
  route({
    method: 'POST',
    path: '/sessions/:id',
    body: Update,
    handle(request) {
      const current = requireObject(request, 'sessions', request.params['id'])
      refuseArchived(current)
      const { title, metadata } = request.body
      return {
        body: responseBody(request, mergeMembers(request, current, { title, metadata: checkedMetadata(metadata) })),
      }
    },
  }),
  route({
    method: 'DELETE',
    path: '/sessions/:id',
    handle(request) {
      const current = requireObject(request, 'sessions', request.params['id'])
      if (current.body['status'] === 'running') throw refuse('conflict', 'a running session cannot be deleted')
      request.store.remove(current)
      return { body: { id: current.id, type: 'session_deleted' } }
    },
  }),
]

/** Starts a session; `version`: pinned version of the agent. */
export function start(context: EmulatorContext, body: CreateSession, version?: string): StoredObject {
  const agent = requireObject(context, 'agents', body.agent)
  refuseArchived(agent)
  if (body.environment_id !== undefined) refuseArchived(requireObject(context, 'environments', body.environment_id))
  for (const id of body.vault_ids ?? []) refuseArchived(requireObject(context, 'vaults', id))
  const metadata = checkedMetadata(body.metadata) ?? {}
  const id = context.store.newId('sesn_', 26)
  mount(context, id, body.resources ?? [])
  return make(context, {
    collection: 'sessions',
    id,
    type: 'session',
    members: {
      status: 'idle',
      agent: snapshot(context, agent, version),
      environment_id: body.environment_id ?? null,
      title: body.title ?? null,
      metadata,
      vault_ids: body.vault_ids ?? [],
      environment_variables: body.environment_variables ?? {},
      stats: {},
      usage: {},
    },
    hidden: { agentId: agent.id },
  })
}

function responseBody({ store }: EmulatorContext, session: StoredObject): StoredObject['body'] {
  return { ...session.body, resources: [...store.childrenOf('session_resources', session.id)].map(({ body }) => body) }
}
