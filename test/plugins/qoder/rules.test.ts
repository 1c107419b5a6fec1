// Every rule, with declarations that pass and declarations that do not.
import t from 'tap'
import type { Severity } from '../../../core/diagnostic.js'
import type { Declaration, LocalSource } from '../../../core/plugin/declaration.js'
import { variablePlaceholder } from '../../../core/value/placeholder.js'
import { rules } from '../../../plugins/qoder/rules/index.js'
import { declared, projectWith } from './declarations.js'

interface Case {
  readonly title: string
  readonly code: string
  readonly kind: string
  /** Several codes if they depend on the field. */
  readonly severity?: Severity | readonly Severity[]
  readonly api?: 'managed' | 'forward'
  /** Other declarations of the project. */
  readonly beside?: readonly Declaration[]
  readonly identity?: string
  readonly passes: readonly object[]
  /** Body to the places found in it. */
  readonly fails: readonly (readonly [object, readonly string[]])[]
}

const managed = (more: object = {}) => ({ model: 'auto', instructions: 'Help.', ...more })
const forward = (more: object = {}) =>
  managed({ environment: 'box', delivery: { qoder: { type: 'forward' } }, ...more })
const cloud = (more: object) => ({ config: { type: 'cloud', ...more } })
const variable = (more: object = {}) => ({
  name: 'Key',
  type: 'environment_variable',
  secret_name: 'KEY',
  secret_value: 'x',
  ...more,
})
const bearer = (more: object = {}) => ({
  name: 'Tracker',
  type: 'static_bearer',
  mcp_server_url: 'https://mcp.example',
  access_token: 'x',
  ...more,
})
const vault = (...credentials: readonly object[]) => ({ credentials })
const deployment = (more: object = {}) => ({
  agent: 'helper',
  environment: 'box',
  initial_events: [{ type: 'user.message', content: 'Hello.' }],
  ...more,
})
const times = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index))
const pairs = (count: number) => Object.fromEntries(times(count, (index) => [`k${index}`, 'v']))
const names = (count: number) => times(count, (index) => `n${index}`)
const servers = (count: number) => times(count, (index) => ({ name: `s${index}`, url: 'https://mcp.example' }))
const store = { name: 'Notes' }
const helper = declared('agent', 'helper', managed())
const template = declared('agent', 'template', forward())
const me = declared('identity', 'me', { external_id: 'u1' })
const theirs = declared('identity', 'theirs', { identity_id: 'idn_1' })
const repository = (path?: string) => ({
  type: 'git_repository',
  url: 'https://git.example/a.git',
  ...(path === undefined ? {} : { mount_path: path }),
})

const metadata = (kind: string, make: (more: object) => object, pairsMax: number): readonly Case[] => [
  {
    title: `8 a ${kind} has at most ${pairsMax} metadata keys of its own`,
    code: `qoder.${kind.replace('_', '-')}-metadata-too-many`,
    kind,
    passes: [make({}), make({ metadata: pairs(pairsMax) })],
    fails: [[make({ metadata: pairs(pairsMax + 1) }), ['metadata']]],
  },
  {
    title: `metadata keys and values of a ${kind} are limited`,
    code: `qoder.${kind.replace('_', '-')}-metadata-too-long`,
    kind,
    passes: [make({ metadata: { ['k'.repeat(64)]: 'v'.repeat(512) } })],
    fails: [
      [make({ metadata: { ['k'.repeat(65)]: 'v' } }), [`metadata.${'k'.repeat(65)}`]],
      [make({ metadata: { k: 'v'.repeat(513) } }), ['metadata.k']],
    ],
  },
]

const cases: readonly Case[] = [
  ...metadata('memory_store', (more) => more, 13),
  {
    title: '2.8 metadata of a memory store is text',
    code: 'qoder.memory-store-metadata-not-text',
    kind: 'memory_store',
    passes: [{}, { metadata: { a: 'b' } }],
    fails: [[{ metadata: { a: 1, b: 'c', d: { e: 'f' } } }, ['metadata.a', 'metadata.d']]],
  },
  {
    title: '2.8 an entry of a memory store has at most 100 KiB',
    code: 'qoder.memory-store-entry-too-large',
    kind: 'memory_store',
    passes: [{ entries: [{ key: 'a', content: 'x'.repeat(100 * 1024) }] }],
    fails: [[{ entries: [{ key: 'a', content: 'é'.repeat(50 * 1024 + 1) }] }, ['entries.0.content']]],
  },
  {
    title: '7.2 packages other than apt, npm and pip are refused',
    code: 'qoder.environment-package-manager',
    kind: 'environment',
    passes: [{}, cloud({ packages: { apt: ['a'], npm: ['b'], pip: ['c'], cargo: [] } })],
    fails: [
      [
        cloud({ packages: { cargo: ['a'], gem: ['b'], go: ['c'] } }),
        ['config.packages.cargo', 'config.packages.gem', 'config.packages.go'],
      ],
    ],
  },
  {
    title: '7.2 a self-hosted environment has a type and a setup script only',
    code: 'qoder.environment-self-hosted-config',
    kind: 'environment',
    passes: [
      { config: { type: 'self_hosted', setup_script: 'true' } },
      cloud({ networking: { type: 'limited' }, packages: { apt: ['a'] } }),
    ],
    fails: [
      [
        { config: { type: 'self_hosted', networking: { type: 'limited' }, packages: {} } },
        ['config.networking', 'config.packages'],
      ],
    ],
  },
  {
    title: '2.5 a setup script has at most 64 KB of UTF-8',
    code: 'qoder.environment-setup-script-too-large',
    kind: 'environment',
    passes: [cloud({ setup_script: 'x'.repeat(65_536) }), cloud({ setup_script: 'é'.repeat(32_768) }), {}],
    fails: [
      [cloud({ setup_script: 'x'.repeat(65_537) }), ['config.setup_script']],
      [cloud({ setup_script: 'é'.repeat(32_769) }), ['config.setup_script']],
      [cloud({ setup_script: `${'x'.repeat(65_534)}${variablePlaceholder('ABC')}` }), ['config.setup_script']],
    ],
  },
  {
    title: '2.5 the forward API cannot limit a network, which is refused',
    code: 'qoder.environment-forward-network',
    kind: 'environment',
    api: 'forward',
    passes: [{}, cloud({}), cloud({ networking: { type: 'unrestricted' } })],
    fails: [
      [cloud({ networking: { type: 'limited' } }), ['config.networking']],
      [cloud({ networking: { allowed_hosts: ['a.example'] } }), ['config.networking']],
    ],
  },
  {
    title: 'exceptions of a network without limits have no effect, which a warning reports',
    code: 'qoder.environment-network-exception-ignored',
    kind: 'environment',
    severity: 'warning',
    passes: [
      cloud({ networking: { type: 'unrestricted' } }),
      cloud({ networking: { type: 'limited', allowed_hosts: ['a'] } }),
    ],
    fails: [
      [
        cloud({ networking: { type: 'unrestricted', allowed_hosts: ['a.example'] } }),
        ['config.networking.allowed_hosts'],
      ],
    ],
  },
  {
    title: 'the name of an environment is limited',
    code: 'qoder.environment-name-too-long',
    kind: 'environment',
    passes: [{}, { name: 'n'.repeat(255) }],
    fails: [[{ name: 'n'.repeat(256) }, ['name']]],
  },
  ...metadata('environment', (more) => more, 14),
  {
    title: '2.7 two credentials for the same thing are refused',
    code: 'qoder.credential-duplicate',
    kind: 'vault',
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
      [vault(bearer(), bearer({ name: 'Again' })), ['credentials.1.mcp_server_url']],
      [vault(variable(), bearer(), variable({ name: 'Again' })), ['credentials.2.secret_name']],
    ],
  },
  {
    title: '2.7 the protocol of a credential is not sent, which a warning reports',
    code: 'qoder.credential-protocol-ignored',
    kind: 'vault',
    severity: 'note',
    passes: [vault(bearer(), variable())],
    fails: [[vault(variable(), bearer({ protocol: 'sse' })), ['credentials.1.protocol']]],
  },
  {
    title: '2.7 the injection location of a secret is not sent, which a warning reports',
    code: 'qoder.credential-injection-ignored',
    kind: 'vault',
    severity: 'warning',
    passes: [vault(bearer(), variable())],
    fails: [[vault(variable({ injection_location: { body: true } })), ['credentials.0.injection_location']]],
  },
  {
    title: '2.7 a limited secret names its hosts',
    code: 'qoder.credential-hosts-missing',
    kind: 'vault',
    passes: [
      vault(variable({ networking: { type: 'limited', allowed_hosts: ['a.example'] } })),
      vault(variable({ networking: { type: 'unrestricted' } })),
    ],
    fails: [
      [vault(variable({ networking: { type: 'limited' } })), ['credentials.0.networking']],
      [vault(variable({ networking: { type: 'limited', allowed_hosts: [] } })), ['credentials.0.networking']],
    ],
  },
  {
    title: '2.7 hosts beside the type unrestricted would limit nothing',
    code: 'qoder.credential-hosts-unused',
    kind: 'vault',
    passes: [
      vault(variable({ networking: { type: 'unrestricted', allowed_hosts: ['*'] } })),
      vault(variable({ networking: { allowed_hosts: ['a.example'] } })),
    ],
    fails: [
      [
        vault(variable({ networking: { type: 'unrestricted', allowed_hosts: ['a.example'] } })),
        ['credentials.0.networking.allowed_hosts'],
      ],
    ],
  },
  {
    title: '2.11 a forward vault may refuse environment variables, which a warning reports',
    code: 'qoder.credential-type-undocumented',
    kind: 'vault',
    severity: 'warning',
    api: 'forward',
    passes: [vault(bearer())],
    fails: [[vault(bearer(), variable()), ['credentials.1.type']]],
  },
  ...metadata('vault', (more) => more, 14),
  {
    title: 'the forward API writes a metadata key of a vault itself',
    code: 'qoder.vault-metadata-reserved',
    kind: 'vault',
    api: 'forward',
    passes: [{ metadata: { team: 'a' } }],
    fails: [[{ metadata: { created_by: 'me' } }, ['metadata.created_by']]],
  },
  {
    title: 'the managed API leaves all metadata keys of a vault to its owner',
    code: 'qoder.vault-metadata-reserved',
    kind: 'vault',
    passes: [{ metadata: { created_by: 'me' } }],
    fails: [],
  },
  {
    title: '2.9 official skills are not declared',
    code: 'qoder.skill-official',
    kind: 'skill',
    passes: [{ source: './review' }, { source: './review', origin: 'custom' }],
    fails: [[{ source: './review', origin: 'official' }, ['origin']]],
  },
  {
    title: '2.9 description and version of a skill are in SKILL.md, which a warning reports',
    code: 'qoder.skill-field-ignored',
    kind: 'skill',
    severity: ['note', 'warning'],
    passes: [{ source: './review' }],
    fails: [[{ source: './review', description: 'Reviews', version: '1' }, ['description', 'version']]],
  },
  {
    title: '2.9 a skill has at most 50 MB',
    code: 'qoder.skill-too-large',
    kind: 'skill',
    passes: [{ source: 'exact' }, { source: 'unknown' }],
    fails: [[{ source: 'over' }, ['source']]],
  },
  {
    title: '2.10 the forward API has two purposes of files',
    code: 'qoder.file-purpose',
    kind: 'file',
    api: 'forward',
    passes: [{ source: 'a' }, { source: 'a', purpose: 'user_upload' }, { source: 'a', purpose: 'session_resource' }],
    fails: [[{ source: 'a', purpose: 'agent' }, ['purpose']]],
  },
  {
    title: '2.10 the managed API takes any purpose',
    code: 'qoder.file-purpose',
    kind: 'file',
    passes: [{ source: 'a', purpose: 'agent' }],
    fails: [],
  },
  {
    title: '2.11 an undocumented tool is reported',
    code: 'qoder.tool-unknown',
    kind: 'agent',
    severity: 'warning',
    passes: [managed(), managed({ tools: { builtin: ['bash', 'Web-Fetch', 'WEB_SEARCH'] } })],
    fails: [[managed({ tools: { builtin: ['bash', 'web_serch'] } }), ['tools.builtin.1']]],
  },
  {
    title: '2.11 MCP servers are reached by URL only',
    code: 'qoder.mcp-server-without-url',
    kind: 'agent',
    passes: [managed({ mcp_servers: servers(2) })],
    fails: [[managed({ mcp_servers: [...servers(1), { name: 'maps', type: 'official' }] }), ['mcp_servers.1']]],
  },
  {
    title: '2.13 a toolkit is for a server of the agent',
    code: 'qoder.mcp-toolkit-without-server',
    kind: 'agent',
    passes: [
      managed({
        mcp_servers: servers(1),
        tools: { builtin: [], mcp: [{ type: 'mcp_toolkit', mcp_server_name: 's0' }] },
      }),
    ],
    fails: [
      [
        managed({ tools: { builtin: [], mcp: [{ type: 'mcp_toolkit', mcp_server_name: 's0' }] } }),
        ['tools.mcp.0.mcp_server_name'],
      ],
    ],
  },
  {
    title: '2.11 environment variables must fit into KEY=VALUE;KEY=VALUE',
    code: 'qoder.agent-environment-variable',
    kind: 'agent',
    passes: [
      managed({ environment_variables: { KEY: 'a=b', EMPTY: '' } }),
      forward({ environment_variables: { KEY: 'a;b' } }),
    ],
    fails: [
      [managed({ environment_variables: { 'A=B': 'x' } }), ['environment_variables.A=B']],
      [managed({ environment_variables: { 'A;B': 'x' } }), ['environment_variables.A;B']],
      [managed({ environment_variables: { '': 'x' } }), ['environment_variables.']],
      [
        managed({ environment_variables: { A: 'x;y', B: variablePlaceholder('SEMI') } }),
        ['environment_variables.A', 'environment_variables.B'],
      ],
    ],
  },
  {
    title: '8 an agent keeps the limits of the API',
    code: 'qoder.agent-too-large',
    kind: 'agent',
    passes: [
      managed({
        instructions: 'x'.repeat(100_000),
        description: 'x'.repeat(2_049),
        mcp_servers: servers(20),
        skills: names(20),
      }),
    ],
    fails: [
      [managed({ instructions: 'x'.repeat(100_001) }), ['instructions']],
      [managed({ mcp_servers: servers(21), skills: names(21) }), ['mcp_servers', 'skills']],
    ],
  },
  {
    title: '8 a template has a shorter description',
    code: 'qoder.agent-too-large',
    kind: 'agent',
    api: 'forward',
    passes: [forward({ description: 'x'.repeat(2_048) })],
    fails: [[forward({ description: 'x'.repeat(2_049) }), ['description']]],
  },
  ...metadata('agent', managed, 14),
  {
    title: '7.5 managed_tool_config needs forward delivery',
    code: 'qoder.managed-tools-need-forward',
    kind: 'agent',
    passes: [managed(), forward({ managed_tool_config: { enabled_tools: [] } })],
    fails: [
      [managed({ managed_tool_config: { enabled_tools: [] } }), ['managed_tool_config']],
      [
        managed({ delivery: { qoder: { type: 'managed' } }, managed_tool_config: { enabled_tools: ['x'] } }),
        ['managed_tool_config'],
      ],
    ],
  },
  {
    title: '2.4.1 a managed tool that is not documented gets a warning',
    code: 'qoder.managed-tool-unknown',
    kind: 'agent',
    severity: 'warning',
    passes: [
      forward({ managed_tool_config: { enabled_tools: ['create_forward_schedule', 'list_forward_schedules'] } }),
      managed({ managed_tool_config: { enabled_tools: ['x'] } }),
    ],
    fails: [
      [
        forward({ managed_tool_config: { enabled_tools: ['delete_forward_schedule', 'create_forward_scedule'] } }),
        ['managed_tool_config.enabled_tools.1'],
      ],
    ],
  },
  {
    title: '2.11 a file of a managed agent without a mount path is not mounted, which a warning reports',
    code: 'qoder.file-without-mount-path',
    kind: 'agent',
    severity: 'warning',
    passes: [managed({ files: [{ file: 'f', mount_path: 'f.md' }] }), forward({ files: ['f'] })],
    fails: [[managed({ files: ['f', { file: 'f', mount_path: 'f.md' }, 'g'] }), ['files.0', 'files.2']]],
  },
  {
    title: '7.6 a default memory store needs forward delivery',
    code: 'qoder.default-memory-needs-forward',
    kind: 'agent',
    identity: 'me',
    beside: [me],
    passes: [managed(), forward({ default_memory_store: store })],
    fails: [[managed({ default_memory_store: store }), ['default_memory_store']]],
  },
  {
    title: '7.6 a default memory store needs defaults.identity',
    code: 'qoder.default-memory-needs-identity',
    kind: 'agent',
    passes: [forward()],
    fails: [[forward({ default_memory_store: store }), ['default_memory_store']]],
  },
  {
    title: '7.6 a default memory store with defaults.identity passes',
    code: 'qoder.default-memory-needs-identity',
    kind: 'agent',
    identity: 'me',
    beside: [me],
    passes: [forward({ default_memory_store: store })],
    fails: [],
  },
  {
    title: '7.6 delete_on_destroy needs an identity that is managed here',
    code: 'qoder.default-memory-identity-external',
    kind: 'agent',
    identity: 'theirs',
    beside: [theirs],
    passes: [forward({ default_memory_store: store })],
    fails: [
      [
        forward({ default_memory_store: { ...store, delete_on_destroy: true } }),
        ['default_memory_store.delete_on_destroy'],
      ],
    ],
  },
  {
    title: '7.6 delete_on_destroy with a managed identity passes',
    code: 'qoder.default-memory-identity-external',
    kind: 'agent',
    identity: 'me',
    beside: [me],
    passes: [forward({ default_memory_store: { ...store, delete_on_destroy: true } })],
    fails: [],
  },
  {
    title: '2.11 memory stores of a forward agent need defaults.identity',
    code: 'qoder.forward-memory-needs-identity',
    kind: 'agent',
    passes: [managed({ memory_stores: ['notes'] }), forward({ memory_stores: [] })],
    fails: [[forward({ memory_stores: ['notes'] }), ['memory_stores']]],
  },
  {
    title: '2.11 ten stores are mounted for an identity and a template, and not one more',
    code: 'qoder.forward-memory-too-many',
    kind: 'agent',
    passes: [forward({ memory_stores: names(10) }), managed({ memory_stores: names(11) })],
    fails: [[forward({ memory_stores: names(11) }), ['memory_stores']]],
  },
  {
    title: 'a forward agent needs an environment',
    code: 'qoder.forward-needs-environment',
    kind: 'agent',
    passes: [managed(), forward()],
    fails: [[forward({ environment: undefined }), ['']]],
  },
  {
    title: '2.14 resources are for managed sessions',
    code: 'qoder.forward-session-resources',
    kind: 'agent',
    passes: [managed({ resources: [repository()] }), forward({ resources: [] })],
    fails: [[forward({ resources: [repository()] }), ['resources']]],
  },
  {
    title: '7.7 a forward roster has no external members',
    code: 'qoder.forward-external-member',
    kind: 'agent',
    passes: [
      managed({ multiagent: { agents: [{ agent_id: 'agent_1' }] } }),
      forward({ multiagent: { agents: ['a'] } }),
    ],
    fails: [[forward({ multiagent: { agents: ['a', { agent_id: 'agent_1' }] } }), ['multiagent.agents.1']]],
  },
  {
    title: '7.7 a coordinator and its members are delivered alike',
    code: 'qoder.roster-mixed-delivery',
    kind: 'agent',
    beside: [helper, template],
    passes: [
      managed({ multiagent: { agents: ['helper', { agent_id: 'agent_1' }] } }),
      forward({ multiagent: { agents: ['template'] } }),
    ],
    fails: [
      [managed({ multiagent: { agents: ['helper', 'template'] } }), ['multiagent.agents.1']],
      [forward({ multiagent: { agents: ['helper', 'template'] } }), ['multiagent.agents.0']],
    ],
  },
  {
    title: '2.15 a coordinator needs built-in tools to delegate with',
    code: 'qoder.coordinator-without-tools',
    kind: 'agent',
    passes: [
      managed({ multiagent: { agents: ['helper'] } }),
      managed({ multiagent: { agents: ['helper'] }, tools: { builtin: ['bash'] } }),
      managed({ tools: { builtin: [] } }),
    ],
    fails: [[managed({ multiagent: { agents: ['helper'] }, tools: { builtin: [] } }), ['tools.builtin']]],
  },
  {
    title: '2.3 a personal chat is bound by QR code and cannot be declared',
    code: 'qoder.channel-type-qr-only',
    kind: 'channel',
    passes: [{ type: 'dingtalk' }, { type: 'other' }],
    fails: [[{ type: 'wechat' }, ['type']]],
  },
  {
    title: '2.3 other types of channels are unknown',
    code: 'qoder.channel-type-unknown',
    kind: 'channel',
    passes: [{ type: 'dingtalk' }, { type: 'feishu' }, { type: 'wecom' }, { type: 'wechat' }],
    fails: [[{ type: 'pigeon' }, ['type']]],
  },
  {
    title: '2.3 each type of channel has its own credentials',
    code: 'qoder.channel-credentials',
    kind: 'channel',
    passes: [
      { type: 'dingtalk', credentials: { client_id: 'a', client_secret: 'b' } },
      { type: 'feishu', credentials: { app_id: 'a', app_secret: 'b' } },
      { type: 'wecom', credentials: { bot_id: 'a', secret: 'b' } },
    ],
    fails: [
      [{ type: 'dingtalk' }, ['']],
      [{ type: 'dingtalk', credentials: { client_id: 'a' } }, ['credentials']],
      [{ type: 'feishu', credentials: { client_id: 'a', client_secret: 'b' } }, ['credentials']],
      [{ type: 'wecom', credentials: { bot_id: 'a', secret: 'b', app_id: 'c' } }, ['credentials.app_id']],
    ],
  },
  {
    title: '7.10 a fixed channel needs a forward agent',
    code: 'qoder.channel-agent-not-forward',
    kind: 'channel',
    beside: [helper, template],
    passes: [
      { type: 'dingtalk', agent: 'template' },
      { type: 'dingtalk', agent: 'helper', mode: 'pairing' },
      { type: 'dingtalk', mode: 'pairing' },
    ],
    fails: [
      [{ type: 'dingtalk', agent: 'helper' }, ['agent']],
      [{ type: 'dingtalk', agent: 'helper', mode: 'fixed' }, ['agent']],
    ],
  },
  {
    title: '2.2 names of an identity are not blank',
    code: 'qoder.identity-blank',
    kind: 'identity',
    passes: [{ external_id: 'u1', name: 'Me' }, { identity_id: 'idn_1' }],
    fails: [[{ external_id: ' ', name: '\t' }, ['external_id', 'name']]],
  },
  ...metadata('identity', (more) => ({ external_id: 'u1', ...more }), 16),
  {
    title: '2.16 the tunnel of a deployment is not sent, which a warning reports',
    code: 'qoder.deployment-tunnel-dropped',
    kind: 'deployment',
    severity: 'warning',
    passes: [deployment()],
    fails: [[deployment({ tunnel: 'office' }), ['tunnel']]],
  },
  {
    title: '2.14 an agent has one thing in one place',
    code: 'qoder.mount-repeated',
    kind: 'agent',
    passes: [
      managed({
        files: [
          { file: 'f', mount_path: 'a' },
          { file: 'g', mount_path: 'b' },
        ],
      }),
    ],
    fails: [
      [
        managed({
          files: [
            { file: 'f', mount_path: 'a' },
            { file: 'g', mount_path: '/data/./a' },
          ],
        }),
        ['files.1'],
      ],
      [
        managed({
          resources: [
            { type: 'memory_store', memory_store: 's' },
            { type: 'memory_store', memory_store: 's' },
          ],
        }),
        ['resources.1'],
      ],
    ],
  },
  {
    title: '2.14 a deployment has one thing in one place',
    code: 'qoder.mount-repeated',
    kind: 'deployment',
    passes: [deployment({ resources: [{ type: 'file', source: 'a', mount_path: 'a' }] })],
    fails: [
      [
        deployment({
          resources: [
            { type: 'file', source: 'a', mount_path: 'a' },
            { type: 'file', source: 'b', mount_path: './a' },
          ],
        }),
        ['resources.1'],
      ],
    ],
  },
  {
    title: '2.16 a deployment runs managed agents only',
    code: 'qoder.deployment-of-forward-agent',
    kind: 'deployment',
    beside: [helper, template],
    passes: [deployment()],
    fails: [[deployment({ agent: 'template' }), ['agent']]],
  },
  {
    title: '2.16 a deployment has an environment, its own or that of its agent',
    code: 'qoder.deployment-environment-missing',
    kind: 'deployment',
    beside: [helper, template],
    passes: [deployment(), deployment({ agent: 'template', environment: undefined })],
    fails: [[deployment({ environment: undefined }), ['']]],
  },
  {
    title: '2.16 environment variables of a deployment must fit into KEY=VALUE;KEY=VALUE',
    code: 'qoder.deployment-environment-variable',
    kind: 'deployment',
    passes: [deployment({ environment_variables: { KEY: 'a=b' } })],
    fails: [[deployment({ environment_variables: { KEY: 'a;b' } }), ['environment_variables.KEY']]],
  },
  {
    title: '8 a deployment keeps the limits of the API',
    code: 'qoder.deployment-too-large',
    kind: 'deployment',
    passes: [deployment({ vaults: names(50), resources: times(500, () => repository()) })],
    fails: [
      [deployment({ vaults: names(51) }), ['vaults']],
      [deployment({ resources: times(501, () => repository()) }), ['resources']],
    ],
  },
  ...metadata('deployment', deployment, 14),
  {
    title: '7.9 mount paths of an agent lie below /data, those of repositories are absolute',
    code: 'qoder.mount-path',
    kind: 'agent',
    passes: [
      managed({
        files: [
          { file: 'a', mount_path: 'a.csv' },
          { file: 'a', mount_path: '/data/a.csv' },
        ],
      }),
      managed({ resources: [repository(), repository('/data/repo')] }),
    ],
    fails: [
      [managed({ files: [{ file: 'a', mount_path: '/workspace/a.csv' }] }), ['files.0.mount_path']],
      [managed({ resources: [repository('/workspace/repo')] }), ['resources.0.mount_path']],
      [managed({ resources: [repository('repo')] }), ['resources.0.mount_path']],
    ],
  },
  {
    title: '7.9 mount paths of a deployment lie below /data',
    code: 'qoder.mount-path',
    kind: 'deployment',
    passes: [deployment({ resources: [{ type: 'file', file_id: 'f', mount_path: 'a.csv' }] })],
    fails: [
      [
        deployment({ resources: [{ type: 'file', file_id: 'f', mount_path: '/mnt/a.csv' }] }),
        ['resources.0.mount_path'],
      ],
    ],
  },
]

const skillBytesMax = 50 * 1024 * 1024
const source = (written: string, sizeBytes: number): LocalSource => ({
  written,
  path: `/nowhere/${written}`,
  kind: 'folder',
  baseName: written,
  sha256: '',
  sizeBytes,
  files: [],
})
const sources = new Map([
  ['exact', source('exact', skillBytesMax)],
  ['over', source('over', skillBytesMax + 1)],
])
const variables = { ABC: 'abc', SEMI: 'a;b' }

function placesFound({ code, kind, api = 'managed', beside = [], identity }: Case, body: object): readonly string[] {
  const declaration = { ...declared(kind, 'it', body), sources }
  const project = projectWith([declaration, ...beside], { variables, ...(identity === undefined ? {} : { identity }) })
  const found = rules.filter((rule) => rule.code === code && rule.kind === kind)
  const subject = { declaration, project, provider: 'qoder', api }
  return found.flatMap(({ check }) => [...check(subject)].map(({ at }) => at.join('.')))
}

for (const one of cases)
  t.test(one.title, async (t) => {
    for (const body of one.passes) t.strictSame(placesFound(one, body), [], JSON.stringify(body).slice(0, 80))
    for (const [body, places] of one.fails)
      t.strictSame(placesFound(one, body), places, JSON.stringify(body).slice(0, 80))
    const severities = new Set(rules.filter(({ code }) => code === one.code).map(({ severity }) => severity))
    t.strictSame([...severities], [one.severity ?? 'error'].flat())
  })

t.test('a key that is too long as a name is found', async (t) => {
  const long = declared('environment', 'n'.repeat(256), {})
  const found = rules.filter(({ code }) => code === 'qoder.environment-name-too-long')
  const subject = { declaration: long, project: projectWith([long]), provider: 'qoder', api: 'managed' }
  t.match([...(found[0]?.check(subject) ?? [])], [{ at: [], detail: /256 characters; Qoder takes 255/ }])
})

t.test('every rule of the table is tried here with both outcomes, and says what to do', async (t) => {
  const tried = new Set(cases.filter(({ fails }) => fails.length > 0).map(({ code, kind }) => `${code} ${kind}`))
  t.strictSame(
    rules.map(({ code, kind }) => `${code} ${kind}`).filter((rule) => !tried.has(rule)),
    [],
  )
  for (const { code, summary, fix } of rules) {
    t.match(code, /^qoder\.[a-z-]+$/)
    t.match(summary, /^[A-Z].*[^.]$/, code)
    t.match(fix, /\.$/, code)
  }
})
