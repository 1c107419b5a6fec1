// Fields without a counterpart at a provider: they are left out of requests, and a finding says so.
import { type ProviderRule, rule } from '../../core/plugin/rule.js'
import type { JsonObject } from '../../core/value/tree.js'

/** Members that every rule about such a field has. */
export const notSent = (provider: string) =>
  ({
    phase: 'declaration',
    code: `${provider}.field-not-sent`,
    summary: 'A field is not sent to this provider',
    fix: 'Remove it where this provider is the only target.',
  }) as const

/**
 * Upload fields that are not sent, because the provider derives them from the upload. `title`: the provider's display
 * name.
 */
export function uploadFieldsNotSent(provider: string, title: string): readonly ProviderRule[] {
  const fields = [
    {
      kind: 'skill',
      field: 'description',
      severity: 'note',
      detail: `${title} takes the description from the front matter of SKILL.md.`,
    },
    {
      kind: 'skill',
      field: 'version',
      severity: 'warning',
      detail: `${title} numbers the versions of a skill by itself.`,
    },
    { kind: 'file', field: 'purpose', severity: 'warning', detail: `Files have no purpose on ${title}.` },
  ] as const
  return fields.map(({ kind, field, severity, detail }) =>
    rule<JsonObject>({
      ...notSent(provider),
      kind,
      severity,
      *check({ declaration: { body } }) {
        if (body[field] !== undefined) yield { at: [field], onKey: true, detail }
      },
    }),
  )
}

/** Returns the rule for `origin` of a skill. `owner`: owner that every uploaded folder gets (`workspace`). */
export function skillOrigin(provider: string, owner: string): ProviderRule {
  return rule<JsonObject>({
    kind: 'skill',
    phase: 'declaration',
    code: `${provider}.skill-origin`,
    severity: 'warning',
    spec: '2.9',
    summary: 'A folder cannot become an official skill',
    fix: "Name the official skill in the agent's skills by its skill_id instead.",
    *check({ declaration: { body } }) {
      if (body['origin'] === 'official')
        yield {
          at: ['origin'],
          detail: `The folder is uploaded as the ${owner}'s own skill, whatever its origin says.`,
        }
    },
  })
}
