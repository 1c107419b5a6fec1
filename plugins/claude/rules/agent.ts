// Rules for agents (agent configuration 2.11).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { hasPlaceholder } from '../../../core/value/placeholder.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import { fileWithoutMountPath } from '../../shared/file-without-mount-path.js'

const instructionsCharactersMax = 100_000

/** Fields that only qoder supports, with the reason why they are not dropped silently. */
const foreignFields = {
  tunnel: { spec: '2.6', detail: 'Tunnels into private networks exist on qoder alone.' },
  environment_variables: { spec: '2.11', detail: 'Agents carry environment variables on qoder alone.' },
  managed_tool_config: { spec: '7.5', detail: 'Managed tools need forward delivery, which exists on qoder alone.' },
  default_memory_store: {
    spec: '7.6',
    detail: 'A default memory store needs forward delivery, which exists on qoder alone.',
  },
} as const satisfies Partial<Record<keyof AgentBody, unknown>>

export const agentRules: readonly ProviderRule[] = [
  ...Object.entries(foreignFields).map(([field, { spec, detail }]) =>
    rule<AgentBody>({
      kind: 'agent',
      phase: 'declaration',
      code: 'claude.agent-foreign-field',
      severity: 'error',
      spec,
      summary: 'A field of agents belongs to another provider',
      fix: 'Remove the field, or pin the agent to qoder.',
      *check({ declaration: { body } }) {
        if (field in body) yield { at: [field], onKey: true, detail }
      },
    }),
  ),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'claude.agent-forward-delivery',
    severity: 'error',
    spec: '2.11',
    summary: 'Agents cannot be delivered forward here',
    fix: 'Remove the entry, or use type: managed.',
    *check({ declaration: { body }, provider }) {
      if (body.delivery?.[provider]?.type === 'forward')
        yield { at: ['delivery', provider, 'type'], detail: 'Forward delivery exists on qoder alone.' }
    },
  }),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'claude.agent-instructions-too-long',
    severity: 'error',
    summary: 'Instructions are longer than the provider takes',
    fix: 'Shorten them, or move parts of them into a skill.',
    *check({ declaration: { body } }) {
      const { length } = body.instructions
      if (!hasPlaceholder(body.instructions) && length > instructionsCharactersMax)
        yield {
          at: ['instructions'],
          detail: `Claude takes up to ${instructionsCharactersMax} characters; these are ${length}.`,
        }
    },
  }),
  fileWithoutMountPath({ code: 'claude.agent-file-without-mount-path', title: 'Claude' }),
]
