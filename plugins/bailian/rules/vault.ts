// Rules for credentials (agent configuration 2.7).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { Credential, VaultBody } from '../../kinds/vault-body.js'

const allowedHostsMax = 10

/** Yields credentials of a type with their indexes. */
function* credentialsOf<Type extends Credential['type']>(
  { credentials = [] }: VaultBody,
  type: Type,
): Generator<readonly [number, Extract<Credential, { readonly type: Type }>]> {
  const isOfType = (found: Credential): found is Extract<Credential, { readonly type: Type }> => found.type === type
  for (const [index, credential] of credentials.entries()) if (isOfType(credential)) yield [index, credential]
}

export const vaultRules: readonly ProviderRule[] = [
  rule<VaultBody>({
    kind: 'vault',
    phase: 'declaration',
    code: 'bailian.credential-too-many-hosts',
    severity: 'error',
    spec: '2.7',
    summary: 'A credential names too many hosts',
    fix: 'Use wildcards such as *.example.com, or split the secret into several credentials.',
    *check({ declaration: { body } }) {
      for (const [index, { networking }] of credentialsOf(body, 'environment_variable')) {
        const count = networking?.allowed_hosts?.length ?? 0
        if (count > allowedHostsMax)
          yield {
            at: ['credentials', index, 'networking', 'allowed_hosts'],
            detail: `Bailian takes at most ${allowedHostsMax} hosts for one credential; these are ${count}.`,
          }
      }
    },
  }),
  rule<VaultBody>({
    kind: 'vault',
    phase: 'declaration',
    code: 'bailian.credential-without-hosts',
    severity: 'error',
    spec: '2.7',
    summary: 'A credential names no hosts',
    fix: 'List the hosts under networking.allowed_hosts.',
    *check({ declaration: { body } }) {
      for (const [index, { networking }] of credentialsOf(body, 'environment_variable')) {
        const at = ['credentials', index, 'networking']
        const hosts = networking?.allowed_hosts
        if (hosts?.length === 0)
          yield {
            at: [...at, 'allowed_hosts'],
            detail: 'An empty list would let the secret go nowhere, which Bailian refuses.',
          }
        else if (hosts === undefined && networking?.type === 'limited')
          yield {
            at: [...at, 'type'],
            detail: 'The type limited must say which hosts are meant; it is never widened to all of them.',
          }
      }
    },
  }),
  rule<VaultBody>({
    kind: 'vault',
    phase: 'declaration',
    code: 'bailian.credential-duplicate-secret-name',
    severity: 'error',
    spec: '2.7',
    summary: 'Two credentials of a vault set the same variable',
    fix: 'Give each credential a secret_name of its own.',
    *check({ declaration: { body } }) {
      const seen = new Set<string>()
      for (const [index, { secret_name }] of credentialsOf(body, 'environment_variable')) {
        if (seen.has(secret_name))
          yield {
            at: ['credentials', index, 'secret_name'],
            detail: `An earlier credential of this vault has the secret_name ${secret_name} already.`,
          }
        seen.add(secret_name)
      }
    },
  }),
  rule<VaultBody>({
    kind: 'vault',
    phase: 'declaration',
    code: 'bailian.credential-static-bearer',
    severity: 'warning',
    spec: '2.7',
    summary: 'Bearer tokens are likely to be refused here',
    fix: 'Declare an environment_variable credential, or pin the vault to another provider.',
    *check({ declaration: { body } }) {
      for (const [index] of credentialsOf(body, 'static_bearer'))
        yield {
          at: ['credentials', index, 'type'],
          detail: 'Bailian has answered static_bearer credentials with an error so far; apply will try and may fail.',
        }
    },
  }),
]
