// Rules for vaults and their credentials (agent configuration 2.7).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { hasPlaceholder } from '../../../core/value/placeholder.js'
import type { Credential, VaultBody } from '../../kinds/vault-body.js'

const nameCharactersMax = 255
const urlCharactersMax = 2_047
const allowedHostsMax = 16

type EnvironmentVariable = Extract<Credential, { type: 'environment_variable' }>

function* variablesOf({ credentials = [] }: VaultBody): Generator<readonly [number, EnvironmentVariable]> {
  for (const [index, credential] of credentials.entries())
    if (credential.type === 'environment_variable') yield [index, credential]
}

export const vaultRules: readonly ProviderRule[] = [
  rule<VaultBody>({
    kind: 'vault',
    phase: 'declaration',
    code: 'claude.vault-limits',
    severity: 'error',
    spec: '2.7',
    summary: 'A text of a vault is longer than the provider takes',
    fix: 'Shorten it.',
    *check({ declaration: { body } }) {
      const texts = [
        { at: ['display_name'], text: body.display_name, max: nameCharactersMax },
        ...(body.credentials ?? []).flatMap((credential, index) => [
          { at: ['credentials', index, 'name'], text: credential.name, max: nameCharactersMax },
          ...(credential.type !== 'environment_variable'
            ? [{ at: ['credentials', index, 'mcp_server_url'], text: credential.mcp_server_url, max: urlCharactersMax }]
            : []),
        ]),
      ]
      for (const { at, text = '', max } of texts)
        if (!hasPlaceholder(text) && text.length > max)
          yield { at, detail: `Claude takes up to ${max} characters here; these are ${text.length}.` }
    },
  }),
  rule<VaultBody>({
    kind: 'vault',
    phase: 'declaration',
    code: 'claude.credential-hosts',
    severity: 'error',
    spec: '2.7',
    summary: 'The hosts of a credential cannot be used',
    fix: 'List the hosts under networking.allowed_hosts, or use type: unrestricted without hosts.',
    *check({ declaration: { body } }) {
      for (const [index, { networking }] of variablesOf(body)) {
        const at = ['credentials', index, 'networking']
        const hosts = networking?.allowed_hosts
        if (networking?.type === 'limited' && (hosts ?? []).length === 0)
          yield {
            at: [...at, 'type'],
            detail: 'The type limited must say which hosts are meant; it is never widened to all of them.',
          }
        else if (networking?.type === 'unrestricted' && hosts !== undefined && !hosts.includes('*'))
          yield {
            at: [...at, 'allowed_hosts'],
            onKey: true,
            detail: 'The type unrestricted lets the secret go everywhere, so that a list of hosts would limit nothing.',
          }
        else if (hosts?.length === 0)
          yield { at: [...at, 'allowed_hosts'], detail: 'An empty list would let the secret go nowhere.' }
        else if (hosts !== undefined && hosts.length > allowedHostsMax)
          yield {
            at: [...at, 'allowed_hosts'],
            detail: `Claude takes at most ${allowedHostsMax} hosts for one credential; these are ${hosts.length}.`,
            fix: 'Use wildcards such as *.example.com, or split the secret into several credentials.',
          }
      }
    },
  }),
  rule<VaultBody>({
    kind: 'vault',
    phase: 'declaration',
    code: 'claude.credential-never-injected',
    severity: 'error',
    spec: '2.7',
    summary: 'A credential would be put nowhere',
    fix: 'Set header or body to true.',
    *check({ declaration: { body } }) {
      for (const [index, { injection_location: location }] of variablesOf(body))
        if (location?.header === false && location.body !== true)
          yield {
            at: ['credentials', index, 'injection_location'],
            detail: 'Neither headers nor bodies of requests would get the secret; Claude wants at least one of them.',
          }
    },
  }),
  rule<VaultBody>({
    kind: 'vault',
    phase: 'declaration',
    code: 'claude.credential-duplicate',
    severity: 'error',
    spec: '2.7',
    summary: 'Two credentials of a vault are for the same thing',
    fix: 'Keep one of them, or put the other one into a vault of its own.',
    *check({ declaration: { body } }) {
      const seen = new Set<string>()
      for (const [index, credential] of (body.credentials ?? []).entries()) {
        const member = credential.type === 'environment_variable' ? 'secret_name' : 'mcp_server_url'
        const purpose = credential.type === 'environment_variable' ? credential.secret_name : credential.mcp_server_url
        if (seen.has(purpose))
          yield {
            at: ['credentials', index, member],
            detail: `An earlier credential of this vault is for ${purpose} already.`,
          }
        seen.add(purpose)
      }
    },
  }),
]
