// Rules that report fields without a counterpart, which are not sent.

import type { Severity } from '../../../core/diagnostic.js'
import type { Finding } from '../../../core/plugin/declaration.js'
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { JsonObject } from '../../../core/value/tree.js'
import type { VaultBody } from '../../kinds/vault-body.js'

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
    detail: 'Claude takes the description from the front matter of SKILL.md.',
  },
  { kind: 'skill', field: 'version', severity: 'warning', detail: 'Claude numbers the versions of a skill by itself.' },
  { kind: 'file', field: 'purpose', severity: 'warning', detail: 'Files have no purpose on Claude.' },
]

const text = {
  phase: 'declaration',
  code: 'claude.field-not-sent',
  summary: 'A field is not sent to this provider',
  fix: 'Remove it where this provider is the only target.',
} as const

export const droppedRules: readonly ProviderRule[] = [
  ...droppedFields.map(({ kind, field, severity, detail }) =>
    rule<JsonObject>({
      ...text,
      kind,
      severity,
      *check({ declaration: { body } }): Iterable<Finding> {
        if (body[field] !== undefined) yield { at: [field], onKey: true, detail }
      },
    }),
  ),
  rule<VaultBody>({
    ...text,
    kind: 'vault',
    severity: 'note',
    spec: '2.7',
    *check({ declaration: { body } }): Iterable<Finding> {
      for (const [index, credential] of (body.credentials ?? []).entries())
        if (credential.type === 'static_bearer' && credential.protocol !== undefined)
          yield {
            at: ['credentials', index, 'protocol'],
            onKey: true,
            detail: 'Claude finds out the transport of an MCP server by itself.',
          }
    },
  }),
  rule<JsonObject>({
    kind: 'skill',
    phase: 'declaration',
    code: 'claude.skill-origin',
    severity: 'warning',
    spec: '2.9',
    summary: 'A folder cannot become an official skill',
    fix: "Name the official skill in the agent's skills by its skill_id instead.",
    *check({ declaration: { body } }) {
      if (body['origin'] === 'official')
        yield {
          at: ['origin'],
          detail: "The folder is uploaded as the organisation's own skill, whatever its origin says.",
        }
    },
  }),
]
