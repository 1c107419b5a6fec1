// Refuses the permission `auto` on providers whose service does not judge calls (agent configuration 2.11 has two
// permissions; the third exists on claude).
import { type ProviderRule, rule } from '../../core/plugin/rule.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { statedPermissions } from '../kinds/tool-permissions.js'

export function permissionAuto(provider: string, title: string): ProviderRule {
  return rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: `${provider}.agent-permission-auto`,
    severity: 'error',
    spec: '2.11',
    summary: 'The provider does not judge calls of tools by itself',
    fix: 'Say allow or ask, or pin the agent to claude.',
    *check({ declaration: { body } }) {
      for (const { at, permission } of statedPermissions(body.tools))
        if (permission === 'auto') yield { at, detail: `${title} has the permissions allow and ask only.` }
    },
  })
}
