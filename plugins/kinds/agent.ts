// Agents, to which the other kinds belong (agent configuration 2.11-2.15).
import { kind, type Reference } from '../../core/plugin/kind.js'
import { type AgentBody, agentSchema } from './agent-body.js'
import { agentRules } from './agent-rules.js'
import { membersOf } from './multiagent.js'
import { resourceWords } from './resource.js'

export const agent = kind({
  kind: 'agent',
  section: 'agents',
  summary: 'The managed agents.',
  startsSessions: true,
  schema: agentSchema,
  words: resourceWords,
  references,
  sessionSettings: ({ budget }) =>
    budget ? [{ kind: 'budget', name: `${budget.amount} ${budget.currency ?? 'USD'}` }] : [],
  outside: ({ multiagent, skills }) => [
    ...[...membersOf(multiagent)].flatMap(({ member }) =>
      typeof member === 'string' ? [] : [{ kind: 'agent', id: member.agent_id }],
    ),
    ...(skills ?? []).flatMap((skill) =>
      typeof skill === 'string' || skill.type === 'official' ? [] : [{ kind: 'skill', id: skill.skill_id }],
    ),
  ],
  rules: agentRules,
})

/**
 * Yields a reference with role `session` for everything mounted into sessions. A handler that stores the id with the
 * agent changes the role to a value.
 */
function* sessionReferences(body: AgentBody): Iterable<Reference> {
  const single = { environment: 'environment', tunnel: 'tunnel', vault: 'vault' } as const
  for (const field of ['environment', 'tunnel', 'vault'] as const) {
    const name = body[field]
    if (name !== undefined) yield { at: [field], kind: single[field], name, role: 'session' }
  }
  for (const [index, item] of (body.files ?? []).entries()) {
    if (typeof item === 'string') yield { at: ['files', index], kind: 'file', name: item, role: 'session' }
    else yield { at: ['files', index, 'file'], kind: 'file', name: item.file, role: 'session' }
  }
  for (const [index, name] of (body.memory_stores ?? []).entries())
    yield { at: ['memory_stores', index], kind: 'memory_store', name, role: 'session' }
  for (const [index, item] of (body.resources ?? []).entries()) {
    if (item.type !== 'memory_store') continue
    const at = ['resources', index, 'memory_store']
    yield { at, kind: 'memory_store', name: item.memory_store, role: 'session' }
  }
}

function references(body: AgentBody): readonly Reference[] {
  const found = [...sessionReferences(body)]
  for (const [index, name] of (body.skills ?? []).entries())
    if (typeof name === 'string') found.push({ at: ['skills', index], kind: 'skill', name, role: 'value' })
  for (const { at, member } of membersOf(body.multiagent))
    if (typeof member === 'string') found.push({ at, kind: 'agent', name: member, role: 'value' })
  return found
}
