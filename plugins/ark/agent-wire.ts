// Converts agents between the compared tree and the wire. Lists of named items become maps, so that each item is one
// leaf.
import type { FieldTable, Remote } from '../../core/plugin/handler.js'
import type { Written } from '../../core/plugin/undeclared.js'
import { isEmpty, isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import { observedTools, wireTools } from './tools.js'

export const fields = {
  'model/id': { label: 'model' },
  system: { label: 'instructions' },
  skills: { unordered: true },
  'multiagent/agents': { unordered: true },
  metadata: { map: 'patchNull' },
} as const satisfies FieldTable

export const written = {
  fields,
  wire: wireAgent,
  added: ['tools/*/configs/*', 'multiagent/agents/*/version', 'multiagent/agents/*/name', 'skills/*/version'],
} as const satisfies Written

export function observedAgent(remote: Remote): Tree {
  const { name, model, description, system, tools, mcp_servers, skills, multiagent, metadata } = remote
  return {
    name,
    model: observedModel(model),
    description,
    system,
    tools: observedTools(tools),
    mcp_servers: Object.fromEntries(objectsIn(mcp_servers).map(({ name, url }) => [String(name), url])),
    skills: objectsIn(skills).map(({ type, skill_id, version }) => ({ type, skill_id, version })),
    multiagent: observedRoster(multiagent),
    metadata,
  }
}

/**
 * Returns the whole agent without its metadata, which is patched. Lists are always sent, because the server keeps those
 * that a request lacks.
 */
export function wireAgent(desired: Tree, remote: Remote = {}): JsonObject {
  const { name, model, description, system, tools, mcp_servers, skills, multiagent } = desired
  const servers = Object.entries(isObject(mcp_servers) ? mcp_servers : {})
  const roster = isObject(multiagent) && Array.isArray(multiagent['agents']) ? multiagent['agents'] : []
  return {
    name,
    model,
    description: description ?? '',
    system: system ?? '',
    tools: wireTools(
      tools,
      servers.map(([server]) => server),
      remote['tools'],
    ),
    mcp_servers: servers.map(([server, url]) => ({ name: server, type: 'url', url })),
    skills: skills ?? [],
    ...(roster.length === 0
      ? {}
      : { multiagent: { type: 'coordinator', agents: roster.map((id: Json) => ({ type: 'agent', id })) } }),
  }
}

export function hasRoster(agent: JsonObject): boolean {
  return !isEmpty(agent['multiagent'])
}

/** True if the agent of the compared tree coordinates others itself. */
export function coordinatesItself({ multiagent }: Tree): boolean {
  const agents = isObject(multiagent) ? multiagent['agents'] : undefined
  return Array.isArray(agents) && agents.includes(self)
}

const self = 'self'

/** Returns the model without the speed `standard`, which the server adds. */
function observedModel(model: Json | undefined): Tree {
  if (!isObject(model)) return {}
  return { id: model['id'], speed: model['speed'] === 'standard' ? undefined : model['speed'] }
}

/**
 * Returns the ids of the members only. Their versions, which the server may pin, are never declared (agent
 * configuration 2.15 rule 6).
 */
function observedRoster(multiagent: Json | undefined): Tree {
  if (!isObject(multiagent)) return {}
  return { agents: objectsIn(multiagent['agents']).map(({ type, id }) => (type === self ? self : (id ?? null))) }
}

function objectsIn(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
