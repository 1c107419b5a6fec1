// Rule of providers whose sessions mount only files with an explicit path: warns of an agent's files without one (agent
// configuration 2.11).
import { type ProviderRule, type RuleSubject, rule } from '../../core/plugin/rule.js'
import type { AgentBody } from '../kinds/agent-body.js'

export interface NamedFiles {
  readonly code: string
  /** Display name of the provider, at the beginning of a sentence. */
  readonly title: string
  /** True for agents to which the rule applies. Default: every agent. */
  concerns?(subject: RuleSubject<AgentBody>): boolean
}

export function fileWithoutMountPath({ code, title, concerns = () => true }: NamedFiles): ProviderRule {
  return rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code,
    severity: 'warning',
    spec: '2.11',
    summary: 'A file is not mounted',
    fix: 'Write { file: …, mount_path: … } instead of the name alone.',
    *check(subject) {
      if (!concerns(subject)) return
      for (const [index, file] of (subject.declaration.body.files ?? []).entries())
        if (typeof file === 'string')
          yield { at: ['files', index], detail: `${title} mounts a file where mount_path says, and ${file} has none.` }
    },
  })
}
