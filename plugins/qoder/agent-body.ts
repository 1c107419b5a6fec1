// Members common to agents and templates: the same declaration, with almost the same wire form in both APIs.
import type { FieldTable, Remote } from '../../core/plugin/handler.js'
import type { Scope } from '../../core/plugin/scope.js'
import { isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { objectOf, objectsOf, textOf } from '../shared/wire.js'
import { desiredTools, observedTools, wireTools } from './agent-tools.js'

export const agentFields: FieldTable = {
  system: { label: 'instructions', clear: '' },
  description: { clear: '' },
  tools: { clear: [] },
  mcp_servers: { clear: [] },
  skills: { clear: [], unordered: true },
  multiagent: { clear: null },
  'multiagent/agents': { unordered: true },
}

/** Returns the tree without the roster and members that only one API has. */
export function desiredAgent(name: string, body: AgentBody, scope: Scope): Tree {
  return {
    name: body.name ?? name,
    description: body.description,
    model: modelOf(body, scope.provider),
    system: body.instructions,
    tools: desiredTools(body),
    mcp_servers: Object.fromEntries((body.mcp_servers ?? []).map(({ name: server, url }) => [server, { url }])),
    skills: (body.skills ?? []).map((skill) => desiredSkill(skill, scope)),
  }
}

export function observedAgent(remote: Remote): Tree {
  const { model } = remote
  return {
    name: remote['name'],
    description: remote['description'],
    model: textOf(model) || objectOf(model)['id'],
    system: remote['system'] ?? remote['instructions'],
    tools: observedTools(remote['tools']),
    mcp_servers: Object.fromEntries(
      objectsOf(remote['mcp_servers']).map((server) => [textOf(server['name']), { url: server['url'] }]),
    ),
    skills: objectsOf(remote['skills']).map(observedSkill),
  }
}

/** Members of agents and templates that the server resolves when they are saved. */
export const resolvedMembers = [
  // Short forms of the toolset, which are sent as its list of tools.
  'tools/*/enabled_tools',
  'tools/*/disallowed_tools',
  'tools/*/configs/*',
  'skills/*/version',
  'skills/*/name',
  // A disabled skill counts as absent.
  'skills/*/enabled',
  'multiagent/agents/*/version',
  'multiagent/agents/*/name',
] as const

/** Converts maps by name to the lists of requests. */
export function wireAgent(tree: Tree, remote: Remote = {}): JsonObject {
  const servers = Object.entries(objectOf(tree['mcp_servers']))
  return {
    ...tree,
    // A model with settings is sent in that form, so that they stay.
    ...(isObject(remote['model']) ? { model: { id: tree['model'] } } : {}),
    tools: wireTools(objectOf(tree['tools']), remote['tools']),
    mcp_servers: servers.map(([name, server]) => ({ name, type: 'http', url: objectOf(server)['url'] })),
  }
}

function modelOf({ model }: AgentBody, provider: string): string | undefined {
  return typeof model === 'string' ? model : model[provider]
}

type Skill = NonNullable<AgentBody['skills']>[number]

function desiredSkill(skill: Skill, scope: Scope): Json {
  if (typeof skill === 'string') return { type: 'custom', skill_id: scope.output('skill', skill) }
  return { ...skill, type: skill.type === 'official' ? 'qoder' : skill.type }
}

/** Returns a skill; a missing version means the newest. */
function observedSkill(skill: JsonObject): Json {
  const version = textOf(skill['version'])
  return {
    type: skill['type'],
    skill_id: skill['skill_id'],
    ...(version === '' || version === 'latest' ? {} : { version }),
  }
}
