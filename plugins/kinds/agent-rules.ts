// Rules for agents on every provider: models, ids (agent configuration 2.11, 2.15). Those for rosters stand by themselves.
import type { Finding } from '../../core/plugin/declaration.js'
import type { KindRule } from '../../core/plugin/rule.js'
import { agentRepositoryAddress, credentialNear, mcpServerAddress } from './address-rules.js'
import type { AgentBody } from './agent-body.js'
import { rosterRules } from './agent-roster-rules.js'
import { agentToolRules } from './agent-tool-rules.js'
import { membersOf } from './multiagent.js'
import { skillIdIsName } from './skill-reference-rules.js'

type AgentRule = KindRule<AgentBody>

const missingModel: AgentRule = {
  code: 'agent.model-missing',
  severity: 'error',
  spec: '2.11',
  summary: 'An agent has no model for a provider it goes to',
  fix: 'Add the provider to model, or name one model for all providers.',
  *check({ body: { model }, providers }) {
    if (typeof model === 'string') return
    const missing = providers.names.filter((name) => !Object.hasOwn(model, name))
    if (missing.length === 0) return
    yield {
      at: ['model'],
      onKey: true,
      detail: `The agent goes to ${missing.join(' and ')} too, and model says nothing about it.`,
    }
  },
}

const sharedId: AgentRule = {
  code: 'agent.remote-id-shared',
  severity: 'error',
  spec: '2.15',
  summary: 'One remote id serves several providers',
  fix: 'Pin the agent to the provider the id belongs to.',
  *check({ body, providers }) {
    if (providers.names.length < 2) return
    const detail = `The id exists on one provider only, and the agent goes to ${providers.names.join(', ')}.`
    for (const at of remoteIdsOf(body)) yield { at, detail }
  },
}

export const agentRules: readonly AgentRule[] = [
  ...agentToolRules,
  missingModel,
  ...rosterRules,
  sharedId,
  skillIdIsName,
  mcpServerAddress,
  credentialNear,
  agentRepositoryAddress,
]

function* remoteIdsOf(body: AgentBody): Iterable<Finding['at']> {
  for (const { at, member } of membersOf(body.multiagent)) if (typeof member !== 'string') yield [...at, 'agent_id']
  for (const [index, skill] of (body.skills ?? []).entries()) {
    if (typeof skill !== 'string' && skill.type === 'custom') yield ['skills', index, 'skill_id']
  }
}
