// Runs of deployments on Claude: what they take from the agent, and why they fail.
import t from 'tap'
import { refusalOf } from '../../../core/conformance/world.js'
import { all, type Workbench } from '../workbench.js'
import { openClaude } from './subject.js'

const message = { type: 'user.message', content: 'Go.' }

async function furnished(t: Parameters<typeof openClaude>[0], agent: object): Promise<Workbench> {
  const bench = await openClaude(t)
  bench.declare('environment', 'sandbox', { config: { type: 'cloud' } })
  bench.declare('vault', 'keys', {})
  bench.declare('memory_store', 'log', {})
  bench.declare('memory_store', 'wiki', {})
  bench.declare('agent', 'helper', {
    model: 'any',
    instructions: 'Help.',
    environment: 'sandbox',
    vault: 'keys',
    ...agent,
  })
  for (const { kind, name } of bench.project.declarations) await bench.create(kind, name)
  return bench
}

t.test('2.14 2.16 a run has the resources of the agent, which those of the deployment override', async (t) => {
  const bench = await furnished(t, {
    memory_stores: ['log', 'wiki'],
    resources: [{ type: 'memory_store', memory_store: 'wiki', access: 'read_only' }],
  })
  const own = { type: 'memory_store', memory_store: 'log', instructions: 'Write here.' }
  bench.declare('deployment', 'nightly', { agent: 'helper', initial_events: [message], resources: [own] })
  const remote = await bench.create('deployment', 'nightly')
  t.match(remote, {
    environment_id: bench.id('environment', 'sandbox'),
    vault_ids: [bench.id('vault', 'keys')],
    resources: [
      { memory_store_id: bench.id('memory_store', 'log'), instructions: 'Write here.' },
      { memory_store_id: bench.id('memory_store', 'wiki'), access: 'read_only' },
    ],
  })
  t.same((remote['resources'] as unknown[]).length, 2)
  t.same(await bench.drift('deployment', 'nightly'), [])
})

t.test('the error for a run that cannot start contains the reason', async (t) => {
  const bench = await furnished(t, {})
  bench.declare('deployment', 'nightly', { agent: 'helper', initial_events: [message] })
  await bench.create('deployment', 'nightly')
  await bench.request('POST', `/vaults/${bench.id('vault', 'keys')}/archive`, {})
  const id = bench.id('deployment', 'nightly')
  t.match(await refusalOf(bench.deployments.run(bench.call, { id, body: {} })), [
    { code: 'claude.run-failed', detail: /vault_archived_error/ },
  ])
  t.match(await all(bench.deployments.runs?.(bench.call, id)), [{ error: { type: 'vault_archived_error' } }])
})
