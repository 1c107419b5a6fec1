import t, { type Test } from 'tap'
import { type LoadFacts, load, reportOf, textOf, underlined } from '../../core/declaration/subject.js'

/** qoder has every kind; what it alone demands is given, so that only the rules of kinds speak. */
const head = 'version: "1"\nproviders:\n  qoder: { api_key: "${KEY}" }\n'
const plain = 'model: m, instructions: x'
const event = 'initial_events: [{ type: user.message, content: hi }]'

interface Case {
  readonly title: string
  readonly text: string
  /** Provider in place of qoder. */
  readonly provider?: string
  /** Codes in the order of the file; none is a right file. */
  readonly codes: readonly string[]
  readonly marks?: string
  readonly says?: RegExp
  readonly facts?: LoadFacts
}

function check(t: Test, cases: readonly Case[]): Promise<unknown> {
  return Promise.all(
    cases.map(({ title, text, provider = 'qoder', codes, marks, says, facts }) =>
      t.test(title, async (t) => {
        const { diagnostics } = await load(t, head.replace('qoder', provider) + text, facts)
        const severe = diagnostics.filter(({ severity }) => severity !== 'note')
        t.strictSame(
          severe.map(({ code }) => code),
          codes,
          reportOf(severe).join(', '),
        )
        const [first] = severe
        if (marks !== undefined && first) t.equal(underlined(first), marks)
        if (says && first) t.match(textOf(first), says)
      }),
    ),
  )
}

t.test('2.2 an identity is managed or a reference, never both and never neither', (t) =>
  check(t, [
    {
      title: 'managed',
      text: 'identities: { a: { external_id: u1, name: A, enabled: true, metadata: { k: v } } }\n',
      codes: [],
    },
    { title: 'a reference', text: 'identities: { a: { identity_id: idn_1, provider: qoder } }\n', codes: [] },
    {
      title: 'both',
      text: 'identities: { a: { identity_id: idn_1, external_id: u1, name: A } }\n',
      codes: ['identity.two-forms', 'identity.two-forms'],
      marks: 'external_id',
    },
    { title: 'neither', text: 'identities: { a: { name: A } }\n', codes: ['identity.id-missing'], marks: 'a' },
  ]),
)

t.test('2.3 a fixed channel needs an agent and an identity, a pairing one neither', (t) => {
  const rest = 'type: dingtalk, credentials: { client_id: "${KEY}", client_secret: "${KEY}" }'
  const people = `identities: { i: { external_id: u } }\nenvironments: { e: { config: { type: cloud } } }\nagents: { a: { ${plain}, environment: e, delivery: { qoder: { type: forward } } } }\n`
  return check(t, [
    { title: 'fixed', text: `${people}channels: { c: { ${rest}, agent: a, identity: i } }\n`, codes: [] },
    {
      title: 'the default identity',
      text: `${people}defaults: { identity: i }\nchannels: { c: { ${rest}, agent: a } }\n`,
      codes: [],
    },
    {
      title: 'no agent',
      text: `${people}channels: { c: { ${rest}, identity: i, mode: fixed } }\n`,
      codes: ['channel.agent-missing'],
    },
    {
      title: 'no identity',
      text: `${people}channels: { c: { ${rest}, agent: a } }\n`,
      codes: ['channel.identity-missing'],
    },
    { title: 'pairing', text: `channels: { c: { ${rest}, mode: pairing } }\n`, codes: [] },
    {
      title: 'pairing with an agent, even one that does not exist',
      text: `channels: { c: { ${rest}, mode: pairing, agent: nobody } }\n`,
      codes: ['channel.ignored-in-pairing'],
      marks: 'agent',
    },
  ])
})

t.test('2.5 an environment is described or referred to', (t) =>
  check(t, [
    { title: 'described', text: 'environments: { e: { config: { type: cloud } } }\n', codes: [] },
    { title: 'referred to', text: 'environments: { e: { environment_id: env_1 } }\n', codes: [] },
    {
      title: 'referred to, with its type for people to see',
      text: 'environments: { e: { environment_id: env_1, config: { type: self_hosted } } }\n',
      codes: [],
    },
    {
      title: 'both',
      text: 'environments: { e: { environment_id: env_1, description: Ours, config: { type: cloud, packages: { cargo: [x] } } } }\n',
      codes: ['environment.ignored-with-id', 'environment.ignored-with-id'],
      marks: 'description',
    },
    { title: 'neither', text: 'environments: { e: { name: E } }\n', codes: ['environment.config-missing'] },
  ]),
)

t.test('2.7 credentials of a vault have different names', (t) =>
  check(t, [
    {
      title: 'the same name',
      text: 'vaults: { v: { credentials: [{ name: a, type: environment_variable, secret_name: A, secret_value: "${KEY}" }, { name: a, type: environment_variable, secret_name: B, secret_value: "${KEY}" }] } }\n',
      codes: ['vault.credential-name-repeated'],
    },
  ]),
)

t.test('2.8 entries of a memory store have different keys', (t) =>
  check(t, [
    {
      title: 'different',
      text: 'memory_stores: { m: { entries: [{ key: a, content: x }, { key: b, content: x }] } }\n',
      codes: [],
    },
    {
      title: 'the same',
      text: 'memory_stores: { m: { entries: [{ key: a, content: x }, { key: /a, content: x }] } }\n',
      codes: ['memory-store.entry-repeated'],
      marks: '/a',
    },
  ]),
)

t.test('2.8 a memory with a path instead of a text gets a warning', (t) =>
  check(t, [
    { title: 'a text', text: 'memory_stores: { m: { entries: [{ key: a, content: Be kind. }] } }\n', codes: [] },
    {
      title: 'a path',
      text: 'memory_stores: { m: { entries: [{ key: a, content: ./a.md }] } }\n',
      codes: ['memory-store.content-is-path'],
      marks: './a.md',
    },
  ]),
)

t.test('7.4 permissions name enabled tools, each once, whatever their case and separators', (t) => {
  const tools = (builtin: string, permissions: string) =>
    `agents: { a: { ${plain}, tools: { builtin: [${builtin}], permissions: { ${permissions} } } } }\n`
  return check(t, [
    { title: 'another spelling', text: tools('web_fetch, bash', 'WebFetch: ask, BASH: allow'), codes: [] },
    {
      title: 'a tool that is not enabled',
      text: tools('read', 'bash: ask'),
      codes: ['agent.permission-unknown-tool'],
      marks: 'bash',
    },
    {
      title: 'the same tool twice',
      text: tools('web_fetch', 'web_fetch: ask, Web-Fetch: allow'),
      codes: ['agent.permission-repeated'],
      marks: 'Web-Fetch',
    },
    { title: 'a tool enabled twice', text: tools('read, Read', ''), codes: ['agent.tool-repeated'], marks: 'Read' },
  ])
})

t.test('limits and custom tools of an agent fit its tools, and a budget has cents', async (t) => {
  const claude = 'version: "1"\nproviders: { claude: { api_key: "${KEY}" } }\n'
  const found = async (more: string) => {
    const { diagnostics } = await load(t, `${claude}agents: { a: { ${plain}, ${more} } }\n`)
    return diagnostics.map((one) => `${one.code} ${underlined(one)}`)
  }
  const tools = (builtin: string, more: string) => found(`tools: { builtin: [${builtin}], ${more} }`)
  const custom = (name: string, type = 'object') => `{ name: ${name}, description: x, input_schema: { type: ${type} } }`
  const host = '[a.example]'
  t.same(await tools('web_fetch, WebSearch', `limits: { web_search: { blocked_domains: ${host} } }`), [])
  t.same(await tools('bash', `limits: { web_fetch: { allowed_domains: ${host} } }`), [
    'agent.limits-unknown-tool web_fetch',
  ])
  t.same(await tools('web_fetch', `limits: { web_fetch: { allowed_domains: ${host}, blocked_domains: ${host} } }`), [
    'agent.limits-two-lists blocked_domains',
  ])
  const sources = (filter: string) => `limits: { web_fetch: { url_sources: { server_tool_results: ${filter} } } }`
  t.same(await tools('web_fetch', sources('{ only: [web_search] }')), [])
  t.same(await tools('web_fetch', sources('{}')), ['declaration.missing-key server_tool_results'])
  t.same(await tools('web_fetch', sources('{ only: [a], except: [b] }')), ['declaration.refused-key except'])
  t.same(await tools('bash', `custom: [${custom('pay')}, ${custom('look')}]`), [])
  t.same(await tools('bash', `custom: [${custom('bash')}]`), ['agent.custom-tool-repeated bash'])
  t.same(await tools('read', `custom: [${custom('pay')}, ${custom('pay')}]`), ['agent.custom-tool-repeated pay'])
  t.same(await tools('read', `custom: [${custom('pay', 'array')}]`), ['declaration.unknown-word array'])
  t.same(await tools('read', 'custom: [{ name: pay, description: x, input_schema: { properties: {} } }]'), [
    'declaration.missing-key input_schema',
  ])
  for (const amount of ['0.01', '19.99', '25', '123456.78']) t.same(await found(`budget: { amount: ${amount} }`), [])
  t.same(await found('budget: { amount: 25.125 }'), ['declaration.invalid-value 25.125'])
})

t.test('2.11 an agent has a model for every provider it goes to', async (t) => {
  const two =
    'version: "1"\nproviders: { qoder: { api_key: "${KEY}" }, ark: { api_key: "${KEY}" } }\ndefaults: { provider: all }\n'
  const codes = async (model: string) =>
    (await load(t, `${two}agents: { a: { model: ${model}, instructions: x } }\n`)).diagnostics.map(({ code }) => code)
  t.strictSame(await codes('{ qoder: m, ark: n }'), [])
  t.strictSame(await codes('{ qoder: m }'), ['agent.model-missing'])
  t.strictSame(await codes('m'), [])
})

t.test('7.7 rosters: no self, no nesting, no cycles, at most 20, each member once', (t) => {
  const agents = (rosters: Readonly<Record<string, readonly string[]>>) =>
    `agents:\n${Object.entries(rosters)
      .map(
        ([name, members]) =>
          `  ${name}: { ${plain}${members.length > 0 ? `, multiagent: { type: coordinator, agents: [${members.join(', ')}] }` : ''} }\n`,
      )
      .join('')}`
  const names = Array.from({ length: 21 }, (_, index) => `m${index}`)
  const members = (count: number) => Object.fromEntries(names.slice(0, count).map((name) => [name, []]))
  return check(t, [
    { title: 'flat', text: agents({ a: ['b', 'c'], b: [], c: [] }), codes: [] },
    {
      title: '2.15 external members are leaves',
      text: agents({ a: ['b', '{ agent_id: agent_1 }'], b: [] }),
      codes: [],
    },
    { title: 'itself', text: agents({ a: ['a'] }), codes: ['agent.roster-nested'], says: /own roster/ },
    {
      title: 'another coordinator',
      text: agents({ a: ['b'], b: ['c'], c: [] }),
      codes: ['agent.roster-nested'],
      says: /"b" is a coordinator itself/,
    },
    {
      title: 'a direct cycle, reported once with its path',
      text: agents({ b: ['a'], a: ['b'] }),
      codes: ['agent.roster-nested'],
      says: /a -> b -> a/,
    },
    {
      title: 'an indirect cycle',
      text: agents({ a: ['b'], b: ['c'], c: ['a'] }),
      codes: ['agent.roster-nested'],
      says: /a -> b -> c -> a/,
    },
    { title: '20 members', text: agents({ a: names.slice(0, 20), ...members(20) }), codes: [] },
    {
      title: '21 members',
      text: agents({ a: names, ...members(21) }),
      codes: ['agent.roster-too-large'],
      says: /21 members; at most 20/,
    },
    { title: 'a member twice', text: agents({ a: ['b', 'b'], b: [] }), codes: ['agent.roster-repeated-member'] },
    {
      title: 'an external member twice',
      text: agents({ a: ['{ agent_id: x }', '{ agent_id: x }'] }),
      codes: ['agent.roster-repeated-member'],
    },
    ...(
      [
        ['neither a roster nor anything else', '{}', 'agent.multiagent-form'],
        ['a coordinator without agents', '{ type: coordinator }', 'agent.multiagent-form'],
        ['a coordinator with an advisor', '{ agents: [b], advisor: { model: m } }', 'agent.multiagent-form'],
        ['a roster in the other form', '{ type: multiagent_20261001, agents: [b] }', 'agent.multiagent-form'],
        ['an advisor without a model', '{ advisor: {} }', 'agent.multiagent-switch'],
        ['more of what is off', '{ workflows: { enabled: false, agents: [b] } }', 'agent.multiagent-switch'],
        ['nobody to start', '{ subagents: { inline_agents: false } }', 'agent.multiagent-switch'],
        ['a helper twice', '{ subagents: { agents: [b, b] } }', 'agent.roster-repeated-member'],
        ['itself as a helper', '{ workflows: { agents: [a] } }', 'agent.roster-nested'],
        ['a helper that has an advisor', '{ workflows: { agents: [c] } }', 'agent.roster-nested'],
        ['an unknown helper', '{ workflows: { agents: [nobody] } }', 'declaration.unknown-reference'],
      ] as const
    ).map(([title, multiagent, code]) => ({
      title,
      provider: 'claude',
      text: `agents:\n  a: { ${plain}, multiagent: ${multiagent} }\n  b: { ${plain} }\n  c: { ${plain}, multiagent: { advisor: { model: m } } }\n`,
      codes: [code],
    })),
    {
      title: 'switches',
      provider: 'claude',
      text: `agents:\n  a: { ${plain}, multiagent: { advisor: { model: m }, subagents: { agents: [b], inline_agents: false }, workflows: { enabled: false } } }\n  b: { ${plain} }\n`,
      codes: [],
    },
    {
      title: 'nobody',
      text: `agents: { a: { ${plain}, multiagent: { agents: [] } } }\n`,
      codes: ['declaration.invalid-value'],
    },
    {
      title: 'an agent that is not declared',
      text: agents({ a: ['nobody'] }),
      codes: ['declaration.unknown-reference'],
    },
  ])
})

t.test('a raw remote id in an agent demands exactly one target', async (t) => {
  const two =
    'version: "1"\nproviders: { qoder: { api_key: "${KEY}" }, ark: { api_key: "${KEY}" } }\ndefaults: { provider: all }\n'
  const codes = async (more: string) =>
    (await load(t, `${two}agents: { a: { ${plain}, ${more} } }\n`)).diagnostics.map(({ code }) => code)
  t.ok((await codes('multiagent: { agents: [{ agent_id: agent_1 }] }')).includes('agent.remote-id-shared'))
  t.ok((await codes('skills: [{ type: custom, skill_id: skill_1 }]')).includes('agent.remote-id-shared'))
  t.notOk(
    (await codes('skills: [{ type: custom, skill_id: skill_1 }], provider: ark')).includes('agent.remote-id-shared'),
  )
})

t.test('2.16 a schedule is a five-field cron expression that fires, in a known time zone', (t) => {
  const scheduled = (expression: string, timezone = 'UTC') =>
    `environments: { e: { config: { type: cloud } } }\nagents: { a: { ${plain} } }\ndeployments: { d: { agent: a, environment: e, ${event}, schedule: { expression: "${expression}", timezone: "${timezone}" } } }\n`
  const wrong = 'deployment.schedule-expression'
  const refused: readonly (readonly [expression: string, says: RegExp])[] = [
    ['@daily', /Nicknames/],
    ['0 0 9 * * *', /6 fields .* no field for seconds/],
    ['0 9 * *', /4 fields/],
    ['99 99 * * *', /minute/],
    ['0 24 * * *', /hour/],
    ['0 0 30 2 *', /never run/],
    ['0 0 31 4,6,9,11 *', /never run/],
    ['0 0 L * *', /"L" cannot be the day of the month/],
    ['0 0 ? * *', /"\?" cannot be/],
    ['0 0 * * 1#2', /day of the week/],
    ['a b c d e', /"a" cannot be the minute/],
    ['*/0 * * * *', /./],
    ['5-1 * * * *', /./],
    ['0  9 * * *', /blank/],
  ]
  const accepted = ['0 9 * * *', '*/15 8-18 * * 1-5', '0 0 29 2 *', '0 0 1 JAN,JUL *', '30 6 * * MON-FRI', '0 0 * * 7']
  return check(t, [
    ...refused.map(([expression, says]) => ({
      title: `${expression} is refused`,
      text: scheduled(expression),
      codes: [wrong],
      says,
    })),
    ...accepted.map((expression) => ({ title: `${expression} is accepted`, text: scheduled(expression), codes: [] })),
    ...['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires'].map((zone) => ({
      title: `${zone} is known`,
      text: scheduled('0 9 * * *', zone),
      codes: [],
    })),
    {
      title: 'a misspelt time zone',
      text: scheduled('0 9 * * *', 'Europe/Berln'),
      codes: ['deployment.schedule-timezone'],
      says: /Did you mean "Europe\/Berlin"/,
    },
    { title: 'an offset', text: scheduled('0 9 * * *', '+02:00'), codes: ['deployment.schedule-timezone'] },
    { title: 'an expression that waits for a variable', text: scheduled('${CRON}', '${ZONE}'), codes: [] },
  ])
})

t.test('2.16 an outcome has one rubric, a file resource one origin', (t) => {
  const deployed = (more: string) =>
    `environments: { e: { config: { type: cloud } } }\nagents: { a: { ${plain} } }\ndeployments: { d: { agent: a, environment: e, ${more} } }\n`
  const outcome = (more: string) =>
    deployed(
      `initial_events: [{ type: user.message, content: hi }, { type: user.define_outcome, description: x${more} }]`,
    )
  const files = { 'rubric.md': 'Be good.' }
  return check(t, [
    { title: 'rubric', text: outcome(', rubric: good'), codes: [] },
    { title: 'a rubric file', text: outcome(', rubric_file: ./rubric.md'), codes: [], facts: { files } },
    {
      title: 'a rubric file that is not there',
      text: outcome(', rubric_file: ./rubrik.md'),
      codes: ['source.missing'],
      facts: { files },
    },
    {
      title: 'both rubrics',
      text: outcome(', rubric: good, rubric_file: ./rubric.md'),
      codes: ['deployment.outcome-rubric'],
      facts: { files },
      says: /Both rubric and rubric_file/,
    },
    { title: 'no rubric', text: outcome(''), codes: ['deployment.outcome-rubric'], says: /Neither/ },
    {
      title: 'a file by source',
      text: deployed(`${event}, resources: [{ type: file, source: ./rubric.md, mount_path: r.md }]`),
      codes: [],
      facts: { files },
    },
    {
      title: 'a file by id',
      text: deployed(`${event}, resources: [{ type: file, file_id: file_1, mount_path: r.md }]`),
      codes: [],
    },
    {
      title: 'a file of no origin',
      text: deployed(`${event}, resources: [{ type: file, mount_path: r.md }]`),
      codes: ['deployment.file-source'],
    },
    {
      title: 'a file of two',
      text: deployed(`${event}, resources: [{ type: file, file_id: file_1, source: ./rubric.md, mount_path: r.md }]`),
      codes: ['deployment.file-source'],
      facts: { files },
    },
  ])
})

t.test('8 limits hold at the limit and one past it', (t) => {
  const wrong = 'declaration.invalid-value'
  const deployed = (events: string) =>
    `environments: { e: { config: { type: cloud } } }\nagents: { a: { ${plain} } }\ndeployments: { d: { agent: a, environment: e, initial_events: [${events}] } }\n`
  const events = (count: number) => deployed(Array(count).fill('{ type: user.message, content: hi }').join(', '))
  const iterations = (count: number) =>
    deployed(`{ type: user.message, content: hi }, { type: user.define_outcome, rubric: r, max_iterations: ${count} }`)
  const store = (name: number, description: number) =>
    `defaults: { identity: i }\nidentities: { i: { external_id: u } }\nenvironments: { e: { config: { type: cloud } } }\nagents: { a: { ${plain}, environment: e, delivery: { qoder: { type: forward } }, default_memory_store: { name: "${'n'.repeat(name)}", description: "${'d'.repeat(description)}" } } }\n`
  const mounted = (instructions: number) =>
    `memory_stores: { m: {} }\nagents: { a: { ${plain}, resources: [{ type: memory_store, memory_store: m, instructions: "${'i'.repeat(instructions)}" }] } }\n`
  return check(t, [
    { title: '0 initial events', text: events(0), codes: [wrong] },
    { title: '1 initial event', text: events(1), codes: [] },
    { title: '50 initial events', text: events(50), codes: [] },
    { title: '51 initial events', text: events(51), codes: [wrong] },
    { title: 'max_iterations 0', text: iterations(0), codes: [wrong] },
    { title: 'max_iterations 1', text: iterations(1), codes: [] },
    { title: 'max_iterations 20', text: iterations(20), codes: [] },
    { title: 'max_iterations 21', text: iterations(21), codes: [wrong] },
    { title: 'default_memory_store.name of 0', text: store(0, 1), codes: [wrong] },
    { title: 'default_memory_store.name of 255, description of 1024', text: store(255, 1024), codes: [] },
    { title: 'default_memory_store.name of 256', text: store(256, 1), codes: [wrong] },
    { title: 'default_memory_store.description of 1025', text: store(1, 1025), codes: [wrong] },
    { title: '7.8 memory instructions of 4096', text: mounted(4096), codes: [] },
    { title: '7.8 memory instructions of 4097', text: mounted(4097), codes: [wrong] },
  ])
})
