// Every rule of bailian, with declarations that it accepts and declarations with findings.
import t from 'tap'
import { Check } from 'typebox/value'
import type { Severity } from '../../../core/diagnostic.js'
import type { Declaration } from '../../../core/plugin/declaration.js'
import type { JsonObject } from '../../../core/value/tree.js'
import { rules } from '../../../plugins/bailian/rules/index.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { projectOf } from '../workbench.js'

interface Case {
  readonly title: string
  readonly code: string
  readonly kind: string
  /** Default error. */
  readonly severity?: Severity
  readonly passes: readonly JsonObject[]
  /** Bodies, with the places that are found in each. */
  readonly fails: readonly (readonly [JsonObject, ...string[]])[]
}

const cloud = (more: JsonObject) => ({ config: { type: 'cloud', ...more } })
const credential = { name: 'A', type: 'environment_variable', secret_name: 'A', secret_value: 's' }
const vault = (...more: JsonObject[]) => ({ credentials: more.map((each) => ({ ...credential, ...each })) })
const bearer = { name: 'B', type: 'static_bearer', mcp_server_url: 'https://mcp.example', access_token: 's' }
const hosts = (count: number) => Array.from({ length: count }, (_, index) => `${index}.example`)
const agent = (more: JsonObject = {}) => ({ model: 'qwen3.8-max', instructions: 'Help.', ...more })
const toolkit = { type: 'mcp_toolkit', mcp_server_name: 'maps' }
const store = (memory_store: string) => ({ type: 'memory_store', memory_store })
const repository = { type: 'git_repository', url: 'https://git.example/x.git' }
const names = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`)
const message = { type: 'user.message', content: 'Go.' }
const outcome = { type: 'user.define_outcome', description: 'Done.' }
const deployment = (more: JsonObject = {}) => ({ agent: 'plain', initial_events: [message], ...more })
const file = (more: JsonObject) => ({ type: 'file', file_id: 'file_1', ...more })
const entries = (count: number) => Object.fromEntries(names(count).map((name) => [name, 'x']))

/** Declared beside every case. */
const others = {
  plain: agent(),
  remembering: agent({ memory_stores: ['s0'] }),
  mounting: agent({ resources: [store('s0')] }),
  coordinator: agent({ multiagent: { agents: ['member'] } }),
}

const cases: readonly Case[] = [
  {
    title: '2.5 networks of environments are unrestricted',
    code: 'bailian.environment-network',
    kind: 'environment',
    passes: [{}, cloud({}), cloud({ networking: { type: 'unrestricted' } })],
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
    title: '2.5 environments are not self-hosted',
    code: 'bailian.environment-self-hosted',
    kind: 'environment',
    passes: [cloud({})],
    fails: [[{ config: { type: 'self_hosted' } }, 'config.type']],
  },
  {
    title: '7.2 a setup script is refused',
    code: 'bailian.environment-setup-script',
    kind: 'environment',
    passes: [cloud({ packages: { cargo: ['x'], gem: ['y'], go: ['z'] } })],
    fails: [[cloud({ setup_script: 'echo' }), 'config.setup_script']],
  },
  {
    title: '2.7 a credential names at most ten hosts',
    code: 'bailian.credential-too-many-hosts',
    kind: 'vault',
    passes: [{}, vault({}, { networking: { allowed_hosts: hosts(10) } })],
    fails: [[vault({}, { networking: { allowed_hosts: hosts(11) } }), 'credentials.1.networking.allowed_hosts']],
  },
  {
    title: '2.7 a limited credential is never widened',
    code: 'bailian.credential-without-hosts',
    kind: 'vault',
    passes: [
      vault({}),
      vault({ networking: {} }),
      vault({ networking: { type: 'unrestricted' } }),
      vault({ networking: { type: 'limited', allowed_hosts: ['a.example'] } }),
    ],
    fails: [
      [vault({ networking: { type: 'limited' } }), 'credentials.0.networking.type'],
      [vault({ networking: { type: 'limited', allowed_hosts: [] } }), 'credentials.0.networking.allowed_hosts'],
      [vault({ networking: { allowed_hosts: [] } }), 'credentials.0.networking.allowed_hosts'],
    ],
  },
  {
    title: '2.7 a variable is set once in a vault',
    code: 'bailian.credential-duplicate-secret-name',
    kind: 'vault',
    passes: [vault({}, { secret_name: 'B' })],
    fails: [[vault({}, { secret_name: 'B' }, { name: 'C' }), 'credentials.2.secret_name']],
  },
  {
    title: '2.7 a bearer token gets a warning',
    code: 'bailian.credential-static-bearer',
    kind: 'vault',
    severity: 'warning',
    passes: [vault({})],
    fails: [[{ credentials: [credential, bearer] }, 'credentials.1.type']],
  },
  {
    title: '2.8 memories and names of stores have limits',
    code: 'bailian.memory-store-limits',
    kind: 'memory_store',
    passes: [
      { name: 'x'.repeat(255) },
      { entries: [{ key: 'x'.repeat(1_023), content: 'x'.repeat(102_400) }] },
      { entries: [{ key: `/${'x'.repeat(1_023)}`, content: '' }] },
    ],
    fails: [
      [{ name: 'x'.repeat(256) }, 'name'],
      [{ entries: [{ key: 'x'.repeat(1_024), content: '' }] }, 'entries.0.key'],
      [{ entries: [{ key: 'x', content: `${'x'.repeat(102_399)}é` }] }, 'entries.0.content'],
    ],
  },
  {
    title: '2.11 2.6 7.5 7.6 fields of qoder are refused',
    code: 'bailian.agent-foreign-field',
    kind: 'agent',
    passes: [agent({ environment: 'e', vault: 'v' })],
    fails: [
      [agent({ tunnel: 't' }), 'tunnel'],
      [agent({ environment_variables: {} }), 'environment_variables'],
      [agent({ managed_tool_config: { enabled_tools: [] } }), 'managed_tool_config'],
      [agent({ default_memory_store: { name: 'm' } }), 'default_memory_store'],
    ],
  },
  {
    title: '2.11 forward delivery is refused here and nobody else’s business',
    code: 'bailian.agent-forward-delivery',
    kind: 'agent',
    passes: [agent({ delivery: { bailian: { type: 'managed' }, qoder: { type: 'forward' } } })],
    fails: [[agent({ delivery: { bailian: { type: 'forward' } } }), 'delivery.bailian.type']],
  },
  {
    title: '2.11 an unknown built-in tool gets a warning',
    code: 'bailian.agent-unknown-tool',
    kind: 'agent',
    severity: 'warning',
    passes: [agent(), agent({ tools: { builtin: ['bash', 'Download-File'] } })],
    fails: [[agent({ tools: { builtin: ['bash', 'web_search'] } }), 'tools.builtin.1']],
  },
  {
    title: '2.11 MCP servers are named, not addressed',
    code: 'bailian.agent-url-mcp-server',
    kind: 'agent',
    passes: [agent({ mcp_servers: [{ name: 'maps' }, { name: 'news', type: 'official' }] })],
    fails: [
      [agent({ mcp_servers: [{ name: 'maps', url: 'https://mcp.example' }] }), 'mcp_servers.0.url'],
      [agent({ mcp_servers: [{ name: 'maps' }, { name: 'news', type: 'http' }] }), 'mcp_servers.1.type'],
    ],
  },
  {
    title: '2.13 every MCP server has a toolkit',
    code: 'bailian.agent-mcp-server-without-toolkit',
    kind: 'agent',
    passes: [agent({ mcp_servers: [{ name: 'maps' }], tools: { builtin: [], mcp: [toolkit] } })],
    fails: [
      [agent({ mcp_servers: [{ name: 'maps' }] }), 'mcp_servers.0.name'],
      [agent({ mcp_servers: [{ name: 'news' }], tools: { builtin: [], mcp: [toolkit] } }), 'mcp_servers.0.name'],
    ],
  },
  {
    title: '2.13 a misspelled server of a toolkit is reported at the toolkit, not as an unused server',
    code: 'bailian.agent-toolkit-without-server',
    kind: 'agent',
    passes: [agent({ mcp_servers: [{ name: 'maps' }], tools: { builtin: [], mcp: [toolkit] } })],
    fails: [[agent({ tools: { builtin: [], mcp: [toolkit] } }), 'tools.mcp.0.mcp_server_name']],
  },
  {
    title: '2.15 a member whose tools ask gets a warning',
    code: 'bailian.agent-member-approval',
    kind: 'agent',
    severity: 'warning',
    passes: [agent(), agent({ tools: { builtin: ['bash'], permissions: { bash: 'allow' } } })],
    fails: [
      [agent({ tools: { builtin: ['bash'], default_permission: 'ask' } }), 'tools'],
      [agent({ tools: { builtin: ['bash'], permissions: { Bash: 'ask' } } }), 'tools'],
    ],
  },
  {
    title: '7.9 an absolute mount path of an agent’s file lies below /mnt',
    code: 'bailian.mount-path',
    kind: 'agent',
    passes: [agent({ files: ['f', { file: 'f', mount_path: 'in/f' }, { file: 'f', mount_path: '/mnt/f' }] })],
    fails: [
      [agent({ files: [{ file: 'f', mount_path: '/data/f' }] }), 'files.0.mount_path'],
      [agent({ files: [{ file: 'f', mount_path: '/mntx/f' }] }), 'files.0.mount_path'],
    ],
  },
  {
    title: '2.11 a file without a mount path gets a warning',
    code: 'bailian.file-without-mount-path',
    kind: 'agent',
    severity: 'warning',
    passes: [agent({ files: [{ file: 'f', mount_path: 'f' }] })],
    fails: [[agent({ files: [{ file: 'f', mount_path: 'f' }, 'g'] }), 'files.1']],
  },
  {
    title: '2.14 an agent has one thing in one place',
    code: 'bailian.mount-repeated',
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
        'files.1',
      ],
    ],
  },
  {
    title: '2.14 a deployment has one thing in one place',
    code: 'bailian.mount-repeated',
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
        'resources.1',
      ],
    ],
  },
  {
    title: '7.8 a memory store is mounted once',
    code: 'bailian.duplicate-memory-mount',
    kind: 'agent',
    passes: [agent({ memory_stores: ['s0'], resources: [store('s0'), store('s1')] })],
    fails: [[agent({ resources: [store('s0'), store('s1'), store('s0')] }), 'resources.2.memory_store']],
  },
  {
    title: '7.8 at most eight distinct memory stores are mounted',
    code: 'bailian.too-many-memory-stores',
    kind: 'agent',
    passes: [agent({ memory_stores: names(8), resources: [store('s0')] })],
    fails: [
      [agent({ memory_stores: names(8), resources: [store('s8')] }), 'memory_stores'],
      [agent({ resources: names(9).map(store) }), 'resources'],
    ],
  },
  {
    title: '2.14 repositories are not mounted into sessions',
    code: 'bailian.repository-mount',
    kind: 'agent',
    passes: [agent({ resources: [store('s0')] })],
    fails: [[agent({ resources: [store('s0'), repository] }), 'resources.1.type']],
  },
  {
    title: '7.8 2.16 a deployment mounts no memory in any form',
    code: 'bailian.deployment-memory',
    kind: 'deployment',
    passes: [deployment({ memory_stores: [] })],
    fails: [
      [deployment({ memory_stores: ['s0'] }), 'memory_stores'],
      [deployment({ resources: [store('s0')] }), 'resources.0.type'],
      [deployment({ agent: 'remembering' }), 'agent'],
      [deployment({ agent: 'mounting' }), 'agent'],
    ],
  },
  {
    title: '2.16 a file of a deployment has a mount path',
    code: 'bailian.deployment-file',
    kind: 'deployment',
    passes: [deployment({ resources: [file({ mount_path: 'f' })] })],
    fails: [[deployment({ resources: [file({})] }), 'resources.0']],
  },
  {
    title: '7.9 an absolute mount path of a deployment’s file lies below /mnt',
    code: 'bailian.mount-path',
    kind: 'deployment',
    passes: [deployment({ resources: [file({ mount_path: '/mnt/f' })] })],
    fails: [[deployment({ resources: [file({ mount_path: '/uploads/f' })] }), 'resources.0.mount_path']],
  },
  {
    title: '2.16 a repository of a deployment gets a warning',
    code: 'bailian.deployment-repository',
    kind: 'deployment',
    severity: 'warning',
    passes: [deployment({ resources: [file({ mount_path: 'f' })] })],
    fails: [[deployment({ resources: [repository] }), 'resources.0.type']],
  },
  {
    title: '2.16 a variable is not called __proto__',
    code: 'bailian.deployment-variable-name',
    kind: 'deployment',
    passes: [deployment({ environment_variables: { proto: 'x' } })],
    fails: [
      [deployment({ environment_variables: JSON.parse('{"__proto__":"x"}') }), 'environment_variables.__proto__'],
    ],
  },
  {
    title: '2.16 an outcome gets a warning',
    code: 'bailian.deployment-outcome',
    kind: 'deployment',
    severity: 'warning',
    passes: [deployment()],
    fails: [[deployment({ initial_events: [message, outcome] }), 'initial_events.1.type']],
  },
  {
    title: '2.16 a deployment starts with a message',
    code: 'bailian.deployment-without-message',
    kind: 'deployment',
    passes: [
      deployment({ initial_events: [outcome, message] }),
      deployment({ initial_events: [{ type: 'system.message', content: 'Go.' }] }),
    ],
    fails: [[deployment({ initial_events: [outcome] }), 'initial_events']],
  },
  {
    title: '2.16 a deployment has no tunnel',
    code: 'bailian.deployment-tunnel',
    kind: 'deployment',
    passes: [deployment()],
    fails: [[deployment({ tunnel: 't' }), 'tunnel']],
  },
  ...['environment', 'vault', 'agent', 'deployment'].map((kind): Case => {
    const base: JsonObject = kind === 'agent' ? agent() : kind === 'deployment' ? deployment() : {}
    return {
      title: `metadata of a ${kind} leaves room for the two ownership marks`,
      code: 'bailian.metadata-limits',
      kind,
      passes: [
        { ...base, metadata: entries(14) },
        { ...base, metadata: { ['k'.repeat(64)]: 'v'.repeat(512) } },
      ],
      fails: [
        [{ ...base, metadata: entries(15) }, 'metadata'],
        [{ ...base, metadata: { ['k'.repeat(65)]: 'v' } }, `metadata.${'k'.repeat(65)}`],
        [{ ...base, metadata: { k: 'v'.repeat(513) } }, 'metadata.k'],
      ],
    }
  }),
  {
    title: 'a description of a skill gets a note',
    code: 'bailian.field-not-sent',
    kind: 'skill',
    severity: 'note',
    passes: [{ source: 's' }],
    fails: [[{ source: 's', description: 'd' }, 'description']],
  },
  {
    title: 'a version of a skill gets a warning',
    code: 'bailian.field-not-sent',
    kind: 'skill',
    severity: 'warning',
    passes: [{ source: 's' }],
    fails: [[{ source: 's', version: '1.0' }, 'version']],
  },
  {
    title: 'a purpose of a file gets a warning',
    code: 'bailian.field-not-sent',
    kind: 'file',
    severity: 'warning',
    passes: [{ source: 's' }],
    fails: [[{ source: 's', purpose: 'p' }, 'purpose']],
  },
  {
    title: '2.9 a folder cannot be an official skill',
    code: 'bailian.skill-origin',
    kind: 'skill',
    severity: 'warning',
    passes: [{ source: 's', origin: 'custom' }],
    fails: [[{ source: 's', origin: 'official' }, 'origin']],
  },
]

const declaration = (kind: string, name: string, body: JsonObject): Declaration => ({
  kind,
  name,
  body,
  sources: new Map(),
  providers: { names: ['bailian'], by: 'default' },
})

/** Places found by the rules with this code and severity. */
function found({ code, kind, severity = 'error' }: Case, body: JsonObject): readonly string[] {
  const schema = kinds.find((known) => known.kind === kind)?.schema
  if (!schema || !Check(schema, body)) throw new Error(`not a ${kind}: ${JSON.stringify(body)}`)
  const subject = declaration(kind, 'member', body)
  const project = projectOf([
    subject,
    ...Object.entries(others).map(([name, other]) => declaration('agent', name, other)),
  ])
  return rules
    .filter((rule) => rule.code === code && rule.kind === kind && rule.severity === severity)
    .flatMap((rule) => [...rule.check({ declaration: subject, project, provider: 'bailian', api: '' })])
    .map(({ at }) => at.join('.'))
}

for (const each of cases)
  t.test(each.title, async (t) => {
    for (const body of each.passes) t.same(found(each, body), [], `passes: ${JSON.stringify(body).slice(0, 80)}`)
    for (const [body, ...places] of each.fails) t.same(found(each, body), places)
  })

t.test('every rule has a case', async (t) => {
  const covered = new Set(cases.map(({ code, kind }) => `${kind} ${code}`))
  t.same(
    rules.map(({ code, kind }) => `${kind} ${code}`).filter((known) => !covered.has(known)),
    [],
  )
})
