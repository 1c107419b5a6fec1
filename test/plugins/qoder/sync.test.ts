// Sync from both APIs of Qoder: the written declarations need no change.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { effectiveChanges, World } from '../../../core/conformance/world.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { qoderEmulator } from '../../../plugins/qoder/emulator/index.js'
import { qoder } from '../../../plugins/qoder/index.js'
import { emulate } from '../../cli/emulator.js'
import { agentsHere } from '../../cli/in-process.js'
import { scratchFolder } from '../../cli/scratch.js'
import { emulated } from '../../support/emulated.js'
import { imported, synced } from '../../support/round-trip.js'

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
channels:
  chat:
    type: feishu
    agent: front
    identity: visitor
    name: Chat with visitors
    enabled: false
    credentials: { app_id: a1, app_secret: "\${TOKEN}" }
    options: { include_thinking: true }
  group: { type: wecom, mode: pairing, credentials: { bot_id: b1, secret: "\${TOKEN}" } }
deployments:
  nightly:
    description: Looks around
    agent: reviewer
    environment: box
    vaults: [keys]
    environment_variables: { SCOPE: main, LEVEL: "2" }
    resources:
      - { type: memory_store, memory_store: notes, access: read_only, instructions: Look here first. }
      - type: git_repository
        url: https://git.example/acme/shop.git
        checkout: { branch: main }
        authorization_token: "\${TOKEN}"
      - { type: file, file_id: file_theirs, mount_path: /data/docs/guide.md }
    initial_events:
      - { type: user.message, content: Look. }
      - { type: user.define_outcome, description: A report, rubric: Short., max_iterations: 3 }
    schedule: { expression: 0 2 * * 1-5, timezone: Europe/Berlin }
    metadata: { purpose: review }
`
const version = { text }
const theirFile = { provider: 'qoder', kind: 'file', api: 'managed', id: 'file_theirs', body: { filename: 'guide.md' } }
const subject = {
  provider: qoder,
  kinds,
  project: version,
  edits: {},
  variables: { QODER_KEY: 'pt-0123456789', TOKEN: 'tok-s3cret-value' },
  startService: emulated(qoderEmulator),
}

async function opened(t: Test): Promise<World> {
  const world = await World.open(subject)
  t.teardown(() => world.close())
  const seeded = await fetch(`${world.service.emulatorUrl}/_emulator/objects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(theirFile),
  })
  t.equal(seeded.status, 201)
  const { outcomes } = await world.apply({ version })
  t.same(
    outcomes.filter(({ status }) => status !== 'done'),
    [],
  )
  return world
}

t.test('sync declares everything readable from both APIs in a file with nothing but the provider', async (t) => {
  const world = await opened(t)
  const next = await imported(world.ofOtherUser(), { text: head })
  const written = parse(next.text)
  const { environments, memory_stores, identities, agents, channels, deployments } = parse(text)
  t.same(written.environments, environments)
  t.same(written.memory_stores, memory_stores)
  t.same(written.identities, identities)
  t.match(written.agents, {
    lead: agents.lead,
    front: agents.front,
    reviewer: { tools: { builtin: ['bash', 'read'], permissions: { bash: 'ask' } } },
  })
  const token = /^\$\{\w+\}$/
  t.match(written.channels, {
    'chat-with-visitors': {
      ...channels.chat,
      name: 'Chat with visitors',
      credentials: { app_id: token, app_secret: token },
    },
    group: { ...channels.group, credentials: { bot_id: token, secret: token } },
  })
  const { resources, ...nightly } = deployments.nightly
  t.match(written.deployments.nightly, nightly)
  t.match(
    written.deployments.nightly.resources,
    resources.map((resource: object) =>
      'authorization_token' in resource ? { ...resource, authorization_token: token } : resource,
    ),
  )
  t.match(written.vaults.keys.credentials, [{ name: String, type: 'static_bearer', access_token: /^\$\{\w+\}$/ }])
})

t.test('2.15 rule 10: objects that were declared and bound by sync need no change', async (t) => {
  const world = await opened(t)
  const stranger = world.ofOtherUser()
  const next = await imported(stranger, { text: head })
  t.same(effectiveChanges(await stranger.plan({ version: next })), [])
})

t.test(
  'sync in another project declares the example; undeclarable members are reported, and the plan needs no secret',
  async (t) => {
    const emulator = await emulate(t)
    const [first, second] = [scratchFolder(t, 'first'), scratchFolder(t, 'second')]
    cpSync(new URL('../../../examples/qoder', import.meta.url), first, { recursive: true })
    const names = [...readFileSync(join(first, 'agents.yaml'), 'utf8').matchAll(/\$\{(\w+)/g)].map(
      ([, name = '']) => name,
    )
    const env = { ...emulator.env, ...Object.fromEntries(names.map((name) => [name, `some-word-${name}`])) }
    const applied = await agentsHere(['apply', '--yes'], { folder: first, env })
    t.equal(applied.code, 0, applied.stderr)

    writeFileSync(join(second, 'agents.yaml'), head)
    const run = (...words: readonly string[]) => agentsHere(words, { folder: second, env: { ...emulator.env } })
    const taken = await run('sync', '--import', '--take', 'first')
    t.equal(taken.code, 0, taken.stderr)
    for (const kind of ['tunnels', 'skills', 'files'])
      t.equal(taken.stderr.split(` its ${kind}, so they are left out`).length, 2, `${kind} are named once`)
    t.match(taken.stdout, /qoder\.agent\.help-desk tmpl_\w+: it has files/)
    t.match(taken.stdout, /qoder\.channel\.shop-chat channel_\w+: its agent or its identity is not declared/)
    const plan = await run('plan')
    t.match([plan.code, plan.stdout], [0, /^No changes\. 11 resources as declared\.$/m])
  },
)

t.test('a template with files and a tunnel is declared where the file names them', async (t) => {
  const files = { 'guide.md': 'Be kind.\n' }
  const more = {
    ...version,
    files,
    text: text
      .replace(
        'agents:\n',
        'tunnels:\n  office: { tunnel_id: tnl_emulator }\nfiles:\n  guide: { source: ./guide.md }\nagents:\n',
      )
      .replace('    environment: desk\n', '    environment: desk\n    files: [guide]\n    tunnel: office\n'),
  }
  const world = await opened(t)
  await world.apply({ version: more })
  const id = (await world.rows(more)).get('qoder.agent.front')?.id
  await fetch(`${world.service.emulatorUrl}/_emulator/objects/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ description: 'Changed by somebody else' }),
  })
  const { text: written, leftOut } = await synced(world, more)
  t.same(leftOut, [])
  t.match(parse(written).agents.front, { description: 'Changed by somebody else', files: ['guide'], tunnel: 'office' })
  t.same(effectiveChanges(await world.plan({ version: { ...more, text: written } })), [])
})
