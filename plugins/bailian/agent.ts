// Agents: every update replaces the whole object and must name the version it was made from.
import { handler, type Remote } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { RemoteIndex } from '../../core/plugin/remote-index.js'
import type { Scope } from '../../core/plugin/scope.js'
import { keepUndeclared, type Written } from '../../core/plugin/undeclared.js'
import { isEmpty, isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { versionOutputs } from '../shared/collection.js'
import { declaredAgent } from '../shared/declared-agent.js'
import { objectOf, objectsOf } from '../shared/wire.js'
import { declaredSkills, desiredSkills, observedSkills, wireSkills, withVersions } from './agent-skills.js'
import { builtinTools, declarableTools, desiredTools, observedTools, wireTools } from './agent-tools.js'
import { archival, calledName, collection } from './answers.js'
import type { BailianClient } from './client.js'

const written = {
  fields: {
    'model/id': { label: 'model' },
    system: { label: 'instructions' },
    // The API requires a version even if none is declared; an undeclared version keeps its value.
    'skills/*/version': { owner: 'whileDeclared' },
    'multiagent/agents': { unordered: true },
  },
  wire: wireBody,
  replacesAllBut: ['id', 'type', 'version', 'workspace_id', 'created_at', 'updated_at', 'archived_at', 'request_id'],
  // Limits and temperatures belong to a model.
  decisive: ['model/id'],
  added: ['tools/*/configs/*', 'multiagent/agents/*/version', 'multiagent/agents/*/name'],
} as const satisfies Written

export const agent = handler<BailianClient, AgentBody>({
  ...collection('/agents'),
  ...archival('/agents'),
  ...written,
  kind: 'agent',
  mark: 'metadata',

  desired,
  observed,
  outputs: versionOutputs,

  create: async (call, { desired }) =>
    call.client.create('/agents', await withVersions(call, wireBody(desired)), { signal: call.signal }),
  update: async (call, request) => {
    const { id, remote } = request
    // If the agent was saved since it was read, the API refuses the update as stale; the engine then finds out whose
    // change it was.
    const { body: whole } = keepUndeclared(written, request)
    const body = { version: remote['version'], ...(await withVersions(call, whole)) }
    return call.client.update(pathTo`/agents/${id}`, body, { signal: call.signal })
  },

  moves: ['version'],
  lostCreate: { by: 'mark' },
  name: calledName,
  isNamedByKey: true,
  declare: ({ remote }, index) => declaration(remote, index),
})

/** Servers of the marketplace are identified by name; agents.yaml cannot express those of the workspace. */
const official = 'official'

function desired({ name, body }: { readonly name: string; readonly body: AgentBody }, scope: Scope): Tree {
  const { model } = body
  return {
    name: body.name ?? name,
    description: body.description,
    model: { id: typeof model === 'string' ? model : model[scope.provider] },
    system: body.instructions,
    tools: desiredTools(body),
    mcp_servers: Object.fromEntries((body.mcp_servers ?? []).map((server) => [server.name, official])),
    skills: desiredSkills(body, scope),
    multiagent: {
      agents: body.multiagent?.agents?.map((member) =>
        typeof member === 'string' ? scope.output('agent', member) : member.agent_id,
      ),
    },
    metadata: body.metadata,
  }
}

function observed(remote: Remote): Tree {
  const { model } = remote
  return {
    name: remote['name'],
    description: remote['description'],
    // Limits and temperatures of the model cannot be declared and keep their values.
    model: { id: isObject(model) ? model['id'] : model },
    system: remote['system'],
    tools: observedTools(remote['tools']),
    mcp_servers: Object.fromEntries(objectsOf(remote['mcp_servers']).map(({ name, type }) => [String(name), type])),
    skills: observedSkills(remote['skills']),
    multiagent: { agents: membersOf(remote).flatMap(({ type, id }) => (type === 'agent' && id ? [id] : [])) },
    metadata: remote['metadata'],
  }
}

function membersOf({ multiagent }: Remote): readonly JsonObject[] {
  return objectsOf(objectOf(multiagent)['agents'])
}

/** Returns the declaration; undefined if a part cannot be declared. */
function declaration(remote: Remote, index: RemoteIndex): JsonObject | undefined {
  const tree = observed(remote)
  const tools = declarableTools(tree)
  if (!tools) return index.cannotSay('its tools cannot be declared in agents.yaml')
  if (Object.values(objectOf(tree['mcp_servers'])).some((type) => type !== official))
    return index.cannotSay('it has an MCP server that is not from the marketplace')
  const server = (name: string) => ({ name, type: official })
  const skills = declaredSkills(remote['skills'])
  return declaredAgent({ ...tree, tools }, { builtinTools, saysEveryToolkit: true, server, skills }, index)
}

/** Returns the complete object, because the API clears missing members. */
function wireBody(desired: Tree, base: Remote = {}): JsonObject {
  const { tools, mcp_servers, skills, multiagent, ...rest } = desired
  const servers = Object.entries(objectOf(mcp_servers))
  return {
    ...rest,
    tools: wireTools(tools, base['tools']),
    mcp_servers: servers.map(([name, type]) => ({ type, name })),
    skills: wireSkills(skills, base['skills']),
    ...wireRoster(objectOf(multiagent)['agents'], base),
  }
}

/** Returns the roster: an empty one if the agent's current roster must be cleared, none if it has none. */
function wireRoster(wanted: Json | undefined, base: Remote): JsonObject {
  const ids = Array.isArray(wanted) ? wanted : []
  if (ids.length === 0 && isEmpty(base['multiagent'])) return {}
  return { multiagent: { type: 'coordinator', agents: ids.map((id) => ({ type: 'agent', id })) } }
}
