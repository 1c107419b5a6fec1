// What Qoder holds in both APIs, said in agents.yaml: applied again it needs no change.
import t from 'tap'
import { parse } from 'yaml'
import { busy, World } from '../../../core/plugin/conformance/world.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { qoderEmulator } from '../../../plugins/qoder/emulator/index.js'
import { qoder } from '../../../plugins/qoder/index.js'
import { emulated } from '../../support/emulated.js'
import { imported } from '../../support/round-trip.js'

const head = 'version: "1"\nproviders:\n  qoder:\n    api_key: ${QODER_KEY}\n'
const text = `${head}environments:
  box:
    name: The box
    config:
      type: cloud
      networking: { type: limited, allowed_hosts: [a.example] }
      packages: { pip: [ruff] }
      setup_script: "true"
    metadata: { team: platform }
  own: { config: { type: self_hosted, setup_script: "true" } }
  desk: { config: { type: cloud } }
vaults:
  keys:
    credentials:
      - { name: issues, type: static_bearer, mcp_server_url: https://issues.example/mcp, access_token: "\${TOKEN}" }
memory_stores:
  notes: { name: Team notes, description: What we learnt, metadata: { tier: "2" } }
identities:
  visitor: { external_id: u1, enabled: false, metadata: { tier: guest } }
agents:
  reviewer:
    model: auto
    instructions: Review.
    mcp_servers: [{ name: issues, url: https://issues.example/mcp }]
    tools:
      builtin: [bash, read]
      permissions: { bash: ask }
      mcp: [{ type: mcp_toolkit, mcp_server_name: issues, configs: [{ name: search, enabled: true }] }]
    metadata: { purpose: review }
  lead: { model: auto, instructions: Share the work., multiagent: { agents: [reviewer] } }
  front:
    model: auto
    instructions: Help.
    delivery: { qoder: { type: forward } }
    environment: desk
    environment_variables: { SHOP: main }
    managed_tool_config: { enabled_tools: [create_forward_schedule] }
`
const version = { text }
const subject = {
  provider: qoder,
  kinds,
  project: version,
  edits: {},
  variables: { QODER_KEY: 'pt-0123456789', TOKEN: 'tok-s3cret-value' },
  startService: emulated(qoderEmulator),
}

t.test('a folder that names only the provider gets what can be read back from both APIs', async (t) => {
  const world = await World.open(subject)
  t.teardown(() => world.close())
  await world.apply({ version })
  const next = await imported(world.stranger(), { text: head })
  const said = parse(next.text)
  const { environments, memory_stores, identities, agents } = parse(text)
  t.same(said.environments, environments)
  t.same(said.memory_stores, memory_stores)
  t.same(said.identities, identities)
  t.match(said.agents, {
    lead: agents.lead,
    front: agents.front,
    reviewer: { tools: { builtin: ['bash', 'read'], permissions: { bash: 'ask' } } },
  })
  t.match(said.vaults.keys.credentials, [{ name: String, type: 'static_bearer', access_token: /^\$\{\w+\}$/ }])
})

t.test('2.15 rule 10: what was read back and bound needs no change', async (t) => {
  const world = await World.open(subject)
  t.teardown(() => world.close())
  await world.apply({ version })
  const stranger = world.stranger()
  const next = await imported(stranger, { text: head })
  t.same(busy(await stranger.plan({ version: next })), [])
})
