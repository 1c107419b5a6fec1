// Limits of section 8 and refusals of section 7 that `agents validate` checks, on every provider that has them: the largest
// allowed value, and the smallest refused one.
import t from 'tap'
import { fileFor, mountRoots, type ProviderName, providers, times, validate } from './validated.js'

interface Limit {
  /** Begins with numbers of rules. */
  readonly title: string
  readonly on: readonly ProviderName[]
  /** The code, where it is the same on every provider, or what differs. */
  readonly code: string | ((provider: ProviderName) => string)
  /** Valid declarations exactly at the limit. */
  readonly at: (provider: ProviderName) => readonly string[]
  /** Refused with the code. */
  readonly past: (provider: ProviderName) => readonly string[]
}

const environment = 'environments: { base: { config: { type: cloud } } }\n'
const forward = 'environment: base, delivery: { qoder: { type: forward } }'
const visitor = 'identities: { visitor: { external_id: visitor-1 } }\n'
const asVisitor = `defaults: { identity: visitor }\n${visitor}`

const agent = (members: string, before = '', name = 'helper') =>
  `${before}agents:\n  ${name}: { model: auto, instructions: Be brief., ${members} }\n`

const deployment = (members: string, { before = '', agentMembers = 'environment: base' } = {}) =>
  `${before}${environment}agents:\n  helper: { model: auto, instructions: Be brief., ${agentMembers} }\n` +
  `deployments:\n  nightly:\n    agent: helper\n    ${members}\n`

const message = '{ type: user.message, content: Tidy up. }'
const events = (list: string, rest = '') => `initial_events: [${list}]${rest}`
const stores = (count: number) => `memory_stores: { ${times(count, 'notes-#: {}')} }\n`
const letters = (count: number) => 'x'.repeat(count)

/** A coordinator with this number of members of the project. */
const roster = (count: number, how: string, before = '') =>
  `${before}agents:\n  lead: { model: auto, instructions: Delegate.${how}, multiagent: { agents: [${times(count, 'm#')}] } }\n` +
  Array.from({ length: count }, (_, index) => `  m${index + 1}: { model: auto, instructions: Work.${how} }\n`).join('')

const externals = (count: number) => agent(`multiagent: { agents: [${times(count, '{ agent_id: agent_# }')}] }`)
const expression = (text: string) =>
  deployment(events(message, `\n    schedule: { expression: "${text}", timezone: UTC }`))
const outcome = (tries: number) =>
  deployment(
    events(
      `${message}, { type: user.define_outcome, description: A tidy desk., rubric: It is tidy., max_iterations: ${tries} }`,
    ),
  )
const store = (instructions: string) =>
  agent(`resources: [{ type: memory_store, memory_store: notes-1, instructions: "${instructions}" }]`, stores(1))
const script = (text: string) => `environments:\n  base: { config: { type: cloud, setup_script: "${text}" } }\n`
const defaultStore = (members: string) =>
  agent(`${forward}, default_memory_store: { ${members} }`, asVisitor + environment)
const file = (path: string) =>
  agent(`files: [{ file: handbook, mount_path: ${path} }]`, 'files: { handbook: { source: ./handbook.md } }\n')
const repository = (path: string) =>
  agent(`resources: [{ type: git_repository, url: "https://example.com/app.git", mount_path: ${path} }]`)
const resource = (path: string) =>
  deployment(events(message, `\n    resources: [{ type: file, source: ./handbook.md, mount_path: ${path} }]`))
const tools = (permissions: string) => agent(`tools: { builtin: [read, web_fetch], permissions: { ${permissions} } }`)

const limits: readonly Limit[] = [
  {
    title: '7.2 8.1 a setup script has at most 64 KB of UTF-8',
    on: ['qoder'],
    code: 'qoder.environment-setup-script-too-large',
    at: () => [script(letters(65_536)), script('ä'.repeat(32_768))],
    past: () => [script(letters(65_537)), script(`${'ä'.repeat(32_768)}x`)],
  },
  {
    title: '7.2 a setup script is for qoder alone',
    on: ['bailian', 'claude', 'ark'],
    code: (provider) => `${provider}.environment-setup-script`,
    at: () => [environment],
    past: () => [script('make tools')],
  },
  {
    title: '2.5 7.2 packages are installed by apt, npm and pip; the other lists stay empty',
    on: ['qoder'],
    code: 'qoder.environment-package-manager',
    at: () => [
      'environments: { base: { config: { type: cloud, packages: { apt: [jq], npm: [tsx], pip: [uv], cargo: [], gem: [], go: [] } } } }\n',
    ],
    past: () =>
      ['cargo', 'gem', 'go'].map(
        (manager) => `environments: { base: { config: { type: cloud, packages: { ${manager}: [it] } } } }\n`,
      ),
  },
  {
    title: '2.5 7.2 a self-hosted environment has a type and a setup script',
    on: ['qoder'],
    code: 'qoder.environment-self-hosted-config',
    at: () => ['environments: { base: { config: { type: self_hosted, setup_script: make tools } } }\n'],
    past: () => [
      'environments: { base: { config: { type: self_hosted, packages: { pip: [uv] } } } }\n',
      'environments: { base: { config: { type: self_hosted, networking: { type: unrestricted } } } }\n',
    ],
  },
  {
    title: '2.5 an environment runs in the cloud of the provider',
    on: ['bailian', 'ark'],
    code: (provider) => `${provider}.environment-self-hosted`,
    at: () => [environment],
    past: () => ['environments: { base: { config: { type: self_hosted } } }\n'],
  },
  {
    title: '7.4 a permission is for an enabled tool',
    on: providers,
    code: 'agent.permission-unknown-tool',
    at: () => [tools('WebFetch: ask'), tools('read: ask, web-fetch: allow')],
    past: () => [tools('bash: ask'), tools('web_fetches: ask')],
  },
  {
    title: '7.4 a tool has one permission, however its name is written',
    on: providers,
    code: 'agent.permission-repeated',
    at: () => [tools('read: ask, Web-Fetch: ask')],
    past: () => [tools('web_fetch: ask, WebFetch: allow'), tools('READ: ask, read: ask')],
  },
  {
    title: '2.4.4 7.5 managed tools need forward delivery',
    on: ['qoder'],
    code: 'qoder.managed-tools-need-forward',
    at: () => [
      agent(`${forward}, managed_tool_config: { enabled_tools: [create_forward_schedule] }`, environment),
      agent(`${forward}, managed_tool_config: { enabled_tools: [] }`, environment),
    ],
    past: () => [
      agent('managed_tool_config: { enabled_tools: [] }'),
      agent('delivery: { qoder: { type: managed } }, managed_tool_config: { enabled_tools: [] }'),
    ],
  },
  {
    title: '2.4.4 7.5 managed tools are for qoder alone',
    on: ['bailian', 'claude', 'ark'],
    code: (provider) => (provider === 'ark' ? 'ark.agent-managed-tool-config' : `${provider}.agent-foreign-field`),
    at: () => [agent('description: Helps.')],
    past: () => [agent('managed_tool_config: { enabled_tools: [] }')],
  },
  {
    title: '7.6 a default memory store needs forward delivery',
    on: ['qoder'],
    code: 'qoder.default-memory-needs-forward',
    at: () => [defaultStore('name: Notes')],
    past: () => [agent('default_memory_store: { name: Notes }', asVisitor)],
  },
  {
    title: '7.6 a default memory store needs defaults.identity',
    on: ['qoder'],
    code: 'qoder.default-memory-needs-identity',
    at: () => [defaultStore('name: Notes')],
    past: () => [agent(`${forward}, default_memory_store: { name: Notes }`, visitor + environment)],
  },
  {
    title: '7.6 delete_on_destroy needs an identity that is managed here',
    on: ['qoder'],
    code: 'qoder.default-memory-identity-external',
    at: () => [
      defaultStore('name: Notes, delete_on_destroy: true'),
      agent(
        `${forward}, default_memory_store: { name: Notes, delete_on_destroy: false }`,
        `defaults: { identity: visitor }\nidentities: { visitor: { identity_id: idn_1 } }\n${environment}`,
      ),
    ],
    past: () => [
      agent(
        `${forward}, default_memory_store: { name: Notes, delete_on_destroy: true }`,
        `defaults: { identity: visitor }\nidentities: { visitor: { identity_id: idn_1 } }\n${environment}`,
      ),
    ],
  },
  {
    title: '7.6 a default memory store is for qoder alone',
    on: ['bailian', 'claude', 'ark'],
    code: (provider) => (provider === 'ark' ? 'ark.agent-default-memory-store' : `${provider}.agent-foreign-field`),
    at: () => [agent('description: Helps.')],
    past: () => [agent('default_memory_store: { name: Notes }')],
  },
  {
    title: '2.15.4 7.7 8.3 a roster has at most twenty members of the project',
    on: providers,
    code: 'agent.roster-too-large',
    at: () => [roster(1, ''), roster(20, '')],
    past: () => [roster(21, '')],
  },
  {
    title: '2.15.1 2.15.4 8.3 a roster has at most twenty members outside the project',
    on: providers,
    code: 'agent.roster-too-large',
    at: () => [externals(1), externals(20)],
    past: () => [externals(21)],
  },
  {
    title: '2.15.4 8.3 a forward roster has at most twenty members',
    on: ['qoder'],
    code: 'agent.roster-too-large',
    at: () => [roster(20, `, ${forward}`, environment)],
    past: () => [roster(21, `, ${forward}`, environment)],
  },
  {
    title: '2.15.3 7.7 members are neither the coordinator itself nor coordinators, and rosters form no circle',
    on: providers,
    code: 'agent.roster-nested',
    at: () => [
      'agents:\n  a: { model: m, instructions: A., multiagent: { agents: [c] } }\n' +
        '  b: { model: m, instructions: B., multiagent: { agents: [c] } }\n  c: { model: m, instructions: C. }\n',
    ],
    past: () => [
      'agents:\n  a: { model: m, instructions: A., multiagent: { agents: [a] } }\n',
      'agents:\n  a: { model: m, instructions: A., multiagent: { agents: [b] } }\n' +
        '  b: { model: m, instructions: B., multiagent: { agents: [c] } }\n  c: { model: m, instructions: C. }\n',
      'agents:\n  a: { model: m, instructions: A., multiagent: { agents: [b] } }\n' +
        '  b: { model: m, instructions: B., multiagent: { agents: [a] } }\n',
      'agents:\n  a: { model: m, instructions: A., multiagent: { agents: [b] } }\n' +
        '  b: { model: m, instructions: B., multiagent: { agents: [c] } }\n' +
        '  c: { model: m, instructions: C., multiagent: { agents: [a] } }\n',
    ],
  },
  {
    title: '2.15.2 7.7 a forward roster has no external members',
    on: ['qoder'],
    code: 'qoder.forward-external-member',
    at: () => [roster(1, `, ${forward}`, environment), externals(1)],
    past: () => [agent(`${forward}, multiagent: { agents: [{ agent_id: agent_1 }] }`, environment)],
  },
  {
    title: '2.15.5 7.7 a coordinator and its members are delivered alike',
    on: ['qoder'],
    code: 'qoder.roster-mixed-delivery',
    at: () => [roster(2, `, ${forward}`, environment), roster(2, ', delivery: { qoder: { type: managed } }')],
    past: () => [
      `${environment}agents:\n  lead: { model: m, instructions: L., ${forward}, multiagent: { agents: [m1] } }\n  m1: { model: m, instructions: M. }\n`,
      `${environment}agents:\n  lead: { model: m, instructions: L., multiagent: { agents: [m1] } }\n  m1: { model: m, instructions: M., ${forward} }\n`,
    ],
  },
  {
    title: '7.8 8.4 a session mounts at most eight distinct memory stores',
    on: ['bailian'],
    code: 'bailian.too-many-memory-stores',
    at: () => [
      agent(`memory_stores: [${times(8, 'notes-#')}]`, stores(8)),
      agent(
        `memory_stores: [${times(8, 'notes-#')}], resources: [${times(8, '{ type: memory_store, memory_store: notes-#, access: read_only }')}]`,
        stores(8),
      ),
    ],
    past: () => [
      agent(`memory_stores: [${times(9, 'notes-#')}]`, stores(9)),
      agent(
        `memory_stores: [${times(8, 'notes-#')}], resources: [{ type: memory_store, memory_store: notes-9 }]`,
        stores(9),
      ),
    ],
  },
  {
    title: '8.4 a session mounts at most ten distinct memory stores',
    on: ['ark'],
    code: 'ark.agent-too-many-memory-stores',
    at: () => [agent(`memory_stores: [${times(10, 'notes-#')}]`, stores(10))],
    past: () => [agent(`memory_stores: [${times(11, 'notes-#')}]`, stores(11))],
  },
  {
    title: '8.4 an identity and a template have at most ten mounted memory stores',
    on: ['qoder'],
    code: 'qoder.forward-memory-too-many',
    at: () => [agent(`${forward}, memory_stores: [${times(10, 'notes-#')}]`, asVisitor + environment + stores(10))],
    past: () => [agent(`${forward}, memory_stores: [${times(11, 'notes-#')}]`, asVisitor + environment + stores(11))],
  },
  {
    title: '2.14 7.8 a memory store is mounted once',
    on: ['bailian', 'claude', 'ark'],
    code: (provider) =>
      ({
        bailian: 'bailian.duplicate-memory-mount',
        claude: 'claude.mount-repeated',
        ark: 'ark.agent-duplicate-memory-mount',
      })[
        provider as 'ark' // The table names it.
      ],
    at: () => [
      agent(
        'memory_stores: [notes-1], resources: [{ type: memory_store, memory_store: notes-1, access: read_only }]',
        stores(1),
      ),
    ],
    past: () => [agent(`resources: [${times(2, '{ type: memory_store, memory_store: notes-1 }')}]`, stores(1))],
  },
  {
    title: '7.8 8.5 instructions for a mounted store have at most 4096 characters',
    on: providers,
    code: 'declaration.invalid-value',
    at: () => [store(letters(4096))],
    past: () => [store(letters(4097))],
  },
  {
    title: '2.14 7.8 the server chooses where a store is mounted',
    on: providers,
    code: 'declaration.refused-key',
    at: () => [store('Read it.')],
    past: () => [agent('resources: [{ type: memory_store, memory_store: notes-1, mount_path: notes }]', stores(1))],
  },
  {
    title: '2.16 7.8 a deployment mounts no memory in any form',
    on: ['bailian'],
    code: 'bailian.deployment-memory',
    at: () => [deployment(events(message))],
    past: () => [
      deployment(events(message, '\n    memory_stores: [notes-1]'), { before: stores(1) }),
      deployment(events(message, '\n    resources: [{ type: memory_store, memory_store: notes-1 }]'), {
        before: stores(1),
      }),
      deployment(events(message), { before: stores(1), agentMembers: 'environment: base, memory_stores: [notes-1]' }),
      deployment(events(message), {
        before: stores(1),
        agentMembers: 'environment: base, resources: [{ type: memory_store, memory_store: notes-1 }]',
      }),
    ],
  },
  {
    title: '2.14 7.9 files of agents are mounted below the root',
    on: providers,
    code: (provider) => `${provider}.mount-path`,
    at: (provider) => ['notes/a.md', `${mountRoots[provider]}/a.md`, `${mountRoots[provider]}/b/a.md`].map(file),
    past: (provider) => outside(provider).map(file),
  },
  {
    title: '2.14 2.16 7.9 files of deployments are mounted below the root',
    on: providers,
    code: (provider) => `${provider}.mount-path`,
    at: (provider) => ['notes/a.md', `${mountRoots[provider]}/a.md`].map(resource),
    past: (provider) => outside(provider).map(resource),
  },
  {
    title: '2.14 7.9 repositories are mounted below the root',
    on: ['claude'],
    code: 'claude.mount-path',
    at: () => ['app', '/workspace/app'].map(repository),
    past: (provider) => outside(provider).map(repository),
  },
  {
    title: '2.14 7.9 repositories have their whole path below /data/',
    on: ['qoder'],
    code: 'qoder.mount-path',
    at: () => ['/data/app', '/data/workspace/app'].map(repository),
    past: (provider) => ['app', 'data/app', ...outside(provider)].map(repository),
  },
  {
    title: '2.3 7.10 a fixed channel needs a forward agent',
    on: ['qoder'],
    code: 'qoder.channel-agent-not-forward',
    at: () => [
      agent(forward, asVisitor + environment) + channel('agent: helper'),
      agent('description: Helps.', asVisitor) + channel('mode: pairing'),
    ],
    past: () => [agent('description: Helps.', asVisitor) + channel('agent: helper')],
  },
  {
    title: '8.6 the name of a default memory store has 1 to 255 characters',
    on: ['qoder'],
    code: 'declaration.invalid-value',
    at: () => [defaultStore('name: x'), defaultStore(`name: ${letters(255)}`)],
    past: () => [defaultStore('name: ""'), defaultStore(`name: ${letters(256)}`)],
  },
  {
    title: '8.7 the description of a default memory store has at most 1024 characters',
    on: ['qoder'],
    code: 'declaration.invalid-value',
    at: () => [defaultStore('name: x, description: ""'), defaultStore(`name: x, description: ${letters(1024)}`)],
    past: () => [defaultStore(`name: x, description: ${letters(1025)}`)],
  },
  {
    title: '2.16 8.8 a deployment begins with 1 to 50 events',
    on: providers,
    code: 'declaration.invalid-value',
    at: () => [deployment(events(message)), deployment(events(times(50, message)))],
    past: () => [deployment(events('')), deployment(events(times(51, message)))],
  },
  {
    title: '2.16 8.9 an outcome is tried 1 to 20 times',
    on: providers,
    code: 'declaration.invalid-value',
    at: () => [outcome(1), outcome(20)],
    past: () => [outcome(0), outcome(21)],
  },
  {
    title: '2.16 8.10 a schedule has five fields that some date matches, and no nickname',
    on: providers,
    code: 'deployment.schedule-expression',
    at: () => ['0 9 * * 1-5', '*/15 0-6,22 1 jan-jun mon', '0 0 29 2 *', '59 23 31 12 7'].map(expression),
    past: () =>
      [
        '@daily',
        '@reboot',
        '0 9 * *',
        '0 0 9 * * 1-5',
        '60 9 * * *',
        '0 24 * * *',
        '0 9 30 2 *',
        '0 9 31 4 *',
        '0 9 L * *',
        'x',
      ].map(expression),
  },
]

const channel = (members: string) =>
  `channels: { support: { type: dingtalk, credentials: { client_id: "\${KEY}", client_secret: "\${KEY}" }, ${members} } }\n`

/** Elsewhere, a neighbour with a longer name, the root itself, and out of it again. */
function outside(provider: ProviderName): readonly string[] {
  const root = mountRoots[provider]
  return ['/etc/passwd', `${root}x/a.md`, root, `${root}/`, `${root}/../etc/a.md`, '../a.md']
}

const files = { 'handbook.md': 'Be kind.\n' }

for (const { title, on, code: codeOf, at, past } of limits) {
  for (const provider of on) {
    t.test(`${title} (${provider})`, async (t) => {
      const code = typeof codeOf === 'string' ? codeOf : codeOf(provider)
      for (const [index, body] of at(provider).entries()) {
        const { isValid, diagnostics } = await validate(t, fileFor(provider, body), files)
        t.ok(isValid, `at the limit, ${index + 1}`, { diagnostics })
        t.notOk(
          diagnostics.some((reported) => reported.code === code),
          `${code} is not reported, ${index + 1}`,
        )
      }
      for (const [index, body] of past(provider).entries()) {
        const { code: exit, isValid, diagnostics } = await validate(t, fileFor(provider, body), files)
        t.notOk(isValid, `past the limit, ${index + 1}`)
        t.equal(exit, 1)
        const reported = diagnostics.find((one) => one.code === code)
        t.ok(
          reported?.place.file === 'agents.yaml' && reported.fix !== '',
          `${code} with its place and a fix, ${index + 1}`,
          {
            diagnostics,
          },
        )
      }
    })
  }
}
