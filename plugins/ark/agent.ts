// Agents, which have versions. A session keeps the version it was started with.
import { handler } from '../../core/plugin/handler.js'
import type { Scope } from '../../core/plugin/scope.js'
import { isObject, type Json, type Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { versionOutputs } from '../shared/collection.js'
import { declaredAgent } from '../shared/declared-agent.js'
import { updateAgent } from './agent-update.js'
import { coordinatesItself, observedAgent, wireAgent, written } from './agent-wire.js'
import { calledName, collection } from './answers.js'
import type { ArkClient } from './client.js'
import { builtinTools, desiredTools, hasUndeclaredTools } from './tools.js'

export const agent = handler<ArkClient, AgentBody>({
  ...collection('/agents'),
  ...written,
  kind: 'agent',
  mark: 'metadata',

  desired: ({ name, body }, scope) => ({
    name: body.name ?? name,
    model: { id: typeof body.model === 'string' ? body.model : body.model[scope.provider] },
    description: body.description,
    system: body.instructions,
    tools: desiredTools(body),
    mcp_servers: Object.fromEntries((body.mcp_servers ?? []).map((server) => [server.name, server.url])),
    skills: desiredSkills(body, scope),
    multiagent: desiredRoster(body, scope),
    metadata: body.metadata,
  }),
  observed: observedAgent,
  outputs: versionOutputs,

  create: ({ client, signal }, { desired }) =>
    client.create('/agents', { ...wireAgent(desired), metadata: desired['metadata'] ?? {} }, { signal }),
  update: updateAgent,

  moves: ['version'],
  lostCreate: { by: 'mark' },
  name: calledName,
  isNamedByKey: true,
  declare: ({ remote }, index) => {
    const tree = observedAgent(remote)
    // The next update would remove tools that cannot be declared.
    if (hasUndeclaredTools(tree)) return index.cannotSay('its tools cannot be declared in agents.yaml')
    if (coordinatesItself(tree)) return index.cannotSay('it is a member of its own roster')
    return declaredAgent(tree, { builtinTools, skills: declaredSkills(tree['skills']) }, index)
  },
})

/** Types of skills on the wire: the API calls the catalogue of official skills a hub. */
const skillTypes = { custom: 'custom', official: 'skill_hub' } as const

function desiredSkills({ skills = [] }: AgentBody, scope: Scope): readonly Tree[] {
  return skills.map((skill) =>
    typeof skill === 'string'
      ? { type: skillTypes.custom, skill_id: scope.output('skill', skill) }
      : { type: skillTypes[skill.type], skill_id: skill.skill_id, version: skill.version },
  )
}

function declaredSkills(skills: Json | undefined) {
  return (Array.isArray(skills) ? skills.filter(isObject) : []).map(({ type, skill_id, version }) => ({
    type: type === skillTypes.official ? 'official' : 'custom',
    skill_id: String(skill_id),
    ...(typeof version === 'string' ? { version } : {}),
  }))
}

/** Returns ids only: member versions are never declared (agent configuration 2.15 rule 6). */
function desiredRoster({ multiagent }: AgentBody, scope: Scope): Tree {
  const members = multiagent?.agents ?? []
  return {
    agents: members.map((member) => (typeof member === 'string' ? scope.output('agent', member) : member.agent_id)),
  }
}
