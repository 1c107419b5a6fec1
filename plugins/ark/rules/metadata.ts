// Limits of an agent's metadata, which the two ownership marks count against.
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { hasPlaceholder } from '../../../core/value/placeholder.js'
import type { AgentBody } from '../../kinds/agent-body.js'

export const metadataLimits = { pairsMax: 16, markPairs: 2, keyLengthMax: 64, valueLengthMax: 512 } as const

export const metadataRules: readonly ProviderRule[] = [
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'ark.metadata-limits',
    severity: 'error',
    summary: 'Metadata is larger than the provider takes',
    fix: 'Use fewer entries, shorter keys or shorter values.',
    *check({ declaration: { body } }) {
      const { pairsMax, markPairs, keyLengthMax, valueLengthMax } = metadataLimits
      const entries = Object.entries(body.metadata ?? {})
      if (entries.length > pairsMax - markPairs)
        yield {
          at: ['metadata'],
          onKey: true,
          detail: `Ark takes ${pairsMax} entries, of which ${markPairs} mark this project; these are ${entries.length}.`,
        }
      for (const [key, value] of entries) {
        if (key.length > keyLengthMax)
          yield { at: ['metadata', key], onKey: true, detail: `Ark takes keys of up to ${keyLengthMax} characters.` }
        if (!hasPlaceholder(value) && value.length > valueLengthMax)
          yield {
            at: ['metadata', key],
            detail: `Ark takes values of up to ${valueLengthMax} characters; this one has ${value.length}.`,
          }
      }
    },
  }),
]
