// Rules for skills that agents refer to by id instead of name (agent configuration 2.11).
import type { KindRule } from '../../core/plugin/rule.js'
import type { AgentBody } from './agent-body.js'

export const skillIdIsName: KindRule<AgentBody> = {
  code: 'agent.skill-id-is-name',
  severity: 'warning',
  spec: '2.11',
  summary: 'The id of a skill is the name of a declared one',
  fix: 'Name the skill instead of describing it.',
  *check({ body }, project) {
    for (const [index, skill] of (body.skills ?? []).entries()) {
      if (typeof skill === 'string' || skill.type !== 'custom' || !project.find('skill', skill.skill_id)) continue
      yield {
        at: ['skills', index, 'skill_id'],
        detail: `skills declares "${skill.skill_id}", and skill_id is the id that a provider gave to a skill outside this file.`,
        fix: `Write ${skill.skill_id} alone in the list, if that one is meant.`,
      }
    }
  },
}
