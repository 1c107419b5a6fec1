// Every rule, with declarations that pass and declarations that do not.
import t from 'tap'
import type { Declaration } from '../../../core/plugin/declaration.js'
import { rules } from '../../../plugins/ark/rules/index.js'
import { declaration, project } from './account.js'

interface Case {
  readonly title: string
  readonly code: string
  readonly kind: string
  readonly passes: readonly object[]
  /** Body to the places found in it. */
  readonly fails: readonly (readonly [object, readonly string[]])[]
}

const url = 'https://mcp.example.com'
const agent = (more: object) => ({ model: 'm', instructions: 'Help.', ...more })
const servers = (...names: string[]) => names.map((name) => ({ name, url }))
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
  mcp_server_url: url,
  access_token: 'x',
  ...more,
})
const entries = (count: number) => Array.from({ length: count }, (_, index) => ({ key: `k${index}`, content: 'x' }))
const pairs = (count: number) => Object.fromEntries(entries(count).map(({ key }) => [key, 'v']))
const names = (count: number) => entries(count).map(({ key }) => key)
const hello = { type: 'user.message', content: 'Hello.' }
const deployment = (more: object) => ({ agent: 'helper', environment: 'sandbox', initial_events: [hello], ...more })
const toolkit = { type: 'mcp_toolkit', mcp_server_name: 'wiki' }
const repository = { type: 'git_repository', url: 'https://git.example.com/a.git' }
const store = (name: string) => ({ type: 'memory_store', memory_store: name })

const cases: readonly Case[] = [
  {
    title: '2.5 a self-hosted environment is refused',
    code: 'ark.environment-self-hosted',
    kind: 'environment',
    passes: [{}, { config: { type: 'cloud' } }],
    fails: [[{ config: { type: 'self_hosted' } }, ['config.type']]],
  },
  {
    title: '7.2 a setup script is refused',
    code: 'ark.environment-setup-script',
    kind: 'environment',
    passes: [{ config: { type: 'cloud' } }],
    fails: [[{ config: { type: 'cloud', setup_script: 'true' } }, ['config.setup_script']]],
  },
  {
    title: '2.7 an injection location is not sent, which a warning reports',
    code: 'ark.credential-injection',
    kind: 'vault',
    passes: [{ credentials: [variable(), bearer()] }],
    fails: [[{ credentials: [bearer(), variable({ injection_location: {} })] }, ['credentials.1.injection_location']]],
  },
  {
    title: '2.7 a protocol is not sent, which a warning reports',
    code: 'ark.credential-protocol',
    kind: 'vault',
    passes: [{ credentials: [variable(), bearer()] }],
    fails: [[{ credentials: [bearer({ protocol: 'sse' })] }, ['credentials.0.protocol']]],
  },
  {
    title: '2.7 a limited credential names its hosts',
    code: 'ark.credential-without-hosts',
    kind: 'vault',
    passes: [
      { credentials: [variable(), variable({ networking: { type: 'unrestricted' } })] },
      { credentials: [variable({ networking: { type: 'limited', allowed_hosts: ['a.b'] } })] },
    ],
    fails: [
      [{ credentials: [variable({ networking: { type: 'limited' } })] }, ['credentials.0.networking']],
      [{ credentials: [variable({ networking: { allowed_hosts: [] } })] }, ['credentials.0.networking']],
    ],
  },
  {
    title: '2.7 two credentials of a vault are not for the same server or variable',
    code: 'ark.credential-duplicate',
    kind: 'vault',
    passes: [{ credentials: [variable(), variable({ secret_name: 'OTHER' }), bearer()] }],
    fails: [
      [{ credentials: [variable(), variable({ name: 'Again' })] }, ['credentials.1.secret_name']],
      [
        { credentials: [bearer(), bearer(), bearer()] },
        ['credentials.1.mcp_server_url', 'credentials.2.mcp_server_url'],
      ],
    ],
  },
  {
    title: 'a vault holds a hundred credentials',
    code: 'ark.vault-too-many-credentials',
    kind: 'vault',
    passes: [{}, { credentials: names(100).map((secret_name) => variable({ secret_name })) }],
    fails: [[{ credentials: names(101).map((secret_name) => variable({ secret_name })) }, ['credentials']]],
  },
  {
    title: '2.8 metadata of a memory store is text',
    code: 'ark.memory-store-metadata',
    kind: 'memory_store',
    passes: [{}, { metadata: { team: 'platform' } }],
    fails: [[{ metadata: { team: 'platform', tier: 2, tags: ['a'] } }, ['metadata.tier', 'metadata.tags']]],
  },
  {
    title: '2.8 a memory holds 102400 bytes and a store 2000 memories',
    code: 'ark.memory-store-too-large',
    kind: 'memory_store',
    passes: [{ entries: entries(2000) }, { entries: [{ key: 'a', content: 'x'.repeat(102_400) }] }],
    fails: [
      [{ entries: entries(2001) }, ['entries']],
      [{ entries: [{ key: 'a', content: `é${'x'.repeat(102_399)}` }] }, ['entries.0.content']],
    ],
  },
  {
    title: '2.10 the purpose of a file is agent or user_data',
    code: 'ark.file-purpose',
    kind: 'file',
    passes: [{ source: 'a' }, { source: 'a', purpose: 'agent' }, { source: 'a', purpose: 'user_data' }],
    fails: [[{ source: 'a', purpose: 'fine-tune' }, ['purpose']]],
  },
  {
    title: '2.9 a declared description of a skill is not sent, which a warning reports',
    code: 'ark.skill-description',
    kind: 'skill',
    passes: [{ source: 'a' }],
    fails: [[{ source: 'a', description: 'x' }, ['description']]],
  },
  {
    title: '2.9 a declared version of a skill is not sent, which a warning reports',
    code: 'ark.skill-version',
    kind: 'skill',
    passes: [{ source: 'a' }],
    fails: [[{ source: 'a', version: '2' }, ['version']]],
  },
  {
    title: '2.9 a folder does not become an official skill',
    code: 'ark.skill-origin',
    kind: 'skill',
    passes: [{ source: 'a' }, { source: 'a', origin: 'custom' }],
    fails: [[{ source: 'a', origin: 'official' }, ['origin']]],
  },
  {
    title: '2.11 environment variables of an agent are refused',
    code: 'ark.agent-environment-variables',
    kind: 'agent',
    passes: [agent({})],
    fails: [[agent({ environment_variables: {} }), ['environment_variables']]],
  },
  {
    title: '2.11 a tunnel is refused',
    code: 'ark.agent-tunnel',
    kind: 'agent',
    passes: [agent({})],
    fails: [[agent({ tunnel: 'office' }), ['tunnel']]],
  },
  {
    title: '7.5 managed tools are refused',
    code: 'ark.agent-managed-tool-config',
    kind: 'agent',
    passes: [agent({})],
    fails: [[agent({ managed_tool_config: { enabled_tools: [] } }), ['managed_tool_config']]],
  },
  {
    title: '7.6 a default memory store is refused',
    code: 'ark.agent-default-memory-store',
    kind: 'agent',
    passes: [agent({})],
    fails: [[agent({ default_memory_store: { name: 'x' } }), ['default_memory_store']]],
  },
  {
    title: '2.11 forward delivery is refused',
    code: 'ark.agent-forward-delivery',
    kind: 'agent',
    passes: [agent({ delivery: { qoder: { type: 'forward' }, ark: { type: 'managed' } } })],
    fails: [[agent({ delivery: { ark: { type: 'forward' } } }), ['delivery.ark.type']]],
  },
  {
    title: '2.11 a built-in tool that does not exist is refused',
    code: 'ark.agent-unknown-tool',
    kind: 'agent',
    passes: [agent({ tools: { builtin: ['bash', 'Web-Fetch', 'web_search'] } })],
    fails: [[agent({ tools: { builtin: ['bash', 'bahs'] } }), ['tools.builtin.1']]],
  },
  {
    title: '2.11 an MCP server has a url and is not official',
    code: 'ark.agent-official-mcp-server',
    kind: 'agent',
    passes: [agent({ mcp_servers: [{ name: 'a', url, type: 'http' }, ...servers('b')] })],
    fails: [
      [
        agent({
          mcp_servers: [
            { name: 'a', type: 'official', url },
            { name: 'b', type: 'url' },
          ],
        }),
        ['mcp_servers.0.type', 'mcp_servers.1'],
      ],
    ],
  },
  {
    title: '2.11 an MCP server has a name that stays as it is',
    code: 'ark.agent-mcp-server-name',
    kind: 'agent',
    passes: [agent({ mcp_servers: servers('wiki', 'a_b-9', 'x'.repeat(64)) })],
    fails: [
      [
        agent({ mcp_servers: servers('Wiki', 'my wiki', 'x'.repeat(65), 'ok') }),
        ['mcp_servers.0.name', 'mcp_servers.1.name', 'mcp_servers.2.name'],
      ],
    ],
  },
  {
    title: '2.13 a toolkit names a declared server',
    code: 'ark.agent-toolkit-without-server',
    kind: 'agent',
    passes: [agent({ mcp_servers: servers('wiki'), tools: { builtin: [], mcp: [toolkit] } })],
    fails: [[agent({ tools: { builtin: [], mcp: [toolkit] } }), ['tools.mcp.0.mcp_server_name']]],
  },
  {
    title: 'an agent has a hundred thousand characters of instructions and twenty MCP servers',
    code: 'ark.agent-too-large',
    kind: 'agent',
    passes: [agent({ instructions: 'x'.repeat(100_000), mcp_servers: servers(...names(20)) })],
    fails: [
      [
        agent({ instructions: 'x'.repeat(100_001), mcp_servers: servers(...names(21)) }),
        ['instructions', 'mcp_servers'],
      ],
    ],
  },
  {
    title: 'metadata of an agent leaves room for the two marks',
    code: 'ark.metadata-limits',
    kind: 'agent',
    passes: [agent({}), agent({ metadata: { ...pairs(13), ['k'.repeat(64)]: 'v'.repeat(512) } })],
    fails: [
      [agent({ metadata: pairs(15) }), ['metadata']],
      [
        agent({ metadata: { ['k'.repeat(65)]: 'v', long: 'v'.repeat(513) } }),
        [`metadata.${'k'.repeat(65)}`, 'metadata.long'],
      ],
    ],
  },
  {
    title: '7.9 an absolute mount path outside the root is refused',
    code: 'ark.mount-path',
    kind: 'agent',
    passes: [agent({ files: ['a', { file: 'a', mount_path: 'in/a' }, { file: 'a', mount_path: '/mnt/a' }] })],
    fails: [
      [
        agent({
          files: [
            { file: 'a', mount_path: '/data/a' },
            { file: 'b', mount_path: '../b' },
          ],
        }),
        ['files.0.mount_path', 'files.1.mount_path'],
      ],
    ],
  },
  {
    title: '7.9 an absolute mount path of a deployment outside the root is refused',
    code: 'ark.mount-path',
    kind: 'deployment',
    passes: [deployment({ resources: [{ type: 'file', source: 'a', mount_path: '/mnt/a' }] })],
    fails: [
      [deployment({ resources: [{ type: 'file', source: 'a', mount_path: '/mntx/a' }] }), ['resources.0.mount_path']],
    ],
  },
  {
    title: '2.11 a file without a mount path is not mounted, which a warning reports',
    code: 'ark.file-without-mount-path',
    kind: 'agent',
    passes: [agent({ files: [{ file: 'a', mount_path: 'a' }] })],
    fails: [[agent({ files: [{ file: 'a', mount_path: 'a' }, 'b'] }), ['files.1']]],
  },
  {
    title: '2.14 a repository is refused',
    code: 'ark.agent-git-repository',
    kind: 'agent',
    passes: [agent({ resources: [store('notes')] })],
    fails: [[agent({ resources: [store('notes'), repository] }), ['resources.1.type']]],
  },
  {
    title: '2.14 an agent has one thing in one place',
    code: 'ark.mount-repeated',
    kind: 'agent',
    passes: [
      agent({
        files: [
          { file: 'f', mount_path: 'a' },
          { file: 'g', mount_path: 'b' },
        ],
      }),
    ],
    fails: [
      [
        agent({
          files: [
            { file: 'f', mount_path: 'a' },
            { file: 'g', mount_path: '/mnt/./a' },
          ],
        }),
        ['files.1'],
      ],
    ],
  },
  {
    title: '2.14 a deployment has one thing in one place',
    code: 'ark.mount-repeated',
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
    title: '2.14 a memory store is mounted once',
    code: 'ark.agent-duplicate-memory-mount',
    kind: 'agent',
    passes: [agent({ memory_stores: ['a'], resources: [store('a'), store('b')] })],
    fails: [[agent({ resources: [store('a'), store('b'), store('a')] }), ['resources.2.memory_store']]],
  },
  {
    title: '2.14 a session mounts ten distinct memory stores',
    code: 'ark.agent-too-many-memory-stores',
    kind: 'agent',
    passes: [agent({ memory_stores: names(10), resources: [store('k0')] })],
    fails: [
      [agent({ memory_stores: names(10), resources: [store('other')] }), ['memory_stores']],
      [agent({ resources: names(11).map(store) }), ['resources']],
    ],
  },
  {
    title: '2.16 environment variables of a deployment are refused',
    code: 'ark.deployment-environment-variables',
    kind: 'deployment',
    passes: [deployment({})],
    fails: [[deployment({ environment_variables: { A: 'b' } }), ['environment_variables']]],
  },
  {
    title: '2.16 a schedule has no effect, which a warning reports',
    code: 'ark.deployment-schedule',
    kind: 'deployment',
    passes: [deployment({})],
    fails: [[deployment({ schedule: { expression: '0 9 * * 1', timezone: 'Asia/Shanghai' } }), ['schedule']]],
  },
  {
    title: '2.16 a repository of a deployment is refused',
    code: 'ark.deployment-git-repository',
    kind: 'deployment',
    passes: [deployment({ resources: [store('notes')] })],
    fails: [[deployment({ resources: [repository] }), ['resources.0.type']]],
  },
  {
    title: '2.16 a tunnel of a deployment is refused',
    code: 'ark.deployment-tunnel',
    kind: 'deployment',
    passes: [deployment({})],
    fails: [[deployment({ tunnel: 'office' }), ['tunnel']]],
  },
  {
    title: '2.16 a system message becomes a user message, which a warning reports',
    code: 'ark.deployment-system-message',
    kind: 'deployment',
    passes: [deployment({})],
    fails: [
      [deployment({ initial_events: [hello, { type: 'system.message', content: 'x' }] }), ['initial_events.1.type']],
    ],
  },
  {
    title: '2.16 a deployment or its agent names an environment',
    code: 'ark.deployment-environment-missing',
    kind: 'deployment',
    passes: [deployment({}), deployment({ environment: undefined, agent: 'equipped' })],
    fails: [[deployment({ environment: undefined }), ['']]],
  },
]

const helpers: readonly Declaration[] = [
  declaration('agent', 'helper', agent({})),
  declaration('agent', 'equipped', agent({ environment: 'sandbox' })),
]

function placesFound({ code, kind }: Case, body: object): readonly string[] {
  const one = declaration(kind, 'subject', body as Declaration['body'])
  const subject = { declaration: one, project: project(one, ...helpers), provider: 'ark', api: '' }
  const found = rules.filter((rule) => rule.code === code && rule.kind === kind)
  return found.flatMap((rule) => [...rule.check(subject)].map(({ at }) => at.join('.')))
}

for (const one of cases)
  t.test(one.title, async (t) => {
    for (const body of one.passes) t.strictSame(placesFound(one, body), [], JSON.stringify(body).slice(0, 80))
    for (const [body, places] of one.fails)
      t.strictSame(placesFound(one, body), places, JSON.stringify(body).slice(0, 80))
  })

t.test('every rule of the table is tried here, and says what to do', async (t) => {
  const tried = new Set(cases.map(({ code, kind }) => `${code} ${kind}`))
  t.strictSame(
    rules.map(({ code, kind }) => `${code} ${kind}`).filter((rule) => !tried.has(rule)),
    [],
  )
  for (const { code, summary, fix } of rules) {
    t.match(code, /^ark\.[a-z-]+$/)
    t.match(summary, /^[A-Z].*[^.]$/, code)
    t.match(fix, /\.$/, code)
  }
})
