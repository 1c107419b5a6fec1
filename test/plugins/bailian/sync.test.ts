// Sync from Bailian: what others add, and objects that agents.yaml cannot declare.
import t from 'tap'
import { parse } from 'yaml'
import { effectiveChanges } from '../../../core/conformance/world.js'
import { synced } from '../../support/round-trip.js'
import { applied, changeElsewhere, opened, subjects, versionOf } from '../providers/syncs.js'

const { bailian } = subjects
const version = versionOf(bailian)

t.test('members that others added or emptied are written only where they are declared', async (t) => {
  const world = await applied(t, bailian)
  await changeElsewhere(world, 'memory_store', 'Team notes', { description: 'What we know', metadata: { theirs: 1 } })
  await changeElsewhere(world, 'environment', 'The workshop', { config: { packages: { npm: [] } } })
  await changeElsewhere(world, 'deployment', 'nightly', { environment_variables: { REGION: 'us' } })
  const { text: after } = await synced(world, version)
  t.match(parse(after), {
    memory_stores: { notes: { description: 'What we know' } },
    environments: { workshop: { config: { packages: { pip: ['ruff'], npm: undefined } } } },
    deployments: { nightly: { environment_variables: { REGION: 'us' } } },
  })
  t.notMatch(after, 'theirs', '2.8 keys that nobody declared stay undeclared')
  t.same(effectiveChanges(await world.plan({ version: { ...version, text: after } })), [])
})

t.test('objects that agents.yaml cannot declare are left out', async (t) => {
  const world = await opened(t, bailian)
  const make = (kind: string, body: object) =>
    fetch(`${world.service.emulatorUrl}/_emulator/objects`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'bailian', kind, body }),
    }).then(async (response) => ((await response.json()) as { id: string }).id)
  const odd = { model: { id: 'qwen3.8-max' }, system: 'Help.' }
  await make('agent', { ...odd, name: 'of-the-workspace', mcp_servers: [{ type: 'customer', name: 'ours' }] })
  await make('agent', { name: 'mute', model: { id: 'qwen3.8-max' } })
  const toolkit = (name: string) => ({ type: 'builtin_toolkit', configs: [{ name, enabled: true }] })
  await make('agent', { ...odd, name: 'newer', tools: [toolkit('teleport')] })
  const fine = await make('agent', { ...odd, name: 'fine', tools: [toolkit('bash')] })
  const run = (text: string) => ({
    agent: { id: fine },
    initial_events: [{ type: 'message', role: 'user', content: [{ type: 'text', text }] }],
  })
  await make('deployment', { ...run('Go.'), name: 'plain' })
  const { text: after } = await synced(world, { text: bailian.head })
  const written = parse(after)
  t.same(Object.keys(written.agents), ['fine'])
  t.same(Object.keys(written.deployments), ['plain'])
})
