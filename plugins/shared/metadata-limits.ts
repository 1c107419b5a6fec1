// Limits of metadata, which the two ownership marks count against.
import { type ProviderRule, rule } from '../../core/plugin/rule.js'
import { hasPlaceholder } from '../../core/value/placeholder.js'

export interface MetadataLimits {
  /** Canonical name, used in the code; `title` is the display name. */
  readonly provider: string
  readonly title: string
  /** Kinds whose metadata contains the ownership marks. */
  readonly kinds: readonly string[]
  readonly entriesMax: number
  readonly keyCharactersMax: number
  readonly valueCharactersMax: number
}

const marksCount = 2

interface WithMetadata {
  /** Metadata; values that are not strings are checked by the kinds. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

export function metadataRules(limits: MetadataLimits): readonly ProviderRule[] {
  const { provider, title, kinds, entriesMax, keyCharactersMax, valueCharactersMax } = limits
  return kinds.map((kind) =>
    rule<WithMetadata>({
      kind,
      phase: 'declaration',
      code: `${provider}.metadata-limits`,
      severity: 'error',
      summary: 'Metadata is larger than the provider takes',
      fix: 'Use fewer entries, shorter keys or shorter values.',
      *check({ declaration: { body } }) {
        const entries = Object.entries(body.metadata ?? {})
        if (entries.length > entriesMax - marksCount)
          yield {
            at: ['metadata'],
            onKey: true,
            detail: `${title} takes ${entriesMax} entries, of which ${marksCount} mark this project; these are ${entries.length}.`,
          }
        for (const [key, value] of entries) {
          const at = ['metadata', key]
          if (key.length > keyCharactersMax)
            yield { at, onKey: true, detail: `${title} takes keys of up to ${keyCharactersMax} characters.` }
          if (typeof value === 'string' && !hasPlaceholder(value) && value.length > valueCharactersMax)
            yield {
              at,
              detail: `${title} takes values of up to ${valueCharactersMax} characters; this one has ${value.length}.`,
            }
        }
      },
    }),
  )
}
