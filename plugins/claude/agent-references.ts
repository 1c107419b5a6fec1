// MCP servers and skills of an agent. The wire has unordered arrays with values that the server resolved; the compared
// trees are maps by identity.

import type { Scope } from '../../core/plugin/scope.js'
import { isEmpty, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { objectOf, objectsOf } from '../shared/wire.js'

/** Returns addresses by server name. */
export function desiredServers(servers: AgentBody['mcp_servers']): Tree {
  return Object.fromEntries((servers ?? []).map(({ name, url }) => [name, url]))
}

export function observedServers(servers: Json | undefined): Tree {
  return Object.fromEntries(objectsOf(servers).map(({ name, url }) => [String(name), url]))
}

export function wireServers(servers: Json | undefined): readonly JsonObject[] {
  return Object.entries(objectOf(servers)).map(([name, url]) => ({ name, type: 'url', url }))
}

/** Returns skills by id. A declared skill is sent with its newest version, so that new content reaches the agent. */
export function desiredSkills(skills: AgentBody['skills'], scope: Scope): Tree {
  return Object.fromEntries(
    (skills ?? []).map((skill) =>
      typeof skill === 'string'
        ? [scope.output('skill', skill), { type: 'custom', version: scope.output('skill', skill, 'version') }]
        : [skill.skill_id, { type: skill.type === 'official' ? 'anthropic' : skill.type, version: skill.version }],
    ),
  )
}

export function observedSkills(skills: Json | undefined): Tree {
  return Object.fromEntries(
    objectsOf(skills).map(({ skill_id, type, version }) => [String(skill_id), { type, version }]),
  )
}

export function wireSkills(skills: Json | undefined): readonly JsonObject[] {
  return Object.entries(objectOf(skills)).map(([skill_id, skill]) => {
    const { type, version } = objectOf(skill)
    return { type, skill_id, ...(isEmpty(version) ? {} : { version }) }
  })
}

/** Returns references without the version, which the server always resolves to the newest. */
export function declaredSkills(skills: Json | undefined) {
  return objectsOf(skills).map(({ type, skill_id, version }) => ({
    type: type === 'anthropic' ? 'official' : 'custom',
    skill_id: String(skill_id),
    ...(typeof version === 'string' ? { current: version } : {}),
  }))
}
