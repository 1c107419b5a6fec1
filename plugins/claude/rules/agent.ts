// Rules for agents (agent configuration 2.11).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { hasPlaceholder } from '../../../core/value/placeholder.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import { agentForeignFieldRules } from '../../shared/agent-foreign-fields.js'
import { fileWithoutMountPath } from '../../shared/file-without-mount-path.js'

const instructionsCharactersMax = 100_000

/** How tunnels are used here, whose API has some. */
export const tunnelsByAddress =
  'On Claude nothing names a tunnel: MCP servers below the domain of a tunnel are reached through it by their url.'

export const agentRules: readonly ProviderRule[] = [
  ...agentForeignFieldRules('claude', { tunnel: tunnelsByAddress }),
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
