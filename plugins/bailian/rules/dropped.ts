// Rules that report fields without a counterpart, which are not sent.
import type { Severity } from '../../../core/diagnostic.js'
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { JsonObject } from '../../../core/value/tree.js'

interface DroppedField {
  readonly kind: string
  readonly field: string
  readonly severity: Severity
  readonly detail: string
}

const droppedFields: readonly DroppedField[] = [
  {
    kind: 'skill',
    field: 'description',
    severity: 'note',
    detail: 'Bailian takes the description from the front matter of SKILL.md.',
  },
  {
    kind: 'skill',
    field: 'version',
    severity: 'warning',
    detail: 'Bailian numbers the versions of a skill by itself.',
  },
  { kind: 'file', field: 'purpose', severity: 'warning', detail: 'Files have no purpose on Bailian.' },
]

export const droppedRules: readonly ProviderRule[] = [
  ...droppedFields.map(({ kind, field, severity, detail }) =>
    rule<JsonObject>({
      kind,
      phase: 'declaration',
      code: 'bailian.field-not-sent',
      severity,
      summary: 'A field is not sent to this provider',
      fix: 'Remove it where this provider is the only target.',
      *check({ declaration: { body } }) {
        if (body[field] !== undefined) yield { at: [field], onKey: true, detail }
      },
    }),
  ),
  rule<JsonObject>({
    kind: 'skill',
    phase: 'declaration',
    code: 'bailian.skill-origin',
    severity: 'warning',
    spec: '2.9',
    summary: 'A folder cannot become an official skill',
    fix: "Name the official skill in the agent's skills by its skill_id instead.",
    *check({ declaration: { body } }) {
      if (body['origin'] === 'official')
        yield {
          at: ['origin'],
          detail: "The folder is uploaded as the workspace's own skill, whatever its origin says.",
        }
    },
  }),
]
