// Emulated agents: every update names the version it is based on and creates the next one.
import { Type } from 'typebox'
import { isObject, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { checkMetadata, checkSkills, coordinatorOf, filledRoster, filledTools, renamedServers } from './agent-checks.js'
import { CreateAgent, UpdateAgent } from './agent-schema.js'
import { found, iso, listAnswer, newId, PageQuery, pageQuery, patchedMetadata } from './objects.js'
import { usualRoutes } from './routes.js'
import { Exact, given, withoutEmpty } from './schema.js'

const Moment = Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T' }))
const List = Exact({ ...pageQuery, created_at_gte: Moment, created_at_lte: Moment })

export const agents: Collection = {
  kind: 'agent',
  isTopLevel: true,
  isPermanent: false,
  touched: nextVersion,
  seeding: seeding({ schema: CreateAgent, defaults: { name: 'Seeded', model: { id: 'seeded' } }, create }),
}

/** Former versions of agents. */
export const agentVersions: Collection = { kind: 'agent_version', isTopLevel: false, isPermanent: true }

export const agentRoutes: readonly Route[] = [
  ...usualRoutes({ path: '/agents', collection: 'agents', verbs: ['read'] }),
  route({
    method: 'POST',
    path: '/agents',
    body: CreateAgent,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  route({
    method: 'GET',
    path: '/agents',
    query: List,
    handle({ store, query }) {
      const { created_at_gte: from = '', created_at_lte: to = '9999' } = query
      const fitting = [...store.all('agents')].filter(
        ({ createdAtMs }) => iso(createdAtMs) >= from && iso(createdAtMs) <= to,
      )
      return listAnswer(fitting, query)
    },
  }),
  route({
    method: 'GET',
    path: '/agents/:id/versions',
    query: PageQuery,
    handle(request) {
      const agent = found(request, 'agents', request.params['id'])
      return listAnswer(request.store.childrenOf('agentVersions', agent.id), request.query)
    },
  }),
  // One page of the documentation has PUT, the others have POST.
  ...(['POST', 'PUT'] as const).map((method) =>
    route({
      method,
      path: '/agents/:id',
      body: UpdateAgent,
      handle(request) {
        const current = found(request, 'agents', request.params['id'])
        const body = withoutEmpty({ ...current.body, ...updates(request, current, request.body) })
        return { body: request.store.put(nextVersion({ ...current, body }, request)).body }
      },
    }),
  ),
  route({
    method: 'DELETE',
    path: '/agents/:id',
    handle(request) {
      const current = found(request, 'agents', request.params['id'])
      const coordinator = coordinatorOf(request, current.id)
      if (coordinator) throw refuse('conflict', `the agent is a member of the roster of ${coordinator.id}`)
      request.store.remove(current)
      return { body: { id: current.id } }
    },
  }),
]

function create(context: EmulatorContext, body: CreateAgent, wantedId?: string): StoredObject {
  const id = wantedId ?? newId(context, 'agent')
  const { model, metadata, ...rest } = body
  const agent = context.store.insert({
    id,
    collection: 'agents',
    createdAtMs: context.nowMs,
    body: withoutEmpty({
      id,
      type: 'agent',
      version: 1,
      ...rest,
      model: filledModel(model),
      ...lists(context, body),
      metadata: checkMetadata(patchedMetadata({}, metadata ?? {}, context)),
      created_at: iso(context.nowMs),
      updated_at: iso(context.nowMs),
    }),
  })
  remember(agent, context)
  return agent
}

/**
 * Computes the update: null clears texts and the roster; missing lists keep their values, and empty ones clear them.
 */
function updates(context: EmulatorContext, current: StoredObject, body: UpdateAgent): JsonObject {
  if (body.version !== current.body['version'])
    throw refuse('invalid', `version: conflict, the current version is ${current.body['version']}`, {
      param: 'version',
    })
  const { version: _, model, metadata, multiagent, ...rest } = given(body)
  const keepsRoster = context.ownKnobs['keepsRoster'] === true
  return {
    ...rest,
    ...(body.description === null ? { description: '' } : {}),
    ...(body.system === null ? { system: '' } : {}),
    ...(model ? { model: filledModel(model) } : {}),
    ...lists(context, { ...body, mcp_servers: body.mcp_servers ?? currentServers(current) }, current.id),
    ...(body.multiagent === null && !keepsRoster ? { multiagent: null } : {}),
    ...(metadata ? { metadata: checkMetadata(patchedMetadata(current.body['metadata'], metadata, context)) } : {}),
  }
}

type Lists = Pick<CreateAgent, 'tools' | 'mcp_servers' | 'skills' | 'multiagent'>

function lists(
  context: EmulatorContext,
  { tools, mcp_servers, skills, multiagent }: Lists,
  ownId?: string,
): JsonObject {
  const names = renamedServers(mcp_servers ?? [])
  if (skills) checkSkills(context, skills)
  return {
    ...(mcp_servers ? { mcp_servers: mcp_servers.map((server) => ({ ...server, name: names.get(server.name) })) } : {}),
    ...(tools ? { tools: filledTools(tools, names) } : {}),
    ...(skills ? { skills: skills.map((skill) => given(skill)) } : {}),
    ...(multiagent ? { multiagent: filledRoster(context, multiagent.agents, ownId) } : {}),
  }
}

function currentServers({ body }: StoredObject): NonNullable<CreateAgent['mcp_servers']> {
  const servers = Array.isArray(body['mcp_servers']) ? body['mcp_servers'].filter(isObject) : []
  return servers.map(({ name, url }) => ({ name: String(name), type: 'url', url: String(url) }))
}

function filledModel({ id, speed }: CreateAgent['model']): JsonObject {
  return { id, speed: speed ?? 'standard' }
}

function nextVersion(agent: StoredObject, context: EmulatorContext): StoredObject {
  const body = { ...agent.body, version: Number(agent.body['version']) + 1, updated_at: iso(context.nowMs) }
  const next = { ...agent, body }
  remember(next, context)
  return next
}

function remember({ id, body }: StoredObject, context: EmulatorContext): void {
  const version = { id: `${id}@${body['version']}`, collection: 'agentVersions', parent: id, body }
  context.store.insert({ ...version, createdAtMs: context.nowMs })
}
