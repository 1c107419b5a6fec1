// Agents of Qoder's managed API: notations of tools, the newer dialect, what is in use.
import t, { type Test } from 'tap'
import type { JsonObject } from '../../../core/value/tree.js'
import { builtinTools, fromWireName, toWireName } from '../../../plugins/qoder/tool-names.js'
import type { Workbench } from '../workbench.js'
import { openQoder } from './subject.js'

const minimal = { model: 'auto', instructions: 'Help.' }

async function withRoster(t: Test): Promise<Workbench> {
  const bench = await openQoder(t)
  bench.declare('agent', 'helper', minimal)
  bench.declare('agent', 'reviewer', { ...minimal, multiagent: { agents: ['helper'] } })
  for (const name of ['helper', 'reviewer']) await bench.create('agent', name)
  return bench
}

t.test('tool names are converted to wire names and back', async (t) => {
  for (const name of builtinTools) t.equal(fromWireName(toWireName(name)), name)
  t.equal(toWireName('web_search'), 'WebSearch')
  t.equal(toWireName('web-search'), 'WebSearch')
})

t.test('equivalent notations of tools are not a change', async (t) => {
  const bench = await openQoder(t)
  bench.declare('agent', 'all', minimal)
  bench.declare('agent', 'some', { ...minimal, tools: { builtin: ['bash', 'web_fetch'] } })
  const all = await bench.create('agent', 'all')
  const some = await bench.create('agent', 'some')
  const toolset = (more: JsonObject) => ({ tools: [{ type: 'agent_toolset_20260401', ...more }] })
  await bench.change(String(all['id']), toolset({}))
  t.same(await bench.drift('agent', 'all'), [], 'as sent')
  await bench.change(String(all['id']), toolset({ default_config: { enabled: true }, configs: [] }))
  t.same(await bench.drift('agent', 'all'), [], 'with resolved defaults')
  await bench.change(String(some['id']), toolset({ enabled_tools: ['WebFetch', 'Bash'] }))
  t.same(await bench.drift('agent', 'some'), [], 'as an allow list')
  await bench.change(String(all['id']), toolset({ disallowed_tools: ['Bash'] }))
  t.not((await bench.drift('agent', 'all')).length, 0, 'a missing tool is a change')
  await bench.change(String(some['id']), {
    ...toolset({
      configs: [
        { name: 'WebFetch', enabled: true },
        { name: 'Bash', enabled: true },
        { name: 'Read', enabled: false },
      ],
    }),
  })
  t.same(await bench.drift('agent', 'some'), [], 'with disabled tools listed')
})

t.test('the newer dialect refuses PUT and DELETE, so POST and archive are used', async (t) => {
  const bench = await withRoster(t)
  await bench.turn({ dialect: 'sdk' })
  bench.declare('agent', 'helper', { ...minimal, model: 'ultimate', description: 'Other' })
  t.same(await bench.update('agent', 'helper'), [])
  t.strictSame(bench.remote('agent', 'helper')['model'], { id: 'ultimate' }, 'models come back as objects')
  await bench.remove('agent', 'reviewer')
  t.equal(await bench.isGone('agent', 'reviewer'), true)
  t.equal((await bench.listed('agent')).length, 1, 'archived agents are not listed')
})

t.test('tools registered by clients are not drift, and are kept by an update', async (t) => {
  const bench = await withRoster(t)
  const custom = { type: 'custom', name: 'local', description: 'Runs here', input_schema: { type: 'object' } }
  const id = bench.id('agent', 'helper')
  await bench.change(id, { tools: [{ type: 'agent_toolset_20260401' }, custom] })
  t.same(await bench.drift('agent', 'helper'), [])
  bench.declare('agent', 'helper', { ...minimal, tools: { builtin: ['bash'] } })
  t.same(await bench.update('agent', 'helper'), [])
  t.match(bench.remote('agent', 'helper')['tools'], [{ configs: [{ name: 'Bash' }] }, custom])
})

t.test('an agent with a live session, or in a roster, is not removed; its sessions can be ended', async (t) => {
  const bench = await withRoster(t)
  const [helper, reviewer] = [bench.id('agent', 'helper'), bench.id('agent', 'reviewer')]
  await t.rejects(bench.remove('agent', 'helper'), { class: 'inUse', code: 'conflict_error' })
  const environment = await bench.seed('environment', {})
  const { body } = await bench.request('POST', '/sessions', { agent: reviewer, environment_id: environment })
  await t.rejects(bench.remove('agent', 'reviewer'), { class: 'inUse', code: 'conflict_error' })
  const blockers = (await bench.handler('agent').blockers?.(bench.call, reviewer)) ?? []
  t.match(blockers, [{ label: `session ${body['id']} (idle)` }])
  for (const blocker of blockers) await blocker.end(bench.call)
  await bench.remove('agent', 'reviewer')
  await bench.remove('agent', 'helper')
  t.equal((await bench.request('GET', `/agents/${helper}`)).status, 404)
})
