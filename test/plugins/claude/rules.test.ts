// Rules of Claude, which refuse declarations or warn of them before a plan.
import t from 'tap'
import { Errors } from 'typebox/value'
import type { Declaration } from '../../../core/plugin/declaration.js'
import { variablePlaceholder } from '../../../core/value/placeholder.js'
import type { JsonObject } from '../../../core/value/tree.js'
import { claude } from '../../../plugins/claude/index.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { projectOf } from '../workbench.js'

/** Returns `code path` of all findings. */
function found(kind: string, body: object): readonly string[] {
  const schema = kinds.find((known) => known.kind === kind)?.schema
  const errors = schema ? Errors(schema, body) : [{ message: 'no such kind' }]
  if (errors.length > 0) throw new Error(`not a ${kind}: ${JSON.stringify(errors)}`)
  const providers = { names: ['claude'], by: 'pin' } as const
  const declaration: Declaration = { kind, name: 'it', body: body as JsonObject, sources: new Map(), providers }
  const subject = { declaration, project: projectOf([declaration]), provider: 'claude', api: '' }
  return claude.rules
    .filter((rule) => rule.kind === kind)
    .flatMap((rule) => [...rule.check(subject)].map(({ at }) => `${rule.code} ${at.join('.')}`))
}

const many = <Item>(count: number, item: (index: number) => Item) => Array.from({ length: count }, (_, i) => item(i))
const environment = (config: object) => found('environment', { config: { type: 'cloud', ...config } })
const agent = (more: object) => found('agent', { model: 'any', instructions: 'Help.', ...more })
const credential = { name: 'a', type: 'environment_variable', secret_name: 'A', secret_value: 'x' } as const
const vault = (...credentials: object[]) => found('vault', { credentials })
const message = { type: 'user.message', content: 'Go.' }
const deployment = (more: object) => found('deployment', { agent: 'helper', initial_events: [message], ...more })

t.test('7.2 environments take no setup script, and are never self-hosted', async (t) => {
  t.same(environment({}), [])
  t.same(environment({ setup_script: 'echo' }), ['claude.environment-setup-script config.setup_script'])
  t.same(found('environment', { config: { type: 'self_hosted' } }), ['claude.environment-self-hosted config.type'])
})

t.test('2.5 packages need a network that allows package managers', async (t) => {
  const packages = { cargo: ['ripgrep'] }
  const networking = { type: 'limited' }
  t.same(environment({ packages }), [])
  t.same(environment({ packages: { pip: [] }, networking }), [])
  t.same(environment({ packages, networking: { ...networking, allow_package_managers: true } }), [])
  t.same(environment({ packages, networking }), ['claude.environment-unreachable-packages config.packages.cargo'])
  t.same(environment({ packages, networking: { allowed_hosts: ['a.example'] } }), [
    'claude.environment-unreachable-packages config.packages.cargo',
  ])
})

t.test('2.5 limits of an unrestricted network are refused', async (t) => {
  const unrestricted = (more: object) => environment({ networking: { type: 'unrestricted', ...more } })
  t.same(unrestricted({ allow_mcp_servers: true }), [])
  t.same(unrestricted({ allowed_hosts: ['a.example'], allow_mcp_servers: false }), [
    'claude.environment-hosts-without-limit config.networking.allowed_hosts',
    'claude.environment-hosts-without-limit config.networking.allow_mcp_servers',
  ])
})

t.test('2.7 hosts of a credential are one to sixteen, and never widened', async (t) => {
  const hosts = (networking: object) => vault({ ...credential, networking })
  t.same(hosts({ allowed_hosts: many(16, (index) => `h${index}.example`) }), [])
  t.same(hosts({ type: 'unrestricted' }), [])
  t.same(hosts({ type: 'unrestricted', allowed_hosts: ['*'] }), [])
  const at = 'claude.credential-hosts credentials.0.networking'
  t.same(hosts({ allowed_hosts: many(17, (index) => `h${index}.example`) }), [`${at}.allowed_hosts`])
  t.same(hosts({ allowed_hosts: [] }), [`${at}.allowed_hosts`])
  t.same(hosts({ type: 'limited' }), [`${at}.type`])
  t.same(hosts({ type: 'limited', allowed_hosts: [] }), [`${at}.type`])
  t.same(hosts({ type: 'unrestricted', allowed_hosts: ['a.example'] }), [`${at}.allowed_hosts`])
})

t.test('2.7 a credential has a target, and no two have the same', async (t) => {
  t.same(vault({ ...credential, injection_location: { header: false, body: true } }), [])
  t.same(vault({ ...credential, injection_location: { body: false } }), [])
  t.same(vault({ ...credential, injection_location: { header: false } }), [
    'claude.credential-never-injected credentials.0.injection_location',
  ])
  const bearer = { name: 'b', type: 'static_bearer', mcp_server_url: 'https://mcp.example', access_token: 'x' }
  t.same(vault(credential, bearer, { ...credential, secret_name: 'B' }), [])
  t.same(vault(credential, bearer, { ...bearer, name: 'c' }, { ...credential, name: 'd' }), [
    'claude.credential-duplicate credentials.2.mcp_server_url',
    'claude.credential-duplicate credentials.3.secret_name',
  ])
  t.same(vault({ ...bearer, protocol: 'sse' }), ['claude.field-not-sent credentials.0.protocol'])
})

t.test('texts of vaults have limits, which are not checked for unset variables', async (t) => {
  const named = (length: number) => found('vault', { display_name: 'x'.repeat(length) })
  t.same(named(255), [])
  t.same(named(256), ['claude.vault-limits display_name'])
  const bearer = { type: 'static_bearer', access_token: 'x', name: 'x'.repeat(256), mcp_server_url: 'x'.repeat(2_048) }
  t.same(vault(bearer), ['claude.vault-limits credentials.0.name', 'claude.vault-limits credentials.0.mcp_server_url'])
  t.same(found('vault', { display_name: variablePlaceholder('NAME', 'x'.repeat(300)) }), [])
})

t.test('7.5 7.6 fields that belong to another provider are refused', async (t) => {
  t.same(agent({ delivery: { qoder: { type: 'forward' } } }), [], 'members for qoder are not checked here')
  const foreign = {
    tunnel: 't',
    environment_variables: { A: '1' },
    managed_tool_config: { enabled_tools: [] },
    default_memory_store: { name: 'notes' },
  }
  for (const [field, value] of Object.entries(foreign))
    t.same(agent({ [field]: value }), [`claude.agent-foreign-field ${field}`])
  t.same(agent({ delivery: { claude: { type: 'forward' } } }), ['claude.agent-forward-delivery delivery.claude.type'])
  t.same(agent({ delivery: { claude: { type: 'managed' } } }), [])
})

t.test('instructions have a limit', async (t) => {
  t.same(agent({ instructions: 'x'.repeat(100_000) }), [])
  t.same(agent({ instructions: 'x'.repeat(100_001) }), ['claude.agent-instructions-too-long instructions'])
})

t.test('2.11 built-in tools that do not exist here are warned of', async (t) => {
  t.same(agent({ tools: { builtin: ['bash', 'WebFetch', 'download_file'] } }), [
    'claude.agent-unknown-tool tools.builtin.2',
  ])
})

t.test('2.11 MCP servers are named by address, once each, at most twenty', async (t) => {
  const server = (index: number) => ({ name: `s${index}`, url: 'https://mcp.example' })
  t.same(agent({ mcp_servers: many(20, server) }), [])
  t.same(agent({ mcp_servers: many(21, server) }), ['claude.agent-mcp-servers mcp_servers'])
  t.same(agent({ mcp_servers: [server(1), server(1)] }), ['claude.agent-mcp-servers mcp_servers.1.name'])
  t.same(agent({ mcp_servers: [{ name: 'a', type: 'official' }] }), [
    'claude.agent-mcp-server-without-url mcp_servers.0.type',
  ])
  t.same(agent({ mcp_servers: [{ name: 'a' }] }), ['claude.agent-mcp-server-without-url mcp_servers.0.name'])
})

t.test('2.13 a toolkit belongs to one declared server', async (t) => {
  const toolkit = (name: string) => ({ type: 'mcp_toolkit', mcp_server_name: name })
  const mcp_servers = [{ name: 'a', url: 'https://mcp.example' }]
  t.same(agent({ mcp_servers, tools: { builtin: [], mcp: [toolkit('a')] } }), [])
  t.same(agent({ mcp_servers, tools: { builtin: [], mcp: [toolkit('a'), toolkit('a'), toolkit('b')] } }), [
    'claude.agent-toolkit-without-server tools.mcp.1.mcp_server_name',
    'claude.agent-toolkit-without-server tools.mcp.2.mcp_server_name',
  ])
})

t.test('7.9 an absolute mount path outside /workspace is refused', async (t) => {
  const files = (mount_path: string) => agent({ files: [{ file: 'report', mount_path }] })
  t.same(files('/workspace/report.csv'), [])
  t.same(files('report.csv'), [])
  t.same(files('/mnt/report.csv'), ['claude.mount-path files.0.mount_path'])
  const resources = [{ type: 'git_repository', url: 'https://example.com/a', mount_path: '/data/a' }]
  t.same(agent({ resources }), ['claude.mount-path resources.0.mount_path'])
  t.same(deployment({ resources }), ['claude.mount-path resources.0.mount_path'])
  t.same(agent({ files: ['report'] }), ['claude.agent-file-without-mount-path files.0'])
})

t.test('metadata has room for fourteen entries beside the two marks', async (t) => {
  const metadata = (count: number) => Object.fromEntries(many(count, (index) => [`k${index}`, 'v']))
  t.same(agent({ metadata: metadata(14) }), [])
  t.same(agent({ metadata: metadata(15) }), ['claude.metadata-limits metadata'])
})

t.test('2.8 memory stores keep short texts under plain paths, and strings as metadata', async (t) => {
  const store = (body: object) => found('memory_store', body)
  const entry = (key: string, content = 'x') => store({ entries: [{ key, content }] })
  const names = (count: number) => many(count, () => 'n').join('/')
  t.same(store({ name: 'n'.repeat(255), description: 'd'.repeat(1_024), metadata: { tier: '2' } }), [])
  t.same(store({ name: 'n'.repeat(256), description: 'd'.repeat(1_025), metadata: { tier: 2 } }), [
    'claude.memory-store-metadata metadata.tier',
    'claude.memory-store-limits name',
    'claude.memory-store-limits description',
  ])
  t.same(entry('notes/style.md', 'ä'.repeat(51_200)), [])
  t.same(entry('notes/style.md', 'ä'.repeat(51_201)), ['claude.memory-store-limits entries.0.content'])
  t.same(entry(names(20)), [])
  t.same(entry('p'.repeat(1_023)), [])
  for (const key of [names(21), 'p'.repeat(1_024), 'a/../b', './a', 'a//b', 'a/', 'u\u0308.md'])
    t.same(entry(key), ['claude.memory-path entries.0.key'], key)
  const both = {
    entries: [
      { key: 'a/b', content: 'x' },
      { key: '/a', content: 'x' },
    ],
  }
  t.same(store(both), ['claude.memory-path entries.1.key'])
})

t.test('2.16 deployments have no variables and no tunnel, and need initial events', async (t) => {
  t.same(deployment({}), [])
  t.same(deployment({ environment_variables: { A: '1' }, tunnel: 't' }), [
    'claude.deployment-foreign-field environment_variables',
    'claude.deployment-foreign-field tunnel',
  ])
  t.same(deployment({ initial_events: [{ type: 'system.message', content: 'x' }] }), [
    'claude.deployment-without-input initial_events',
  ])
  const outcome = { type: 'user.define_outcome', description: 'a report', rubric: 'complete' }
  t.same(deployment({ initial_events: [outcome] }), [])
  t.same(deployment({ initial_events: [{ ...outcome, description: undefined }] }), [
    'claude.deployment-outcome initial_events.0',
  ])
  t.same(deployment({ vaults: many(50, (index) => `v${index}`) }), [])
  t.same(deployment({ vaults: many(51, (index) => `v${index}`) }), ['claude.deployment-limits vaults'])
})

t.test('2.16 a deployment has limits, and an environment of its own or of its agent', async (t) => {
  const names = (count: number) => many(count, (index) => `n${index}`)
  const outcome = (rubric: unknown) => ({ type: 'user.define_outcome', description: 'Done', rubric })
  const stores = (count: number) => names(count).map((memory_store) => ({ type: 'memory_store', memory_store }))
  t.same(deployment({ vaults: names(50), resources: stores(500) }), [])
  t.same(deployment({ vaults: names(51), resources: stores(501) }), [
    'claude.deployment-limits vaults',
    'claude.deployment-limits resources',
  ])
  t.same(deployment({ initial_events: [outcome('r'.repeat(262_144))] }), [])
  const long = 'r'.repeat(262_145)
  t.same(deployment({ initial_events: [outcome(long), outcome({ type: 'text', content: long })] }), [
    'claude.deployment-limits initial_events.0.rubric',
    'claude.deployment-limits initial_events.1.rubric',
  ])
  const providers = { names: ['claude'], by: 'pin' } as const
  const one = (kind: string, name: string, body: object): Declaration => ({
    kind,
    name,
    body: body as JsonObject,
    sources: new Map(),
    providers,
  })
  const missing = (own: object, agentBody: object) => {
    const declaration = one('deployment', 'it', { agent: 'helper', initial_events: [message], ...own })
    const project = projectOf([declaration, one('agent', 'helper', agentBody)])
    const subject = { declaration, project, provider: 'claude', api: '' }
    return claude.rules
      .filter(({ code }) => code === 'claude.deployment-environment-missing')
      .flatMap((rule) => [...rule.check(subject)]).length
  }
  t.equal(missing({}, { environment: 'sandbox' }), 0)
  t.equal(missing({ environment: 'sandbox' }, {}), 0)
  t.equal(missing({}, {}), 1)
})

t.test('2.14 nothing is mounted twice, and repositories need https URLs', async (t) => {
  const repository = (url: string, more: object = {}) => ({ type: 'git_repository', url, ...more })
  const store = { type: 'memory_store', memory_store: 'wiki' }
  const tools = repository('https://git.example/acme/tools.git')
  for (const at of [agent, deployment]) {
    t.same(at({ resources: [store, { ...store, memory_store: 'log' }, tools] }), [])
    t.same(at({ resources: [store, store] }), ['claude.mount-repeated resources.1'])
    t.same(at({ resources: [tools, repository('https://git.example/other/tools')] }), [
      'claude.mount-repeated resources.1',
    ])
    t.same(at({ resources: [tools, repository('https://git.example/other/tools', { mount_path: 'other' })] }), [])
    t.same(at({ resources: [tools, repository(tools.url, { mount_path: '/workspace/tools' })] }), [
      'claude.mount-repeated resources.1',
    ])
    for (const url of ['http://git.example/acme/tools', 'https://x:y@git.example/a'])
      t.same(at({ resources: [repository(url)] }), ['claude.repository-url resources.0.url'], url)
    t.same(at({ resources: [repository(variablePlaceholder('URL'))] }), [])
  }
})

t.test('fields that are not sent are reported', async (t) => {
  t.same(found('skill', { source: 's', description: 'd', version: '1', origin: 'official' }), [
    'claude.field-not-sent description',
    'claude.field-not-sent version',
    'claude.skill-origin origin',
  ])
  t.same(found('file', { source: 'f', purpose: 'agent' }), ['claude.field-not-sent purpose'])
})
