import { strToU8, zipSync } from 'fflate'
import t from 'tap'
import { Problem } from '../../../core/diagnostic.js'
import { isFailure } from '../../../core/plugin/failure.js'
import type { UpdateRequest } from '../../../core/plugin/handler.js'
import type { JsonObject } from '../../../core/value/tree.js'
import { agent } from '../../../plugins/ark/agent.js'
import type { AgentBody } from '../../../plugins/kinds/agent-body.js'
import { Account, declaration, differences, Subject } from './account.js'

const account = await Account.open()
t.teardown(() => account.close())
t.beforeEach(() => account.control('POST', '/reset'))

const declare = (body: Partial<AgentBody> = {}, name = 'helper') =>
  declaration<AgentBody>('agent', name, { model: 'doubao-seed-2-1-pro-260628', instructions: 'Help.', ...body })

const plain = declare()
const subject = new Subject(account, agent)

/** An agent with every field that can be declared, and its account. */
async function everything() {
  const { id: memberId } = await new Subject(account, agent).create(declare({}, 'member'))
  const { id: otherId } = await new Subject(account, agent).create(declare({}, 'other'))
  const archive = new FormData()
  archive.set('files', new Blob([zipSync({ 'review/SKILL.md': strToU8('x') })]), 'skill.zip')
  const { id: skillId } = await account.client.create('/skills', archive)
  const ids = { 'skill/review': String(skillId), 'agent/member': String(memberId) }
  const full = declare({
    description: 'Helps with reviews.',
    model: { ark: 'doubao-seed-evolving', claude: 'other' },
    tools: {
      builtin: ['bash', 'read', 'web_search'],
      default_permission: 'ask',
      permissions: { 'Web-Search': 'allow' },
      mcp: [{ type: 'mcp_toolkit', mcp_server_name: 'tracker', configs: [{ name: 'search', enabled: true }] }],
    },
    mcp_servers: [
      { name: 'tracker', type: 'http', url: 'https://mcp.example.com' },
      { name: 'wiki', url: 'https://wiki.example.com' },
    ],
    skills: ['review', { type: 'official', skill_id: 's-pdf' }],
    multiagent: { type: 'coordinator', agents: ['member', { agent_id: String(otherId) }] },
    metadata: { team: 'platform' },
  })
  return { full, subject: new Subject(account, agent, ids), ids, memberId: String(memberId) }
}

t.test('a created object is read as declared', async (t) => {
  t.strictSame(subject.planned(plain, await subject.create(plain)), [])
  const all = await everything()
  t.strictSame(all.subject.planned(all.full, await all.subject.create(all.full)), [])
})

t.test('every field can be changed, one at a time, and each change is a new version', async (t) => {
  const { full, subject } = await everything()
  const { id } = await subject.create(full)
  const variants: Partial<AgentBody>[] = [
    { description: 'Other.' },
    { model: 'another-model' },
    { instructions: 'Be brief.' },
    { tools: { ...full.body.tools, builtin: ['bash', 'grep'], permissions: {} } },
    { tools: { ...full.body.tools, builtin: ['bash'], permissions: {}, default_permission: 'allow' } },
    { mcp_servers: [{ name: 'tracker', url: 'https://other.example.com' }] },
    { skills: ['review'] },
    { multiagent: { agents: ['member'] } },
    { metadata: { tier: '2' } },
  ]
  let version = 1
  for (const variant of variants) {
    const one = declare({ ...full.body, ...variant })
    const remote = await subject.update(String(id), one)
    t.strictSame(subject.planned(one, remote), [], Object.keys(variant).join())
    t.equal(remote['version'], ++version)
    t.strictSame(agent.outputs(remote), { id, version: String(version) })
  }
})

t.test('2.15 rule 7: fields that are no longer declared are cleared, including the roster', async (t) => {
  const { full, subject } = await everything()
  const { id } = await subject.create(full)
  const remote = await subject.update(String(id), plain)
  t.strictSame(subject.planned(plain, remote), [])
  for (const member of ['description', 'mcp_servers', 'skills', 'multiagent']) t.notOk(member in remote, member)
  t.strictSame(remote['metadata'], { 'agents.project': 'test', 'agents.resource': 'helper' })
  const sent = (await account.requests('POST')).at(-1)?.body
  t.match(sent, { multiagent: null, skills: [], mcp_servers: [], version: 1 })
})

t.test('a roster that the provider keeps is an error', async (t) => {
  const { full, subject } = await everything()
  const { id } = await subject.create(full)
  await account.knobs({ keepsRoster: true })
  const refused = await subject.update(String(id), plain).catch((error: unknown) => error)
  t.ok(refused instanceof Problem)
  t.match(refused, { diagnostics: [{ code: 'ark.agent-roster-kept', fix: String }] })
})

t.test('a metadata key that survives its removal is emptied in a second version', async (t) => {
  await account.knobs({ ignoresNullInMetadata: true })
  const one = declare({ metadata: { team: 'platform' } })
  const { id } = await subject.create(one)
  const remote = await subject.update(String(id), plain)
  t.match(remote, { version: 3, metadata: { team: '' } })
  t.strictSame(subject.planned(plain, remote), [])
})

t.test('changes by other clients are planned leaf by leaf, and reverted', async (t) => {
  const { full, subject } = await everything()
  const { id } = await subject.create(full)
  await account.drift(String(id), {
    system: 'Be rude.',
    tools: [{ type: 'custom', name: 'pay', input_schema: '{}' }],
    model: { speed: 'fast' },
    metadata: { owner: 'someone' },
  })
  const drifted = await agent.read(account.call, String(id))
  t.strictSame(subject.planned(full, drifted), [
    'metadata/owner',
    'model/speed',
    'system',
    'tools/builtin/*',
    'tools/builtin/bash',
    'tools/builtin/read',
    'tools/builtin/web_search',
    'tools/mcp/tracker/search',
    'tools/mcp/wiki/*',
    'tools/undeclared',
  ])
  t.strictSame(subject.planned(full, await subject.update(String(id), full)), [])
})

t.test('2.11 tools are sent with every default spelt out', async (t) => {
  const { full, subject } = await everything()
  await subject.create(full)
  const ask = { enabled: true, permission_policy: { type: 'always_ask' } }
  const allow = { enabled: true, permission_policy: { type: 'always_allow' } }
  const off = { enabled: false, permission_policy: { type: 'always_allow' } }
  const sent = (await account.requests('POST')).at(-1)?.body
  t.strictSame(sent?.['tools'], [
    {
      type: 'agent_toolset_20260701',
      default_config: off,
      configs: [
        { name: 'bash', ...ask },
        { name: 'read', ...ask },
        { name: 'web_search', ...allow },
      ],
    },
    { type: 'mcp_toolset', mcp_server_name: 'tracker', default_config: off, configs: [{ name: 'search', ...allow }] },
    { type: 'mcp_toolset', mcp_server_name: 'wiki', default_config: allow, configs: [] },
  ])
  t.match(sent?.['mcp_servers'], [
    { name: 'tracker', type: 'url' },
    { name: 'wiki', type: 'url' },
  ])
  t.match(sent?.['skills'], [{ type: 'custom' }, { type: 'skill_hub', skill_id: 's-pdf' }])
  t.match(sent?.['model'], { id: 'doubao-seed-evolving' })
})

t.test('tools are compared independent of how the server writes them', async (t) => {
  const bash = declare({ tools: { builtin: ['bash'], default_permission: 'ask' } })
  const writings: readonly (readonly [typeof plain, JsonObject[]])[] = [
    [plain, [{ type: 'agent_toolset_20260701' }]],
    [plain, [{ type: 'agent_toolset_20260401' }]],
    [plain, [{ type: 'agent_toolset_20260701', default_config: { enabled: true } }]],
    [declare({ tools: { builtin: [] } }), [{ type: 'agent_toolset_20260701', default_config: { enabled: false } }]],
    [
      bash,
      [
        {
          type: 'agent_toolset_20260701',
          default_config: { enabled: false, permission_policy: { type: 'always_ask' } },
          configs: [{ name: 'read' }, { name: 'bash', enabled: true }],
        },
      ],
    ],
  ]
  for (const [one, tools] of writings) {
    const desired = subject.desired(one)['tools'] as JsonObject
    const observed = agent.observed({ tools })['tools'] as JsonObject
    t.strictSame(differences({}, desired, observed), [])
  }
  const absent = agent.observed({})['tools'] as JsonObject
  t.strictSame(absent['builtin'], { '*': 'fallback' }, 'a missing set means neither all tools nor none')
})

t.test(
  '2.13 a toolkit enables what it names, a default_config everything, and no toolkit everything as well',
  async (t) => {
    const mcp_servers = [{ name: 'wiki', url: 'https://wiki.example.com' }]
    const toolkit = { type: 'mcp_toolkit', mcp_server_name: 'wiki' } as const
    const cases: readonly (readonly [AgentBody['tools'], object])[] = [
      [undefined, { '*': 'allow' }],
      [{ builtin: [], mcp: [toolkit] }, {}],
      [{ builtin: [], mcp: [{ ...toolkit, default_config: { enabled: true } }] }, { '*': 'allow' }],
      [
        {
          builtin: [],
          mcp: [{ ...toolkit, default_config: { enabled: true }, configs: [{ name: 'edit', enabled: false }] }],
        },
        { '*': 'allow', edit: 'off' },
      ],
      [{ builtin: [], mcp: [{ ...toolkit, configs: [{ name: 'read', enabled: true }] }] }, { read: 'allow' }],
    ]
    for (const [tools, expected] of cases) {
      const one = declare({ mcp_servers, ...(tools ? { tools } : {}) }, `wiki-${Math.random()}`)
      t.match(subject.desired(one), { tools: { mcp: { wiki: expected } } })
      t.strictSame(subject.planned(one, await subject.create(one)), [])
    }
  },
)

t.test('an update with a lost response is detected as done', async (t) => {
  const { id } = await subject.create(plain)
  const one = declare({ description: 'New.' })
  const request = await requestFor(String(id), one)
  await agent.update?.(account.call, request)
  const again = await agent.update?.(account.call, request)
  t.equal(again?.['version'], 2, 'nothing was sent twice')
})

t.test('a version conflict is resolved if nothing but the version changed', async (t) => {
  const { id } = await subject.create(plain)
  const request = await requestFor(String(id), declare({ description: 'New.' }))
  await account.drift(String(id), { tags: [{ key: 'seen' }] })
  const remote = await agent.update?.(account.call, request)
  t.match(remote, { version: 3, description: 'New.' })
})

t.test('a version conflict with other content is an error, and overwrites nothing', async (t) => {
  const { id } = await subject.create(plain)
  const request = await requestFor(String(id), declare({ description: 'New.' }))
  await account.drift(String(id), { system: 'Changed by hand.' })
  const refused = await agent.update?.(account.call, request)?.catch((error: unknown) => error)
  t.match(refused, { diagnostics: [{ code: 'ark.agent-changed-meanwhile' }] })
  t.match(await agent.read(account.call, String(id)), { system: 'Changed by hand.', version: 2 })
})

async function requestFor(id: string, one: typeof plain): Promise<UpdateRequest> {
  const remote = await agent.read(account.call, id)
  const [desired, observed] = [subject.desired(one), agent.observed(remote)]
  return { id, desired, observed, remote, changes: differences(agent.fields, desired, observed), sources: new Map() }
}

t.test('2.15 rule 6: member versions are neither sent nor compared', async (t) => {
  const { full, subject, ids, memberId } = await everything()
  const { id } = await subject.create(full)
  const sent = (await account.requests('POST')).at(-1)?.body
  t.match(sent?.['multiagent'], { type: 'coordinator', agents: [{ type: 'agent', id: memberId }, { type: 'agent' }] })
  t.notMatch(JSON.stringify(sent?.['multiagent']), /version/)
  const echoed = await agent.read(account.call, String(id))
  t.match(echoed, { multiagent: { agents: [{ id: ids['agent/member'], version: 1 }, {}] } })
  t.strictSame(subject.planned(full, echoed), [])
})

t.test('an agent in a roster cannot be removed; one that is free can', async (t) => {
  const { full, subject, memberId } = await everything()
  const { id } = await subject.create(full)
  const refused = await agent.remove(account.call, memberId).catch((error: unknown) => error)
  t.ok(isFailure(refused, 'inUse'))
  await agent.remove(account.call, String(id))
  await agent.remove(account.call, memberId)
  t.equal((await account.raw('GET', `/agents/${memberId}`)).status, 404)
})

t.test('the emulator stores versions, accepts PUT, and keeps lists that are not sent', async (t) => {
  const { full, subject } = await everything()
  const { id } = await subject.create(full)
  const answer = await account.raw('PUT', `/agents/${id}`, { version: 1, description: null, tools: null })
  t.equal(answer.status, 200)
  t.match(answer.body, { version: 2, tools: [{}, {}, {}], skills: [{}, {}] })
  t.notOk('description' in answer.body)
  const { body } = await account.raw('GET', `/agents/${id}/versions`)
  t.match(body, { data: [{ version: 2 }, { version: 1, description: 'Helps with reviews.' }] })
})

t.test('the emulator rewrites names of MCP servers', async (t) => {
  const url = 'https://mcp.example.com'
  const { body } = await account.raw('POST', '/agents', {
    name: 'x',
    model: { id: 'm' },
    mcp_servers: ['My Wiki', 'my wiki'].map((name) => ({ name, type: 'url', url })),
    tools: [{ type: 'mcp_toolset', mcp_server_name: 'my wiki' }],
  })
  t.match(body, {
    mcp_servers: [{ name: 'my-wiki' }, { name: 'my-wiki-2' }],
    tools: [{ mcp_server_name: 'my-wiki-2', default_config: { enabled: true } }],
  })
})

t.test('the emulator refuses what the server refuses', async (t) => {
  const { full, subject, memberId } = await everything()
  const { id } = await subject.create(full)
  const base = { name: 'x', model: { id: 'm' } }
  const refused: readonly JsonObject[] = [
    { name: 'x', model: 'm' },
    { name: '', model: { id: 'm' } },
    { ...base, temperature: 1 },
    { ...base, tools: [{ type: 'bash' }] },
    { ...base, tools: [{ type: 'agent_toolset_20260701', configs: [{ name: 'fly' }] }] },
    { ...base, tools: [{ type: 'mcp_toolset', mcp_server_name: 'none' }] },
    { ...base, tools: [{ type: 'custom', name: 'x', input_schema: 'no json' }] },
    { ...base, skills: [{ type: 'official', skill_id: 's-1' }] },
    { ...base, skills: [{ type: 'custom', skill_id: 'skill-none' }] },
    { ...base, multiagent: { type: 'coordinator', agents: [] } },
    { ...base, multiagent: { type: 'coordinator', agents: [memberId] } },
    { ...base, multiagent: { type: 'coordinator', agents: [{ type: 'agent', id: 'agent-none' }] } },
    { ...base, multiagent: { type: 'coordinator', agents: [{ type: 'agent', id: String(id) }] } },
    { ...base, metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v'])) },
  ]
  for (const body of refused) t.equal((await account.raw('POST', '/agents', body)).status, 400, JSON.stringify(body))
  const member = { version: 1, multiagent: { type: 'coordinator', agents: [{ type: 'self' }] } }
  t.equal((await account.raw('POST', `/agents/${memberId}`, member)).status, 400, 'rosters have one level')
  const stale = await account.raw('POST', `/agents/${id}`, { version: 7 })
  t.match(stale, { status: 400, body: { error: { code: 'InvalidParameter', message: /version: conflict/ } } })
  t.equal((await account.raw('POST', `/agents/${id}`, { name: 'x' })).status, 400, 'a version is required')
})
