// Emulated agents: versions, full replacement, archive instead of delete.
import { Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { type AgentConfig, CreateAgent, type Toolkit, UpdateAgent } from './agent-schema.js'
import { checkedMetadata, found, isArchived, iso, listed, make, refuseArchived, touched } from './objects.js'
import { usualRoutes } from './routes.js'
import { scanState } from './scans.js'
import { Exact, ListQuery, Maybe } from './schema.js'

export const agents: Collection = {
  kind: 'agent',
  isTopLevel: true,
  isPermanent: false,
  touched: (agent, context) => saved(context, touched(agent, context)),
  seeding: seeding({ schema: CreateAgent, defaults: { name: 'seeded', model: { id: 'qwen3.8-max' } }, create }),
}

export const agentVersions: Collection = { kind: 'agent_version', isTopLevel: false, isPermanent: false }

export const agentRoutes: readonly Route[] = [
  ...usualRoutes({ path: '/agents', collection: 'agents', verbs: ['list', 'archive'] }),
  route({
    method: 'POST',
    path: '/agents',
    body: CreateAgent,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  route({
    method: 'GET',
    path: '/agents/:id',
    query: Exact({ version: Maybe(Type.String({ pattern: '^[1-9]\\d*$' })) }),
    handle(request) {
      const agent = found(request, 'agents', request.params['id'])
      return { body: snapshot(request, agent, request.query.version) }
    },
  }),
  route({
    method: 'POST',
    path: '/agents/:id',
    body: UpdateAgent,
    handle(request) {
      const current = found(request, 'agents', request.params['id'])
      refuseArchived(current)
      const { version, ...config } = request.body
      if (version !== current.body['version'])
        throw refuse('conflict', `version ${version} is not the current one, which is ${current.body['version']}`)
      const members = answered(request, config, current.id)
      return { body: saved(request, touched({ ...current, body: { ...current.body, ...members } }, request)).body }
    },
  }),
  route({
    method: 'GET',
    path: '/agents/:id/versions',
    query: ListQuery,
    handle(request) {
      const { id } = found(request, 'agents', request.params['id'])
      return listed(request.store.childrenOf('agent_versions', id), request.query)
    },
  }),
]

/** Returns the current agent, or a version of it. */
export function snapshot({ store }: EmulatorContext, { id, body }: StoredObject, version?: string): JsonObject {
  if (version === undefined || version === String(body['version'])) return body
  const former = store.find('agent_versions', `${id}@${version}`)
  if (!former) throw refuse('notFound', `agent ${id} has no version ${version}`)
  return { ...body, ...(former.body['config'] as JsonObject), version: Number(version) }
}

function create(context: EmulatorContext, config: AgentConfig, wantedId?: string): StoredObject {
  const id = wantedId ?? context.store.newId('agent_', 26)
  const members = { ...answered(context, config, id), version: 0, workspace_id: 'ws_emulator' }
  return saved(context, make(context, { collection: 'agents', id, type: 'agent', members }))
}

/** Stores a change as a new version. */
function saved({ store, nowMs }: EmulatorContext, agent: StoredObject): StoredObject {
  const version = Number(agent.body['version']) + 1
  const { id: _id, type: _type, archived_at: _at, version: _version, workspace_id: _ws, ...config } = agent.body
  store.insert({
    id: `${agent.id}@${version}`,
    collection: 'agent_versions',
    parent: agent.id,
    createdAtMs: nowMs,
    body: { agent_id: agent.id, version, config, created_at: iso(nowMs) },
  })
  return store.put({ ...agent, body: { ...agent.body, version } })
}

/** Returns the whole configuration with empty values for missing members and defaults. */
function answered(context: EmulatorContext, config: AgentConfig, id: string): JsonObject {
  const { name, tools = [], skills = [], multiagent } = config
  if (!name) throw refuse('invalid', 'the name of an agent must not be empty', { code: 'AGENT_005' })
  checkModel(context, config.model.id)
  if (tools.filter(({ type }) => type === 'builtin_toolkit').length > 1)
    throw refuse('invalid', 'tools: at most one builtin_toolkit')
  for (const skill of skills) checkSkill(context, skill)
  if (multiagent) checkRoster(context, multiagent, id)
  return {
    name,
    description: config.description ?? '',
    model: { enable_thinking: false, ...config.model },
    system: config.system ?? '',
    tools: tools.map(filledToolkit),
    mcp_servers: config.mcp_servers ?? [],
    skills,
    multiagent: multiagent ?? null,
    metadata: checkedMetadata(config.metadata) ?? {},
  }
}

function filledToolkit({ default_config, configs = [], ...toolkit }: Toolkit): JsonObject {
  const permission_policy = { type: 'always_allow' }
  return {
    ...toolkit,
    default_config: { enabled: false, permission_policy, ...default_config },
    configs: configs.map((config) => ({ permission_policy, ...config })),
  }
}

/** Refuses models that the knob `models` does not list. The real API has no call that lists them. */
function checkModel({ ownKnobs }: EmulatorContext, id: string): void {
  const known = ownKnobs['models']
  if (!Array.isArray(known) || known.includes(id)) return
  throw refuse('invalid', `model.id: ${id} is unknown; this emulator has ${known.join(', ')} (knob "models")`)
}

function checkSkill({ store }: EmulatorContext, skill: NonNullable<AgentConfig['skills']>[number]): void {
  const { type, skill_id, version } = skill
  const current = store.find('skills', skill_id)
  if (!current || current.body['source'] !== type || current.body['status'] === 'deleted')
    throw refuse('invalid', `skills: there is no ${type} skill ${skill_id}`)
  const versioned = store.find('skill_versions', `${skill_id}@${version}`)
  if (!versioned) throw refuse('invalid', `skills: ${skill_id} has no version ${version}`)
  const state = scanState(versioned)
  if (state === 'pending')
    throw refuse('invalid', `skills: ${skill_id} ${version} is being scanned`, { code: 'AGENT_010' })
  if (state === 'refused') throw refuse('invalid', `skills: ${skill_id} ${version} was rejected`)
}

function checkRoster({ store }: EmulatorContext, roster: NonNullable<AgentConfig['multiagent']>, id: string): void {
  for (const member of roster.agents) {
    if (member.type === 'self') continue
    const current = store.find('agents', member.id)
    if (!current || isArchived(current)) throw refuse('invalid', `multiagent: there is no agent ${member.id}`)
    if (member.id === id) throw refuse('invalid', 'multiagent: a coordinator cannot be its own member')
    const inner = current.body['multiagent'] as AgentConfig['multiagent']
    if (inner?.agents.length) throw refuse('invalid', `multiagent: ${member.id} has a roster of its own`)
  }
}
