// Members of agents on Claude that agents.yaml cannot declare.
import type { Test } from 'tap'
import t from 'tap'
import type { Workbench } from '../workbench.js'
import { openClaude } from './subject.js'

const full = {
  model: 'some-model',
  instructions: 'Review.',
  tools: {
    builtin: ['bash', 'read'],
    mcp: [{ type: 'mcp_toolkit', mcp_server_name: 'weather', configs: [{ name: 'today', enabled: true }] }],
  },
  mcp_servers: [
    { name: 'weather', url: 'https://mcp.example/weather' },
    { name: 'maps', url: 'https://mcp.example/maps' },
  ],
}

async function opened(t: Test): Promise<Workbench> {
  const bench = await openClaude(t)
  bench.declare('agent', 'reviewer', full)
  await bench.create('agent', 'reviewer')
  return bench
}

t.test('settings that agents.yaml cannot declare stay: effort, custom tools, policies of MCP tools', async (t) => {
  const bench = await opened(t)
  const custom = { type: 'custom', name: 'lookup', description: '', input_schema: { type: 'object' } }
  const current = bench.remote('agent', 'reviewer')['tools']
  const tools = (Array.isArray(current) ? current : []).map((set) => ({ ...set }))
  tools[1] = { ...tools[1], default_config: { enabled: false, permission_policy: { type: 'always_allow' } } }
  await bench.change(bench.id('agent', 'reviewer'), {
    model: { effort: { type: 'high' } },
    execution_identity: { type: 'other' },
    tools: [...tools, custom],
  })
  t.same(await bench.drift('agent', 'reviewer'), [])
  bench.declare('agent', 'reviewer', { ...full, model: 'other-model', tools: { ...full.tools, builtin: ['grep'] } })
  t.same(await bench.update('agent', 'reviewer'), [])
  t.match(bench.remote('agent', 'reviewer'), {
    model: { id: 'other-model', effort: { type: 'high' } },
    tools: [
      { type: 'agent_toolset_20260401' },
      { mcp_server_name: 'weather', default_config: { permission_policy: { type: 'always_allow' } } },
      { mcp_server_name: 'maps' },
      custom,
    ],
  })
})

t.test('a roster in a newer form counts as none', async (t) => {
  const bench = await opened(t)
  await bench.change(bench.id('agent', 'reviewer'), { multiagent: { type: 'multiagent_20261001', teams: [] } })
  t.same(await bench.drift('agent', 'reviewer'), [])
})
