// Emulated agents. Versions guard updates, there are two methods to update, and rosters are pinned when they are saved.

import { type Static, Type } from 'typebox'
import { canonical, isObject, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatedRequest, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import {
  checkShared,
  emptyShared,
  hasBuiltinToolset,
  Model,
  Name,
  normalShared,
  sharedMembers,
} from './agent-shapes.js'
import { once } from './idempotency.js'
import { list, listQuery } from './list.js'
import { checkedMetadata, Metadata, MetadataPatch, patchedMetadata } from './metadata.js'
import { agents, sessionCollections, skillCollections } from './names.js'
import {
  activeWhere,
  archive,
  type Context,
  change,
  exact,
  find,
  findActive,
  isArchived,
  make,
  refuseTakenName,
  touched,
} from './object.js'

const versions = 'agent_versions'

const Roster = Type.Object(
  {
    type: Type.Literal('coordinator'),
    agents: Type.Array(
      Type.Object(
        {
          type: Type.Literal('agent'),
          id: Type.String({ minLength: 1 }),
          version: Type.Optional(Type.Integer({ minimum: 1 })),
          name: Type.Optional(Type.String()),
        },
        exact,
      ),
      { minItems: 1, maxItems: 20 },
    ),
  },
  exact,
)
const members = {
  ...sharedMembers,
  /** Older name of `system`. */
  instructions: Type.Optional(Type.Union([Type.String({ maxLength: 100_000 }), Type.Null()])),
  multiagent: Type.Optional(Type.Union([Roster, Type.Null()])),
  default_environment: Type.Optional(Type.String()),
}
const Create = Type.Object({ ...members, name: Name, model: Model, metadata: Type.Optional(Metadata) }, exact)
const updateMembers = {
  ...members,
  name: Type.Optional(Name),
  model: Type.Optional(Model),
  metadata: Type.Optional(MetadataPatch),
}
/** PUT requires the version that was read, PATCH only compares it. */
const Put = Type.Object({ ...updateMembers, version: Type.Integer({ minimum: 1 }) }, exact)
const Post = Type.Object({ ...updateMembers, version: Type.Optional(Type.Integer({ minimum: 1 })) }, exact)

export const agentRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/agents',
    body: Create,
    handle: once('agents', (request) => ({ status: 201, body: shown(request, makeAgent(request, request.body)) })),
  }),
  route({
    method: 'GET',
    path: '/agents',
    query: listQuery('both', {
      'created_at[gte]': Type.Optional(Type.String()),
      'created_at[lte]': Type.Optional(Type.String()),
    }),
    handle(request) {
      const from = Date.parse(request.query['created_at[gte]'] ?? '') || 0
      const to = Date.parse(request.query['created_at[lte]'] ?? '') || Number.POSITIVE_INFINITY
      const found = [...request.store.all(agents)].filter(
        (agent) => agent.createdAtMs >= from && agent.createdAtMs <= to,
      )
      return list(found, request, { cursors: 'both', show: (agent) => shown(request, agent) })
    },
  }),
  route({
    method: 'GET',
    path: '/agents/:id',
    query: Type.Object({ version: Type.Optional(Type.String({ pattern: '^[0-9]+$' })) }, exact),
    handle(request) {
      const agent = find(request, agents, request.params['id'])
      const { version } = request.query
      const found = version === undefined ? agent : find(request, versions, versionId(agent.id, version))
      return { body: { ...shown(request, found), id: agent.id } }
    },
  }),
  route({
    method: 'PUT',
    path: '/agents/:id',
    body: Put,
    handle(request) {
      refuseIn(request, 'sdk')
      return { body: shown(request, update(request, request.body)) }
    },
  }),
  route({
    method: 'POST',
    path: '/agents/:id',
    body: Post,
    handle: (request) => ({ body: shown(request, update(request, request.body)) }),
  }),
  route({
    method: 'DELETE',
    path: '/agents/:id',
    handle(request) {
      refuseIn(request, 'sdk')
      const agent = find(request, agents, request.params['id'])
      refuseInUse(request, agent)
      request.store.remove(agent)
      return { body: { id: agent.id, type: 'agent_deleted', deleted: true } }
    },
  }),
  route({
    method: 'POST',
    path: '/agents/:id/archive',
    handle: (request) => ({ body: shown(request, archive(request, find(request, agents, request.params['id']))) }),
  }),
  route({
    method: 'GET',
    path: '/agents/:id/versions',
    query: listQuery('both', {}),
    handle(request) {
      const agent = find(request, agents, request.params['id'])
      const show = (object: StoredObject) => ({ ...shown(request, object), id: agent.id })
      return list(request.store.childrenOf(versions, agent.id), request, { cursors: 'both', show })
    },
  }),
]

export const agentCollection: Collection = {
  kind: 'agent',
  api: 'managed',
  isTopLevel: true,
  isPermanent: false,
  touched(object, context) {
    const { system, instructions, version } = object.body
    const body = { ...object.body, instructions: system ?? instructions, version: Number(version) + 1 }
    return withVersion(context, touched({ ...object, body }, context))
  },
  seeding: seeding({ schema: Create, defaults: { name: 'seeded agent', model: 'auto' }, create: makeAgent }),
}

export const agentVersionCollection: Collection = { kind: 'agent_version', isTopLevel: false, isPermanent: false }

function makeAgent(context: Context, request: Static<typeof Create>, id?: string): StoredObject {
  const { metadata, name, model } = request
  const body = {
    type: 'agent',
    ...emptyShared(),
    multiagent: null,
    default_environment: null,
    ...changesOf(context, request),
    name,
    model,
    metadata: checkedMetadata(metadata),
    version: 1,
    archived_at: null,
  }
  checkAgent(context, body)
  refuseTakenName(context, { collection: agents, name, kind: 'agent' })
  return withVersion(context, make(context, { collection: agents, prefix: 'agent_', id, body }))
}

function update(request: EmulatedRequest, { version, metadata, ...rest }: Static<typeof Post>): StoredObject {
  const current = findActive(request, agents, request.params['id'])
  if (version !== undefined && version !== current.body['version'])
    throw refuse('conflict', `version ${version} is not the current version ${current.body['version']}`)
  const { name, model } = rest
  if (name !== undefined) refuseTakenName(request, { collection: agents, name, kind: 'agent', id: current.id })
  const changes = {
    ...changesOf(request, rest),
    ...(name === undefined ? {} : { name }),
    ...(model === undefined ? {} : { model }),
    ...(metadata ? { metadata: patchedMetadata(current.body['metadata'], metadata, { deletes: [null] }) } : {}),
  }
  const body = { ...current.body, ...changes }
  checkAgent(request, body)
  if (canonical(body) === canonical(current.body)) return current
  return withVersion(request, change(request, current, { ...changes, version: Number(current.body['version']) + 1 }))
}

/**
 * Returns the stored form of the members that both requests share, with `system` and `instructions` equal and the
 * roster pinned.
 */
function changesOf(context: Context, request: Omit<Static<typeof Post>, 'version' | 'metadata'>): JsonObject {
  const { instructions, multiagent, default_environment: environment } = request
  const shared = normalShared({ ...request, system: request.system === undefined ? instructions : request.system })
  return {
    ...shared,
    ...(shared['system'] === undefined ? {} : { instructions: shared['system'] }),
    ...(multiagent === undefined ? {} : { multiagent: multiagent && pinned(context, multiagent) }),
    ...(environment === undefined ? {} : { default_environment: environment }),
  }
}

/** Pins each member to its current version. Names in the request are not stored. */
function pinned({ store }: Context, roster: Static<typeof Roster>): JsonObject {
  const pins = roster.agents.map(({ type, id, version }) => {
    const member = store.find(agents, id)
    if (!member || isArchived(member))
      throw refuse('invalid', `multiagent.agents: no agent ${id}`, { param: 'multiagent' })
    return { type, id, version: version ?? Number(member.body['version']) }
  })
  return { type: roster.type, agents: pins }
}

function checkAgent(context: Context, body: JsonObject): void {
  checkShared(context, skillCollections.managed, body)
  if (isObject(body['multiagent']) && !hasBuiltinToolset(body))
    throw refuse('invalid', 'tools: a coordinator needs agent_toolset_20260401', { param: 'tools' })
}

function refuseInUse(context: Context, agent: StoredObject): void {
  const usesIt = (entry: unknown) => isObject(entry) && entry['id'] === agent.id
  const coordinators = activeWhere(context, agents, ({ id, body }) => {
    const roster = isObject(body['multiagent']) ? body['multiagent']['agents'] : []
    return id !== agent.id && Array.isArray(roster) && roster.some(usesIt)
  })
  if (coordinators.length > 0)
    throw refuse('conflict', `agent is referenced by ${coordinators.length} coordinators`, { code: 'agent_in_use' })
  const sessions = activeWhere(context, sessionCollections.managed, ({ body }) => usesIt(body['agent']))
  if (sessions.length > 0)
    throw refuse('conflict', `agent has ${sessions.length} active sessions`, { code: 'agent_in_use' })
}

function withVersion(context: Context, agent: StoredObject): StoredObject {
  const { body, id, createdAtMs } = agent
  const version = versionId(id, String(body['version']))
  context.store.insert({ id: version, collection: versions, parent: id, body, createdAtMs })
  return agent
}

function versionId(agentId: string, version: string): string {
  return `${agentId}@${version}`
}

/** Refuses PUT and DELETE, which the newer dialect lacks here. */
function refuseIn({ ownKnobs }: EmulatedRequest, dialect: string): void {
  if (ownKnobs['dialect'] === dialect) throw refuse('methodNotAllowed', 'this path does not take that method')
}

/** Returns the agent in the requested dialect: the newer one shows models as objects and has no `instructions`. */
function shown({ ownKnobs }: EmulatedRequest, { body }: StoredObject): JsonObject {
  if (ownKnobs['dialect'] !== 'sdk') return body
  const { instructions: _mirror, default_environment: _environment, model, ...rest } = body
  return { ...rest, model: typeof model === 'string' ? { id: model } : model }
}
