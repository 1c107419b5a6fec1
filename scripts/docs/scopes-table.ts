// The table of docs/document-server.md that says what each scope of a document token or tenant token opens, made from
// the operations of the server and from what the ops of `changes` need.

import { operations } from '../../server/api/index.js'
import { tenantScopes } from '../../server/auth/tenant-scopes.js'
import type { Operation } from '../../server/operation/operation.js'
import { capabilities } from '../../workers/contract/capabilities.js'
import { opContracts } from '../../workers/contract/ops/index.js'

/** Scopes that no operation or op requires, but that change its effect. */
const furtherUses: Readonly<Record<string, string>> = {
  'doc.annotate.import': 'Authors and dates of annotations in inserted pages',
  'doc.sign.certify': 'Certifications, and locks with a permission, in `doc.signatures.prepare` (with `doc.sign`)',
  'doc.unredacted':
    'Versions from before a redaction, to holders of the rights to read versions; `*` does not include it',
}

interface Need {
  /** Text of the table's cell. */
  readonly name: string
  readonly scopes: readonly string[]
}

const operationNeeds = operations.map(
  (operation): Need => ({ name: `\`${operation.name}\``, scopes: scopesOf(operation) }),
)
/** Ops without a route of their own. */
const furtherOps = opContracts.filter(({ route }) => route === undefined)
const needs = [
  ...operationNeeds,
  ...furtherOps.map(
    ({ type, needs: { capabilities, besides = [] } }): Need => ({
      name: `\`${type}\` in \`doc.changes\``,
      scopes: [...capabilities, ...besides],
    }),
  ),
]

export function scopesTable(): string {
  const rows = [...tenantScopes.filter((scope) => scope !== '*'), ...capabilities].map(
    (scope) => `| \`${scope}\` | ${opened(scope)} |`,
  )
  return ['| Scope | Opens |', '|---|---|', ...rows].join('\n')
}

function opened(scope: string): string {
  const uses = needs.flatMap(({ name, scopes }) => {
    const others = scopes.filter((one) => one !== scope)
    if (others.length === scopes.length) return []
    return [`${name}${others.length === 0 ? '' : ` (with ${others.map((one) => `\`${one}\``).join(', ')})`}`]
  })
  const further = furtherUses[scope]
  const all = further === undefined ? uses : [...uses, further]
  return all.length === 0 ? 'Nothing yet' : all.join(', ')
}

function scopesOf({ authority }: Operation): readonly string[] {
  if (authority.kind === 'tenant') return authority.scopes
  return authority.kind === 'document' ? [...authority.capabilities, ...(authority.besides ?? [])] : []
}
