// Rules for credentials, and for those of their fields that are not sent (agent configuration 2.7).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { VaultBody } from '../../kinds/vault-body.js'

/** Limit of the server. */
export const credentialsMax = 100

const kind = 'vault'
const phase = 'declaration'
const spec = '2.7'

export const vaultRules: readonly ProviderRule[] = [
  rule<VaultBody>({
    kind,
    phase,
    code: 'ark.credential-injection',
    severity: 'warning',
    spec,
    summary: 'It cannot be said here where a secret is put',
    fix: 'Remove injection_location, or pin the vault to bailian.',
    *check({ declaration: { body } }) {
      for (const [index, credential] of (body.credentials ?? []).entries())
        if (credential.type === 'environment_variable' && credential.injection_location !== undefined)
          yield {
            at: ['credentials', index, 'injection_location'],
            onKey: true,
            detail: 'Ark has no such setting, so that it is not sent.',
          }
    },
  }),
  rule<VaultBody>({
    kind,
    phase,
    code: 'ark.credential-protocol',
    severity: 'note',
    spec,
    summary: 'Credentials have no protocol here',
    fix: 'Remove protocol.',
    *check({ declaration: { body } }) {
      for (const [index, credential] of (body.credentials ?? []).entries())
        if (credential.type === 'static_bearer' && credential.protocol !== undefined)
          yield {
            at: ['credentials', index, 'protocol'],
            onKey: true,
            detail: 'Ark finds out the transport of an MCP server by itself, so that the protocol is not sent.',
          }
    },
  }),
  rule<VaultBody>({
    kind,
    phase,
    code: 'ark.credential-without-hosts',
    severity: 'error',
    spec,
    summary: 'A limited credential names no hosts',
    fix: 'List the hosts under networking.allowed_hosts.',
    *check({ declaration: { body } }) {
      for (const [index, credential] of (body.credentials ?? []).entries()) {
        if (credential.type !== 'environment_variable') continue
        const { type, allowed_hosts: hosts } = credential.networking ?? {}
        if (hosts?.length === 0 || (type === 'limited' && hosts === undefined))
          yield {
            at: ['credentials', index, 'networking'],
            onKey: true,
            detail: `The secret ${credential.secret_name} could be sent to no host at all.`,
          }
      }
    },
  }),
  rule<VaultBody>({
    kind,
    phase,
    code: 'ark.credential-duplicate',
    severity: 'error',
    spec,
    summary: 'Two credentials of a vault are for the same thing',
    fix: 'Keep one of them, or put the other into a vault of its own.',
    *check({ declaration: { body } }) {
      const seen = new Set<string>()
      for (const [index, credential] of (body.credentials ?? []).entries()) {
        const member = credential.type === 'environment_variable' ? 'secret_name' : 'mcp_server_url'
        const key = credential.type === 'environment_variable' ? credential.secret_name : credential.mcp_server_url
        if (seen.has(key))
          yield {
            at: ['credentials', index, member],
            detail: `An earlier credential of this vault is for ${key} already.`,
          }
        seen.add(key)
      }
    },
  }),
  rule<VaultBody>({
    kind,
    phase,
    code: 'ark.vault-too-many-credentials',
    severity: 'error',
    summary: 'A vault has too many credentials',
    fix: 'Divide them among several vaults.',
    *check({ declaration: { body } }) {
      const count = body.credentials?.length ?? 0
      if (count > credentialsMax)
        yield {
          at: ['credentials'],
          onKey: true,
          detail: `A vault of Ark holds at most ${credentialsMax} credentials; these are ${count}.`,
        }
    },
  }),
]
