// Skills of an agent, by id and with a concrete version, which this API requires.
import type { Call } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { Scope } from '../../core/plugin/scope.js'
import type { Json, JsonObject, Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { objectOf, objectsOf } from '../shared/wire.js'
import type { BailianClient } from './client.js'

const wireType = { official: 'official', custom: 'customer' } as const

/**
 * Returns skills by id. A skill of this project follows its newest version; a skill that is declared by id has a
 * version only if the declaration names one.
 */
export function desiredSkills({ skills }: AgentBody, scope: Scope): Tree {
  return Object.fromEntries(
    (skills ?? []).map((skill) => {
      if (typeof skill !== 'string')
        return [skill.skill_id, { type: wireType[skill.type], version: concrete(skill.version) }]
      return [scope.output('skill', skill), { type: wireType.custom, version: scope.output('skill', skill, 'version') }]
    }),
  )
}

function concrete(version: string | undefined): string | undefined {
  return version === 'latest' ? undefined : version
}

export function observedSkills(wire: Json | undefined): Tree {
  return Object.fromEntries(objectsOf(wire).map(({ type, skill_id, version }) => [String(skill_id), { type, version }]))
}

/** Returns skills without versions that were not declared: the API always returns one. */
export function declaredSkills(wire: Json | undefined) {
  return objectsOf(wire).map(({ type, skill_id, version }) => ({
    type: type === wireType.official ? 'official' : 'custom',
    skill_id: String(skill_id),
    ...(typeof version === 'string' ? { current: version } : {}),
  }))
}

/** Fills in missing versions: the agent keeps its present one, and a skill that is new to the agent gets its newest. */
export function wireSkills(
  { client, signal }: Call<BailianClient>,
  wanted: Json | undefined,
  current: Json | undefined,
): Promise<readonly JsonObject[]> {
  const present = observedSkills(current)
  const skills = Object.entries(objectOf(wanted))
  return Promise.all(
    skills.map(async ([skill_id, skill]): Promise<JsonObject> => {
      const { type, version: declared } = objectOf(skill)
      const known = declared ?? objectOf(present[skill_id])['version']
      const version = known ?? (await client.get(pathTo`/skills/${skill_id}`, { signal }))['latest_version']
      return { type, skill_id, version }
    }),
  )
}
