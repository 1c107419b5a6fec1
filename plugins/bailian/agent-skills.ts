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

/** Returns skills; an undeclared version keeps its present value. */
export function wireSkills(wanted: Json | undefined, current: Json | undefined): readonly JsonObject[] {
  const present = observedSkills(current)
  return Object.entries(objectOf(wanted)).map(([skill_id, skill]) => {
    const { type, version } = objectOf(skill)
    return { type, skill_id, version: version ?? objectOf(present[skill_id])['version'] }
  })
}

/** Fills in the newest version of every skill that is new to the agent. */
export async function withVersions({ client, signal }: Call<BailianClient>, body: JsonObject): Promise<JsonObject> {
  const skills = objectsOf(body['skills']).map(async (skill): Promise<JsonObject> => {
    const { skill_id, version } = skill
    const known = version ?? (await client.get(pathTo`/skills/${String(skill_id)}`, { signal }))['latest_version']
    return { ...skill, version: known }
  })
  return { ...body, skills: await Promise.all(skills) }
}
