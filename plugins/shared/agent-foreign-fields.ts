// Fields of agents that only qoder supports. The other providers refuse them, because an agent without them would
// behave differently (agent configuration 2.11, 2.15).
import { type ProviderRule, rule } from '../../core/plugin/rule.js'
import type { AgentBody } from '../kinds/agent-body.js'

const foreignFields = {
  tunnel: { spec: '2.6', detail: 'A tunnel is named on qoder alone.' },
  environment_variables: { spec: '2.11', detail: 'Agents carry environment variables on qoder alone.' },
  managed_tool_config: { spec: '7.5', detail: 'Managed tools need forward delivery, which exists on qoder alone.' },
  default_memory_store: {
    spec: '7.6',
    detail: 'A default memory store needs forward delivery, which exists on qoder alone.',
  },
} as const satisfies Partial<Record<keyof AgentBody, unknown>>

/** `reasons`: what to say instead of the usual reason, by field. */
export function agentForeignFieldRules(
  provider: string,
  reasons: Partial<Record<keyof typeof foreignFields, string>> = {},
): readonly ProviderRule[] {
  const own: Readonly<Record<string, string>> = reasons
  const usual = { kind: 'agent', phase: 'declaration', severity: 'error' } as const
  return [
    ...Object.entries(foreignFields).map(([field, { spec, detail }]) =>
      rule<AgentBody>({
        ...usual,
        code: `${provider}.agent-foreign-field`,
        spec,
        summary: 'A field of agents belongs to another provider',
        fix: 'Remove the field, or pin the agent to qoder.',
        *check({ declaration: { body } }) {
          if (field in body) yield { at: [field], onKey: true, detail: own[field] ?? detail }
        },
      }),
    ),
    rule<AgentBody>({
      ...usual,
      code: `${provider}.agent-forward-delivery`,
      spec: '2.11',
      summary: 'Agents cannot be delivered forward here',
      fix: 'Remove the entry, or use type: managed.',
      *check({ declaration: { body }, provider: target }) {
        if (body.delivery?.[target]?.type === 'forward')
          yield { at: ['delivery', target, 'type'], detail: 'Forward delivery exists on qoder alone.' }
      },
    }),
  ]
}
