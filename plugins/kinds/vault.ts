// Vaults: stores of credentials (agent configuration 2.7).
import { kind } from '../../core/plugin/kind.js'
import type { KindRule } from '../../core/plugin/rule.js'
import { credentialAddress } from './address-rules.js'
import { type VaultBody, vaultSchema } from './vault-body.js'

const repeatedName: KindRule<VaultBody> = {
  code: 'vault.credential-name-repeated',
  severity: 'error',
  spec: '2.7',
  summary: 'Two credentials of a vault have the same name',
  fix: 'Rename one of them.',
  *check({ body }) {
    const seen = new Set<string>()
    for (const [index, { name }] of (body.credentials ?? []).entries()) {
      if (seen.has(name)) yield { at: ['credentials', index, 'name'], detail: `"${name}" stands in the vault already.` }
      seen.add(name)
    }
  },
}

export const vault = kind({
  kind: 'vault',
  section: 'vaults',
  summary: 'Credential stores.',
  schema: vaultSchema,
  references: () => [],
  rules: [repeatedName, credentialAddress],
})
