// Rules of vaults and their credentials.
import { variablePlaceholder } from '../../../core/value/placeholder.js'
import { bearer, type Case, names, variable, vault } from './case.js'

const reaching = (networking: object) => vault(variable({ networking }))
const hosts = (count: number) => reaching({ allowed_hosts: names(count).map((name) => `${name}.example`) })
const namesHosts = ['2.7 a limited credential names its hosts', 'credential-without-hosts'] as const

export const vaults: readonly Case[] = [
  {
    kind: 'vault',
    on: Object.fromEntries(
      ['ark', 'bailian', 'qoder'].map((provider) => [
        provider,
        ['what only claude can be told is refused elsewhere', 'field-of-claude'],
      ]),
    ),
    passes: [vault(variable())],
    fails: [
      [
        vault({ name: 'o', type: 'mcp_oauth', mcp_server_url: 'https://a.example/mcp', access_token: 't' }),
        'credentials.0.type',
      ],
    ],
  },
  {
    kind: 'vault',
    on: {
      ark: namesHosts,
      qoder: ['2.7 a limited secret names its hosts', 'credential-hosts-missing'],
    },
    passes: [
      vault(variable()),
      reaching({ type: 'unrestricted' }),
      reaching({ type: 'limited', allowed_hosts: ['a.example'] }),
    ],
    fails: [
      [reaching({ type: 'limited' }), 'credentials.0.networking'],
      [reaching({ type: 'limited', allowed_hosts: [] }), 'credentials.0.networking'],
    ],
  },
  {
    kind: 'vault',
    on: { qoder: ['2.7 hosts beside the type unrestricted would limit nothing', 'credential-hosts-unlimited'] },
    passes: [
      reaching({ type: 'unrestricted', allowed_hosts: ['*'] }),
      reaching({ type: 'unrestricted', allowed_hosts: [] }),
      reaching({ allowed_hosts: ['a.example'] }),
    ],
    fails: [
      [reaching({ type: 'unrestricted', allowed_hosts: ['a.example'] }), 'credentials.0.networking.allowed_hosts'],
    ],
  },
  {
    kind: 'vault',
    on: { ark: namesHosts },
    passes: [],
    fails: [[reaching({ allowed_hosts: [] }), 'credentials.0.networking']],
  },
  {
    kind: 'vault',
    on: { bailian: ['2.7 a limited credential is never widened', 'credential-without-hosts'] },
    passes: [
      vault(variable()),
      reaching({}),
      reaching({ type: 'unrestricted' }),
      reaching({ type: 'limited', allowed_hosts: ['a.example'] }),
    ],
    fails: [
      [reaching({ type: 'limited' }), 'credentials.0.networking.type'],
      [reaching({ type: 'limited', allowed_hosts: [] }), 'credentials.0.networking.allowed_hosts'],
      [reaching({ allowed_hosts: [] }), 'credentials.0.networking.allowed_hosts'],
    ],
  },
  {
    kind: 'vault',
    on: { claude: ['2.7 hosts of a credential are one to sixteen, and never widened', 'credential-hosts'] },
    passes: [hosts(16), reaching({ type: 'unrestricted' }), reaching({ type: 'unrestricted', allowed_hosts: ['*'] })],
    fails: [
      [hosts(17), 'credentials.0.networking.allowed_hosts'],
      [reaching({ allowed_hosts: [] }), 'credentials.0.networking.allowed_hosts'],
      [reaching({ type: 'limited' }), 'credentials.0.networking.type'],
      [reaching({ type: 'limited', allowed_hosts: [] }), 'credentials.0.networking.type'],
      [reaching({ type: 'unrestricted', allowed_hosts: ['a.example'] }), 'credentials.0.networking.allowed_hosts'],
    ],
  },
  {
    kind: 'vault',
    on: { bailian: ['2.7 a credential names at most ten hosts', 'credential-too-many-hosts'] },
    passes: [{}, hosts(10)],
    fails: [[hosts(11), 'credentials.0.networking.allowed_hosts']],
  },
  {
    kind: 'vault',
    on: {
      ark: ['2.7 two credentials of a vault are not for the same server or variable', 'credential-duplicate'],
      claude: ['2.7 a credential has a target, and no two have the same', 'credential-duplicate'],
      qoder: ['2.7 two credentials for the same thing are refused', 'credential-duplicate'],
    },
    passes: [
      {},
      vault(
        bearer(),
        variable(),
        bearer({ mcp_server_url: 'https://other.example' }),
        variable({ secret_name: 'OTHER' }),
      ),
    ],
    fails: [
      [vault(variable(), bearer(), variable({ name: 'Again' })), 'credentials.2.secret_name'],
      [
        vault(bearer(), bearer({ name: 'Again' }), bearer()),
        'credentials.1.mcp_server_url',
        'credentials.2.mcp_server_url',
      ],
    ],
  },
  {
    kind: 'vault',
    on: { bailian: ['2.7 a variable is set once in a vault', 'credential-duplicate-secret-name'] },
    passes: [vault(variable(), variable({ secret_name: 'B' }))],
    fails: [[vault(variable(), variable({ secret_name: 'B' }), variable({ name: 'C' })), 'credentials.2.secret_name']],
  },
  {
    kind: 'vault',
    on: { claude: ['2.7 a credential has a target, and no two have the same', 'credential-never-injected'] },
    passes: [
      vault(variable({ injection_location: { header: false, body: true } })),
      vault(variable({ injection_location: { body: false } })),
    ],
    fails: [[vault(variable({ injection_location: { header: false } })), 'credentials.0.injection_location']],
  },
  {
    kind: 'vault',
    on: {
      ark: ['2.7 an injection location is not sent, which a warning reports', 'credential-injection', 'warning'],
      qoder: [
        '2.7 the injection location of a secret is not sent, which a warning reports',
        'credential-injection-ignored',
        'warning',
      ],
    },
    passes: [vault(bearer(), variable())],
    fails: [
      [vault(bearer(), variable({ injection_location: {} })), 'credentials.1.injection_location'],
      [vault(variable({ injection_location: { body: true } })), 'credentials.0.injection_location'],
    ],
  },
  {
    kind: 'vault',
    on: {
      ark: ['2.7 a protocol is not sent, which a warning reports', 'credential-protocol', 'note'],
      claude: ['2.7 a credential has a target, and no two have the same', 'field-not-sent', 'note'],
      qoder: [
        '2.7 the protocol of a credential is not sent, which a warning reports',
        'credential-protocol-ignored',
        'note',
      ],
    },
    passes: [vault(bearer(), variable())],
    fails: [[vault(variable(), bearer({ protocol: 'sse' })), 'credentials.1.protocol']],
  },
  {
    kind: 'vault',
    on: { bailian: ['2.7 a bearer token gets a warning', 'credential-static-bearer', 'warning'] },
    passes: [vault(variable())],
    fails: [[vault(variable(), bearer()), 'credentials.1.type']],
  },
  {
    kind: 'vault',
    on: {
      qoder: [
        '2.11 a forward vault may refuse environment variables, which a warning reports',
        'credential-type-undocumented',
        'warning',
      ],
    },
    api: 'forward',
    passes: [vault(bearer())],
    fails: [[vault(bearer(), variable()), 'credentials.1.type']],
  },
  {
    kind: 'vault',
    on: { ark: ['a vault holds a hundred credentials', 'vault-too-many-credentials'] },
    passes: [{}, vault(...names(100).map((secret_name) => variable({ secret_name })))],
    fails: [[vault(...names(101).map((secret_name) => variable({ secret_name }))), 'credentials']],
  },
  {
    kind: 'vault',
    on: { claude: ['texts of vaults have limits, which are not checked for unset variables', 'vault-limits'] },
    passes: [{ display_name: 'x'.repeat(255) }, { display_name: variablePlaceholder('NAME', 'x'.repeat(300)) }],
    fails: [
      [{ display_name: 'x'.repeat(256) }, 'display_name'],
      [
        vault(bearer({ name: 'x'.repeat(256), mcp_server_url: 'x'.repeat(2_048) })),
        'credentials.0.name',
        'credentials.0.mcp_server_url',
      ],
    ],
  },
  {
    kind: 'vault',
    on: { qoder: ['the forward API writes a metadata key of a vault itself', 'vault-metadata-reserved'] },
    api: 'forward',
    passes: [{ metadata: { team: 'a' } }],
    fails: [[{ metadata: { created_by: 'me' } }, 'metadata.created_by']],
  },
  {
    kind: 'vault',
    on: {
      qoder: ['the managed API leaves all metadata keys of a vault to its owner', 'vault-metadata-reserved'],
    },
    passes: [{ metadata: { created_by: 'me' } }],
    fails: [],
  },
]
