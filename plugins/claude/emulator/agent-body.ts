// Resolves models, toolsets, skill versions and roster members of an agent, as the server does.
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { refuse } from '../../emulator/contract.js'
import type { Store } from '../../emulator/store.js'
import type { CreateAgent, Member, Model, Roster, Skill, Tool, UpdateAgent } from './agent-schema.js'
import { named } from './objects.js'
import { resolvedSkillVersion } from './skill-versions.js'

/** Returns the members that a body sets; an update keeps the values of all others. */
export function agentBody(store: Store, given: CreateAgent | UpdateAgent, current: JsonObject): JsonObject {
  const keep = <Value>(value: Value | undefined, current: Json | undefined, use: (value: Value) => Json): Json =>
    value === undefined ? (current ?? null) : use(value)
  const body = {
    name: given.name ?? current['name'] ?? null,
    model: keep(given.model, current['model'], (model) => resolvedModel(model, current['model'])),
    description: keep(given.description, current['description'], (value) => value || null),
    system: keep(given.system, current['system'], (value) => value || null),
    mcp_servers: keep(given.mcp_servers, current['mcp_servers'] ?? [], (value) => value ?? []),
    tools: keep(given.tools, current['tools'] ?? [], (value) => (value ?? []).map(resolvedTool)),
    skills: keep(given.skills, current['skills'] ?? [], (value) =>
      (value ?? []).map((skill, index) => resolvedSkill(store, skill, index)),
    ),
    multiagent: keep(given.multiagent, current['multiagent'], (value) => value && resolvedRoster(store, value)),
  }
  checkServers(body.mcp_servers, body.tools)
  return body
}

/** Replaces the model, but keeps an effort that the request omits. */
function resolvedModel(given: Model, current: Json | undefined): JsonObject {
  const model = typeof given === 'string' ? { id: given } : given
  const { effort } = isObject(current) ? current : {}
  const named = 'effort' in model && model.effort ? model.effort : undefined
  return {
    id: model.id,
    speed: ('speed' in model && model.speed) || 'standard',
    effort: (typeof named === 'string' ? { type: named } : named) ?? effort ?? { type: 'default' },
    inference_geo: ('inference_geo' in model && model.inference_geo) || null,
  }
}

function resolvedTool(tool: Tool): JsonObject {
  if (tool.type === 'custom') return tool as JsonObject
  const isBuiltin = tool.type === 'agent_toolset_20260401'
  const isEnabled = tool.default_config?.enabled ?? true
  const policy = tool.default_config?.permission_policy ?? { type: isBuiltin ? 'always_allow' : 'always_ask' }
  return {
    type: tool.type,
    ...('mcp_server_name' in tool ? { mcp_server_name: tool.mcp_server_name } : {}),
    default_config: { enabled: isEnabled, permission_policy: policy },
    configs: (tool.configs ?? []).map((config) => ({
      ...config,
      type: isBuiltin ? 'agent_tool_config' : 'mcp_tool_config',
      name: config.name,
      enabled: config.enabled ?? isEnabled,
      permission_policy: config.permission_policy ?? policy,
    })),
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

function resolvedRoster(store: Store, { type, agents }: Roster): JsonObject {
  const members = agents.map((member, index) => resolvedMember(store, member, index))
  const ids = members.map(({ id, type }) => id ?? type)
  if (new Set(ids).size < ids.length) throw refuse('invalid', 'multiagent.agents: must be distinct')
  return { type, agents: members }
}

function resolvedMember(store: Store, member: Member, index: number): JsonObject {
  if (typeof member !== 'string' && member.type === 'self') return member
  const id = typeof member === 'string' ? member : member.id
  const agent = named(store, 'agent', id, `multiagent.agents.${index}`)
  if (agent.body['multiagent'])
    throw refuse('invalid', `multiagent.agents.${index}: ${id} is a coordinator itself`, {
      param: `multiagent.agents.${index}`,
    })
  const version = typeof member === 'string' ? undefined : member.version
  return { type: 'agent', id, version: version ?? agent.body['version'] ?? 1 }
}
