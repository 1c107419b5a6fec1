// Identities: the end users agents act for (agent configuration 2.2).
import { type Static, Type } from 'typebox'
import { kind } from '../../core/plugin/kind.js'
import type { KindRule } from '../../core/plugin/rule.js'
import { Exact, ProviderName, StringMap, Text, Word } from '../../core/plugin/schema.js'

const schema = Exact(
  {
    provider: Type.Optional(ProviderName()),
    external_id: Type.Optional(
      Word({ minLength: 1, description: "Your product's stable id of the end user. Required without identity_id." }),
    ),
    identity_id: Type.Optional(
      Word({ minLength: 1, description: 'An existing identity, which is never created, updated or deleted.' }),
    ),
    name: Type.Optional(Text({ minLength: 1, description: 'Display name. Left out: the key.' })),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether agents act for this user.', default: true })),
    metadata: Type.Optional(StringMap({ description: 'Labels of your own; the provider only stores them.' })),
  },
  { description: 'An end user that agents act for.' },
)

export type IdentityBody = Static<typeof schema>

/** Members of an identity that is created and updated, as opposed to an existing one. */
const managedFields = ['external_id', 'name', 'enabled', 'metadata'] as const

const twoForms: KindRule<IdentityBody> = {
  code: 'identity.two-forms',
  severity: 'error',
  spec: '2.2',
  summary: 'An identity is both managed and a reference',
  fix: 'Keep identity_id alone for an existing identity, or remove it.',
  *check({ body }) {
    if (body.identity_id === undefined) return
    const extra = managedFields.filter((field) => body[field] !== undefined)
    const detail = 'An identity named by identity_id is never changed, so it cannot have this field.'
    for (const field of extra) yield { at: [field], onKey: true, detail }
  },
}

const withoutId: KindRule<IdentityBody> = {
  code: 'identity.id-missing',
  severity: 'error',
  spec: '2.2',
  summary: 'An identity has no id',
  fix: 'Add external_id, or the identity_id of an existing identity.',
  *check({ body }) {
    if (body.identity_id !== undefined || body.external_id !== undefined) return
    yield { at: [], detail: 'It has neither external_id nor identity_id.' }
  },
}

export const identity = kind({
  kind: 'identity',
  section: 'identities',
  summary: 'Stable end-user identities.',
  schema,
  hasDefault: true,
  references: () => [],
  external: ({ identity_id }) => identity_id,
  rules: [twoForms, withoutId],
})
