// Rules for vaults and their credentials (agent configuration 2.7).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { VaultBody } from '../../kinds/vault-body.js'
import { keyOf } from '../credential.js'
import { metadataRules, reservedMetadataRule } from './metadata.js'

export const vaultRules: readonly ProviderRule[] = [
  rule<VaultBody>({
    code: 'qoder.credential-duplicate',
    kind: 'vault',
    phase: 'declaration',
    severity: 'error',
    spec: '2.7',
    summary: 'Two credentials of a vault are for the same thing',
    fix: 'Keep one of them, or put the other into a vault of its own.',
    *check({ declaration: { body } }) {
      const first = new Map<string, string>()
      for (const [index, credential] of (body.credentials ?? []).entries()) {
        const key = keyOf(credential)
        const earlier = first.get(key)
        if (earlier === undefined) {
          first.set(key, credential.name)
          continue
        }
        const subject = credential.type === 'environment_variable' ? 'secret_name' : 'mcp_server_url'
        const detail = `"${credential.name}" and "${earlier}" have the same ${subject}; the agent could not tell which to use.`
        yield { at: ['credentials', index, subject], detail }
      }
    },
  }),
  rule<VaultBody>({
    code: 'qoder.credential-protocol-ignored',
    kind: 'vault',
    phase: 'declaration',
    severity: 'note',
    spec: '2.7',
    summary: 'Qoder has no protocol setting for credentials',
    fix: 'Remove it; Qoder finds out the transport by itself.',
    *check({ declaration: { body } }) {
      for (const [index, credential] of (body.credentials ?? []).entries()) {
        if (credential.type !== 'static_bearer' || credential.protocol === undefined) continue
        yield { at: ['credentials', index, 'protocol'], onKey: true, detail: 'The protocol is not sent.' }
      }
    },
  }),
  rule<VaultBody>({
    code: 'qoder.credential-injection-ignored',
    kind: 'vault',
    phase: 'declaration',
    severity: 'warning',
    spec: '2.7',
    summary: 'Qoder cannot choose where a secret is put',
    fix: 'Remove it, or pin the vault to bailian.',
    *check({ declaration: { body } }) {
      for (const [index, credential] of (body.credentials ?? []).entries()) {
        if (credential.type !== 'environment_variable' || credential.injection_location === undefined) continue
        const detail = 'Only bailian puts secrets into request headers or bodies; the setting is not sent.'
        yield { at: ['credentials', index, 'injection_location'], onKey: true, detail }
      }
    },
  }),
  rule<VaultBody>({
    code: 'qoder.credential-hosts-missing',
    kind: 'vault',
    phase: 'declaration',
    severity: 'error',
    spec: '2.7',
    summary: 'A limited secret names no hosts',
    fix: 'Add networking.allowed_hosts.',
    *check({ declaration: { body } }) {
      for (const [index, credential] of (body.credentials ?? []).entries()) {
        if (credential.type !== 'environment_variable' || credential.networking?.type !== 'limited') continue
        if ((credential.networking.allowed_hosts ?? []).length > 0) continue
        const detail = `"${credential.name}" is limited to certain hosts, and none is named, so that it could be used nowhere.`
        yield { at: ['credentials', index, 'networking'], detail }
      }
    },
  }),
  rule<VaultBody>({
    code: 'qoder.credential-hosts-unlimited',
    kind: 'vault',
    phase: 'declaration',
    severity: 'error',
    spec: '2.7',
    summary: 'An unrestricted secret names hosts',
    fix: 'Remove the type, so that the hosts limit the secret, or remove the hosts.',
    *check({ declaration: { body } }) {
      for (const [index, credential] of (body.credentials ?? []).entries()) {
        if (credential.type !== 'environment_variable' || credential.networking?.type !== 'unrestricted') continue
        const hosts = credential.networking.allowed_hosts ?? []
        if (hosts.length === 0 || hosts.includes('*')) continue
        const detail = `The type unrestricted lets "${credential.name}" go everywhere, so that a list of hosts would limit nothing.`
        yield { at: ['credentials', index, 'networking', 'allowed_hosts'], onKey: true, detail }
      }
    },
  }),
  rule<VaultBody>({
    code: 'qoder.credential-type-undocumented',
    kind: 'vault',
    phase: 'declaration',
    severity: 'warning',
    spec: '2.11',
    summary: 'The forward API may refuse this type of credential',
    fix: 'Use static_bearer, or environment_variables of the agent for what is not secret.',
    *check({ declaration: { body }, api }) {
      if (api !== 'forward') return
      for (const [index, credential] of (body.credentials ?? []).entries()) {
        if (credential.type !== 'environment_variable') continue
        const detail = 'Its documentation lists bearer tokens only. The credential is sent all the same.'
        yield { at: ['credentials', index, 'type'], detail }
      }
    },
  }),
  ...metadataRules('vault'),
  reservedMetadataRule('vault'),
]
