// Limits of metadata, which the two ownership marks count against.
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { hasPlaceholder } from '../../../core/value/placeholder.js'

const entriesMax = 16
const marksCount = 2
const keyMax = 64
const valueMax = 512

interface WithMetadata {
  readonly metadata?: Readonly<Record<string, string>>
}

const kinds = ['environment', 'vault', 'agent', 'deployment'] as const

export const metadataRules: readonly ProviderRule[] = kinds.map((kind) =>
  rule<WithMetadata>({
    kind,
    phase: 'declaration',
    code: 'bailian.metadata-limits',
    severity: 'error',
    summary: 'Metadata is larger than the provider takes',
    fix: 'Use fewer entries, shorter keys or shorter values.',
    *check({ declaration: { body } }) {
      const entries = Object.entries(body.metadata ?? {})
      if (entries.length > entriesMax - marksCount)
        yield {
          at: ['metadata'],
          onKey: true,
          detail: `Bailian takes ${entriesMax} entries, of which ${marksCount} mark this project; these are ${entries.length}.`,
        }
      for (const [key, value] of entries) {
        const at = ['metadata', key]
        if (key.length > keyMax) yield { at, onKey: true, detail: `Bailian takes keys of up to ${keyMax} characters.` }
        if (!hasPlaceholder(value) && value.length > valueMax)
          yield { at, detail: `Bailian takes values of up to ${valueMax} characters; this one has ${value.length}.` }
      }
    },
  }),
)
