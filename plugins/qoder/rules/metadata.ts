// Rules for limits of metadata, common to all kinds.
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { serverMetadata } from '../wire.js'
import { knownText } from './known-text.js'

/** Limits of metadata; two pairs are the ownership marks. */
const limits = { pairsMax: 16, markPairs: 2, keyLengthMax: 64, valueLengthMax: 512 } as const

interface BodyWithMetadata {
  readonly metadata?: Readonly<Record<string, string>>
}

export function metadataRules(kind: string, { markPairs = limits.markPairs }: { readonly markPairs?: number } = {}) {
  const pairsMax = limits.pairsMax - markPairs
  const rules: readonly ProviderRule[] = [
    rule<BodyWithMetadata>({
      code: `qoder.${kind.replace('_', '-')}-metadata-too-many`,
      kind,
      phase: 'declaration',
      severity: 'error',
      summary: 'There is too much metadata for Qoder',
      fix: `Keep at most ${pairsMax} metadata keys.`,
      *check({ declaration: { body } }) {
        const count = Object.keys(body.metadata ?? {}).length
        if (count <= pairsMax) return
        const detail =
          markPairs === 0
            ? `${count} keys are declared, and Qoder keeps ${limits.pairsMax}.`
            : `${count} keys are declared. Qoder keeps ${limits.pairsMax}, of which ${markPairs} say whose object it is.`
        yield { at: ['metadata'], onKey: true, detail }
      },
    }),
    rule<BodyWithMetadata>({
      code: `qoder.${kind.replace('_', '-')}-metadata-too-long`,
      kind,
      phase: 'declaration',
      severity: 'error',
      summary: 'A metadata entry is too long for Qoder',
      fix: 'Shorten it.',
      *check({ declaration: { body }, project }) {
        for (const [key, value] of Object.entries(body.metadata ?? {})) {
          const at = ['metadata', key]
          if (key.length > limits.keyLengthMax) {
            yield {
              at,
              onKey: true,
              detail: `The key has ${key.length} characters; ${limits.keyLengthMax} are allowed.`,
            }
          }
          const { length } = knownText(value, project)
          if (length > limits.valueLengthMax) {
            yield { at, detail: `The value has ${length} characters; ${limits.valueLengthMax} are allowed.` }
          }
        }
      },
    }),
  ]
  return rules
}

/** Returns the rule of kinds to whose metadata the forward API adds a key. */
export function reservedMetadataRule(kind: string): ProviderRule {
  return rule<BodyWithMetadata>({
    code: `qoder.${kind}-metadata-reserved`,
    kind,
    phase: 'declaration',
    severity: 'error',
    summary: 'A metadata key belongs to Qoder',
    fix: 'Use another key.',
    *check({ declaration: { body }, api }) {
      if (api !== 'forward') return
      for (const key of Object.keys(body.metadata ?? {})) {
        if (!serverMetadata.has(key)) continue
        yield {
          at: ['metadata', key],
          onKey: true,
          detail: `The forward API writes "${key}" itself and refuses it in requests.`,
        }
      }
    },
  })
}
