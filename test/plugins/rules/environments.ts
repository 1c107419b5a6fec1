// Rules of environments.
import { variablePlaceholder } from '../../../core/value/placeholder.js'
import { type Case, cloud } from './case.js'

const unrestricted = (more: object = {}) => cloud({ networking: { type: 'unrestricted', ...more } })

export const environments: readonly Case[] = [
  {
    kind: 'environment',
    on: {
      ark: ['2.5 a self-hosted environment is refused', 'environment-self-hosted'],
      bailian: ['2.5 environments are not self-hosted', 'environment-self-hosted'],
    },
    passes: [{}, cloud()],
    fails: [[{ config: { type: 'self_hosted' } }, 'config.type']],
  },
  {
    kind: 'environment',
    on: { claude: ['2.5 a self-hosted environment has neither network nor packages', 'environment-self-hosted'] },
    passes: [cloud({ packages: {} }), { config: { type: 'self_hosted' } }],
    fails: [
      [
        { config: { type: 'self_hosted', networking: { type: 'limited' }, packages: {} } },
        'config.networking',
        'config.packages',
      ],
    ],
  },
  {
    kind: 'environment',
    on: {
      ark: ['7.2 a setup script is refused', 'environment-setup-script'],
      bailian: ['7.2 a setup script is refused', 'environment-setup-script'],
      claude: ['7.2 environments take no setup script', 'environment-setup-script'],
    },
    passes: [cloud(), cloud({ packages: { cargo: ['x'], gem: ['y'], go: ['z'] } })],
    fails: [[cloud({ setup_script: 'echo' }), 'config.setup_script']],
  },
  {
    kind: 'environment',
    on: { bailian: ['2.5 networks of environments are unrestricted', 'environment-network'] },
    passes: [{}, cloud(), unrestricted()],
    fails: [
      [cloud({ networking: { type: 'limited' } }), 'config.networking.type'],
      [cloud({ networking: { allow_mcp_servers: true } }), 'config.networking.allow_mcp_servers'],
      [
        cloud({ networking: { type: 'limited', allow_package_managers: false, allowed_hosts: [] } }),
        'config.networking.type',
        'config.networking.allow_package_managers',
        'config.networking.allowed_hosts',
      ],
    ],
  },
  {
    kind: 'environment',
    on: {
      qoder: ['2.5 the forward API cannot limit a network, which is refused', 'environment-forward-network'],
    },
    api: 'forward',
    passes: [{}, cloud(), unrestricted()],
    fails: [
      [cloud({ networking: { type: 'limited' } }), 'config.networking'],
      [cloud({ networking: { allowed_hosts: ['a.example'] } }), 'config.networking'],
    ],
  },
  {
    kind: 'environment',
    on: Object.fromEntries(
      ['ark', 'claude', 'qoder'].map((provider) => [
        provider,
        ['2.5 limits of an unrestricted network are refused', 'environment-hosts-without-limit'],
      ]),
    ),
    passes: [unrestricted({ allow_mcp_servers: true })],
    fails: [
      [
        unrestricted({ allowed_hosts: ['a.example'], allow_mcp_servers: false }),
        'config.networking.allowed_hosts',
        'config.networking.allow_mcp_servers',
      ],
    ],
  },
  {
    kind: 'environment',
    on: {
      claude: ['2.5 packages need a network that allows package managers', 'environment-unreachable-packages'],
    },
    passes: [
      cloud({ packages: { cargo: ['a'] } }),
      cloud({ packages: { pip: [] }, networking: { type: 'limited' } }),
      cloud({ packages: { cargo: ['a'] }, networking: { type: 'limited', allow_package_managers: true } }),
    ],
    fails: [
      [cloud({ packages: { cargo: ['a'] }, networking: { type: 'limited' } }), 'config.packages.cargo'],
      [cloud({ packages: { cargo: ['a'] }, networking: { allowed_hosts: ['a.example'] } }), 'config.packages.cargo'],
    ],
  },
  {
    kind: 'environment',
    on: { qoder: ['7.2 packages other than apt, npm and pip are refused', 'environment-package-manager'] },
    passes: [{}, cloud({ packages: { apt: ['a'], npm: ['b'], pip: ['c'], cargo: [] } })],
    fails: [
      [
        cloud({ packages: { cargo: ['a'], gem: ['b'], go: ['c'] } }),
        'config.packages.cargo',
        'config.packages.gem',
        'config.packages.go',
      ],
    ],
  },
  {
    kind: 'environment',
    on: {
      qoder: ['7.2 a self-hosted environment has a type and a setup script only', 'environment-self-hosted-config'],
    },
    passes: [
      { config: { type: 'self_hosted', setup_script: 'true' } },
      cloud({ networking: { type: 'limited' }, packages: { apt: ['a'] } }),
    ],
    fails: [
      [
        { config: { type: 'self_hosted', networking: { type: 'limited' }, packages: {} } },
        'config.networking',
        'config.packages',
      ],
    ],
  },
  {
    kind: 'environment',
    on: { qoder: ['2.5 a setup script has at most 64 KB of UTF-8', 'environment-setup-script-too-large'] },
    passes: [cloud({ setup_script: 'x'.repeat(65_536) }), cloud({ setup_script: 'é'.repeat(32_768) }), {}],
    fails: [
      [cloud({ setup_script: 'x'.repeat(65_537) }), 'config.setup_script'],
      [cloud({ setup_script: 'é'.repeat(32_769) }), 'config.setup_script'],
      [cloud({ setup_script: `${'x'.repeat(65_534)}${variablePlaceholder('ABC')}` }), 'config.setup_script'],
    ],
  },
  {
    kind: 'environment',
    on: { qoder: ['the name of an environment is limited', 'environment-name-too-long'] },
    passes: [{}, { name: 'n'.repeat(255) }],
    fails: [[{ name: 'n'.repeat(256) }, 'name']],
  },
]
