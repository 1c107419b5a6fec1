// Agents on Ark: rosters, versions that move, how tools are written, and what the emulated service refuses.
import t, { type Test } from 'tap'
import { refusalOf } from '../../../core/conformance/world.js'
import type { UpdateRequest } from '../../../core/plugin/handler.js'
import { isObject, type JsonObject, type Tree } from '../../../core/value/tree.js'
import { differences } from '../leaves.js'
import type { Workbench } from '../workbench.js'
import { openArk } from './subject.js'

const plain = { model: 'm', instructions: 'Help.' }
const coordinator = { ...plain, description: 'Helps.', multiagent: { agents: ['member'] } }
const url = 'https://mcp.example.com'

async function opened(t: Test, body: object = plain): Promise<Workbench> {
  const bench = await openArk(t)
  bench.declare('agent', 'member', plain)
  bench.declare('agent', 'helper', body)
  await bench.create('agent', 'member')
  await bench.create('agent', 'helper')
  return bench
}

/** The update that a plan of now would make. */
async function requestFor(bench: Workbench, body: object): Promise<UpdateRequest> {
  const { read, observed, fields } = bench.handler('agent')
  const id = bench.id('agent', 'helper')
  const remote = await read(bench.call, id)
  const desired = desiredOf(bench, body)
  const changes = differences(fields, desired, observed(remote))
  return { id, desired, observed: observed(remote), remote, changes, sources: new Map() }
}

/** What is wanted, with the marks that `helper` has already. */
function desiredOf(bench: Workbench, body: object): Tree {
  const declaration = bench.declare('agent', 'helper', body)
  const tree = bench.handler('agent').desired(declaration, bench.scope(declaration))
  return { ...tree, metadata: { 'agents.project': 'demo', 'agents.resource': 'helper' } }
}

t.test('a roster that the provider keeps is an error', async (t) => {
  const bench = await opened(t, coordinator)
  await bench.turn({ keepsRoster: true })
  bench.declare('agent', 'helper', plain)
  t.match(await refusalOf(bench.update('agent', 'helper')), [{ code: 'ark.agent-roster-kept', fix: String }])
})

t.test('a metadata key that survives its removal is emptied in a second version', async (t) => {
  const bench = await opened(t, { ...plain, metadata: { team: 'platform' } })
  await bench.turn({ ignoresNullInMetadata: true })
  bench.declare('agent', 'helper', plain)
  t.same(await bench.update('agent', 'helper'), [])
  t.match(bench.remote('agent', 'helper'), { version: 3, metadata: { team: '' } })
})

t.test('tools are compared independent of how the server writes them', async (t) => {
  const bench = await opened(t)
  const toolset = 'agent_toolset_20260701'
  const bash = { builtin: ['bash'], default_permission: 'ask' }
  const configs = [{ name: 'read' }, { name: 'bash', enabled: true }]
  const asking = { default_config: { enabled: false, permission_policy: { type: 'always_ask' } }, configs }
  const writings: readonly (readonly [object, JsonObject])[] = [
    [{}, { type: toolset }],
    [{}, { type: 'agent_toolset_20260401' }],
    [{}, { type: toolset, default_config: { enabled: true } }],
    [{ tools: { builtin: [] } }, { type: toolset, default_config: { enabled: false } }],
    [{ tools: bash }, { type: toolset, ...asking }],
  ]
  const { observed } = bench.handler('agent')
  const toolsIn = ({ tools }: Tree) => (isObject(tools) ? tools : {})
  for (const [more, tool] of writings) {
    const desired = desiredOf(bench, { ...plain, ...more })
    t.strictSame(differences({}, toolsIn(desired), toolsIn(observed({ tools: [tool] }))), [])
  }
  const absent = toolsIn(observed({}))
  t.strictSame(absent['builtin'], { '*': 'fallback' }, 'a missing set means neither all tools nor none')
})

t.test(
  '2.13 a toolkit enables what it names, a default_config everything, and no toolkit everything as well',
  async (t) => {
    const bench = await opened(t)
    const toolkit = { type: 'mcp_toolkit', mcp_server_name: 'wiki' }
    const all = { default_config: { enabled: true } }
    const cases: readonly (readonly [object | undefined, object])[] = [
      [undefined, { '*': 'allow' }],
      [toolkit, {}],
      [{ ...toolkit, ...all }, { '*': 'allow' }],
      [
        { ...toolkit, ...all, configs: [{ name: 'edit', enabled: false }] },
        { '*': 'allow', edit: 'off' },
      ],
      [{ ...toolkit, configs: [{ name: 'read', enabled: true }] }, { read: 'allow' }],
    ]
    for (const [index, [mcp, expected]] of cases.entries()) {
      const body = {
        ...plain,
        mcp_servers: [{ name: 'wiki', url }],
        ...(mcp ? { tools: { builtin: [], mcp: [mcp] } } : {}),
      }
      t.match(desiredOf(bench, body), { tools: { mcp: { wiki: expected } } })
      bench.declare('agent', `wiki-${index}`, body)
      await bench.create('agent', `wiki-${index}`)
      t.same(await bench.drift('agent', `wiki-${index}`), [])
    }
  },
)

t.test('an update with a lost response is detected as done', async (t) => {
  const bench = await opened(t)
  const request = await requestFor(bench, { ...plain, description: 'New.' })
  const { update } = bench.handler('agent')
  await update?.(bench.call, request)
  t.match(await update?.(bench.call, request), { version: 2 }, 'nothing was sent twice')
})

t.test('a version conflict is resolved if nothing but the version changed', async (t) => {
  const bench = await opened(t)
  const request = await requestFor(bench, { ...plain, description: 'New.' })
  await bench.change(request.id, { tags: [{ key: 'seen' }] })
  t.match(await bench.handler('agent').update?.(bench.call, request), { version: 3, description: 'New.' })
})

t.test('a version conflict with other content is an error, and overwrites nothing', async (t) => {
  const bench = await opened(t)
  const request = await requestFor(bench, { ...plain, description: 'New.' })
  await bench.change(request.id, { system: 'Changed by hand.' })
  const update = async () => bench.handler('agent').update?.(bench.call, request)
  t.match(await refusalOf(update()), [{ code: 'ark.agent-changed-meanwhile' }])
  const { body } = await bench.request('GET', `/agents/${request.id}`)
  t.match(body, { system: 'Changed by hand.', version: 2 })
})

t.test('the emulator stores versions, accepts PUT, and keeps lists that are not sent', async (t) => {
  const skills = [{ type: 'official', skill_id: 's-pdf' }]
  const bench = await opened(t, { ...coordinator, skills, mcp_servers: [{ name: 'wiki', url }] })
  const path = `/agents/${bench.id('agent', 'helper')}`
  const answer = await bench.request('PUT', path, { version: 1, description: null, tools: null })
  t.equal(answer.status, 200)
  t.match(answer.body, { version: 2, tools: [{}, {}], skills: [{}] })
  t.notOk('description' in answer.body)
  const { body } = await bench.request('GET', `${path}/versions`)
  t.match(body, { data: [{ version: 2 }, { version: 1, description: 'Helps.' }] })
})

t.test('the emulator rewrites names of MCP servers', async (t) => {
  const bench = await openArk(t)
  const { body } = await bench.request('POST', '/agents', {
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
  const bench = await opened(t, coordinator)
  const [id, memberId] = [bench.id('agent', 'helper'), bench.id('agent', 'member')]
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
  for (const body of refused) t.equal((await bench.request('POST', '/agents', body)).status, 400, JSON.stringify(body))
  const member = { version: 1, multiagent: { type: 'coordinator', agents: [{ type: 'self' }] } }
  t.equal((await bench.request('POST', `/agents/${memberId}`, member)).status, 400, 'rosters have one level')
  const stale = await bench.request('POST', `/agents/${id}`, { version: 7 })
  t.match(stale, { status: 400, body: { error: { code: 'InvalidParameter', message: /version: conflict/ } } })
  t.equal((await bench.request('POST', `/agents/${id}`, { name: 'x' })).status, 400, 'a version is required')
})
