// What only Bailian's API has: members that agents.yaml cannot declare, skills that are being scanned, refused bearer tokens.
import t, { type Test } from 'tap'
import type { Workbench } from '../workbench.js'
import { openBailian } from './subject.js'

const manifest = (text: string) => ({ 'SKILL.md': `---\nname: review\ndescription: Reviews code\n---\n${text}\n` })
const minimal = { model: 'qwen3.8-max', instructions: 'Help.' }
const full = {
  ...minimal,
  model: 'qwen3.7-max',
  skills: ['review'],
  multiagent: { agents: ['helper', { agent_id: 'agent_external' }] },
}

async function withEverything(t: Test): Promise<Workbench> {
  const bench = await openBailian(t)
  bench.declare('skill', 'review', { source: 'review' }, { review: manifest('1') })
  bench.declare('agent', 'helper', minimal)
  bench.declare('agent', 'reviewer', full)
  await bench.seed('agent', {}, { id: 'agent_external' })
  await bench.create('skill', 'review')
  await bench.create('agent', 'helper')
  await bench.create('agent', 'reviewer')
  return bench
}

t.test('undeclared members are kept: model settings, versions of skills by id, a self member', async (t) => {
  const bench = await withEverything(t)
  const { skills, multiagent } = bench.remote('agent', 'reviewer') as {
    skills: { skill_id: string; version: string }[]
    multiagent: { agents: object[] }
  }
  await bench.request('PATCH', `/_emulator/objects/${bench.id('agent', 'reviewer')}`, {
    model: { id: 'qwen3.7-max', temperature: 0.2 },
    multiagent: { type: 'coordinator', agents: [{ type: 'self' }, ...multiagent.agents] },
  })
  t.same(await bench.drift('agent', 'reviewer'), [])
  bench.declare('agent', 'reviewer', { ...full, description: 'Other' })
  t.same(await bench.update('agent', 'reviewer'), [])
  t.match(bench.remote('agent', 'reviewer'), { model: { temperature: 0.2 }, skills })
  t.match(bench.remote('agent', 'reviewer')['multiagent'], { agents: [{ type: 'self' }, ...multiagent.agents] })
  bench.declare('agent', 'reviewer', { ...full, model: 'qwen3.8-max' })
  await bench.update('agent', 'reviewer')
  t.notMatch(
    bench.remote('agent', 'reviewer'),
    { model: { temperature: 0.2 } },
    'settings are reset with another model',
  )
})

t.test('a create of an agent whose skill is being scanned can be retried', async (t) => {
  const bench = await openBailian(t)
  await bench.request('PUT', '/_emulator/knobs', { scans: { reads: 10 } })
  bench.declare('skill', 'review', { source: 'review' }, { review: manifest('1') })
  await bench.create('skill', 'review')
  bench.declare('skill', 'review', { source: 'review' }, { review: manifest('2') })
  await bench.update('skill', 'review')
  bench.declare('agent', 'reviewer', { ...minimal, skills: ['review'] })
  await t.rejects(bench.create('agent', 'reviewer'), { class: 'retry', code: 'AGENT_010' })
})

t.test('2.7 a bearer token is sent as declared, and the refusal is permanent', async (t) => {
  const bench = await openBailian(t)
  bench.declare('vault', 'keys', {
    credentials: [
      { name: 'mcp', type: 'static_bearer', mcp_server_url: 'https://mcp.example/sse', access_token: 'very_secret' },
    ],
  })
  await t.rejects(bench.create('vault', 'keys'), { class: 'invalid', code: 'CREDENTIAL_AUTH_TYPE_ERROR' })
})
