// Resolves models, toolsets, skill versions and roster members of an agent, as the server does.
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { refuse } from '../../emulator/contract.js'
import type { Store } from '../../emulator/store.js'
import type { CreateAgent, Model, Skill, UpdateAgent } from './agent-schema.js'
import { named } from './objects.js'
import { resolvedTools } from './resolved-tools.js'
import { resolvedTopology } from './roster.js'
import { resolvedSkillVersion } from './skill-versions.js'

/** Returns the members that a body sets; an update keeps the values of all others. */
export function agentBody(
  store: Store,
  given: CreateAgent | UpdateAgent,
  { id, current = {} }: { readonly id: string; readonly current?: JsonObject },
): JsonObject {
  const self = { id, version: Number(current['version'] ?? 0) + 1 }
  const keep = <Value>(value: Value | undefined, current: Json | undefined, use: (value: Value) => Json): Json =>
    value === undefined ? (current ?? null) : use(value)
  const body = {
    name: given.name ?? current['name'] ?? null,
    model: keep(given.model, current['model'], (model) => resolvedModel(model, current['model'])),
    description: keep(given.description, current['description'], (value) => value || null),
    system: keep(given.system, current['system'], (value) => value || null),
    mcp_servers: keep(given.mcp_servers, current['mcp_servers'] ?? [], (value) => value ?? []),
    tools: keep(given.tools, current['tools'] ?? [], (value) => resolvedTools(value ?? [])),
    skills: keep(given.skills, current['skills'] ?? [], (value) =>
      (value ?? []).map((skill, index) => resolvedSkill(store, skill, index)),
    ),
    multiagent: keep(
      given.multiagent,
      current['multiagent'],
      (value) => value && resolvedTopology({ store, self }, value, current['multiagent']),
    ),
    execution_identity:
      given.execution_identity ??
      (given.execution_identity === null ? serviceAccount : (current['execution_identity'] ?? serviceAccount)),
  }
  checkServers(body.mcp_servers, body.tools)
  return body
}

const serviceAccount = { type: 'service_account' }

/** Effort that the emulated models have without one. */
const effortDefault = { type: 'high' }

/** Replaces the model, but keeps an effort that the request omits. */
export function resolvedModel(given: Model, current: Json | undefined): JsonObject {
  const { id, speed, effort, inference_geo } = typeof given === 'string' ? { id: given } : (given as JsonObject)
  const stored = isObject(current) && effort !== null ? current['effort'] : undefined
  return {
    id,
    speed: speed ?? 'standard',
    effort: (typeof effort === 'string' ? { type: effort } : effort) ?? stored ?? effortDefault,
    ...(inference_geo ? { inference_geo } : {}),
  }
}

function checkServers(servers: Json, tools: Json): void {
  const names = (Array.isArray(servers) ? servers.filter(isObject) : []).map(({ name }) => name)
  const sets = Array.isArray(tools) ? tools.filter(isObject) : []
  const withSets = sets.filter(({ type }) => type === 'mcp_toolset').map(({ mcp_server_name }) => mcp_server_name)
  if (new Set(names).size < names.length) throw refuse('invalid', 'mcp_servers: names must be unique')
  if (new Set(withSets).size < withSets.length) throw refuse('invalid', 'tools: one mcp_toolset for each server')
  const bare = names.find((name) => !withSets.includes(name))
  if (bare !== undefined) throw refuse('invalid', `mcp_servers: ${bare} has no mcp_toolset in tools`)
  const unknown = withSets.find((name) => !names.includes(name))
  if (unknown !== undefined) throw refuse('invalid', `tools: no MCP server is named ${unknown}`)
  if (sets.filter(({ type }) => type === 'agent_toolset_20260401').length > 1)
    throw refuse('invalid', 'tools: at most one agent_toolset_20260401')
}

/** Version of every official skill. Such skills are not looked up, so that any agents.yaml works. */
const officialVersion = '20251013'

function resolvedSkill(store: Store, { type, skill_id, version }: Skill, index: number): JsonObject {
  const wanted = version === 'latest' ? undefined : (version ?? undefined)
  if (type === 'anthropic') return { type, skill_id, version: wanted ?? officialVersion }
  const skill = named(store, 'skill', skill_id, `skills.${index}.skill_id`)
  return { type, skill_id, version: resolvedSkillVersion(store, skill, wanted, `skills.${index}.version`) }
}
