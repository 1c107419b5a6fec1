// Sync from Bailian: the written declarations need no change.
import type { Test } from 'tap'
import t from 'tap'
import { parse } from 'yaml'
import { effectiveChanges, World } from '../../../core/conformance/world.js'
import { bailianEmulator } from '../../../plugins/bailian/emulator/index.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { emulated } from '../../support/emulated.js'
import { imported, synced } from '../../support/round-trip.js'

const head = 'version: "1"\nproviders:\n  bailian:\n    api_key: ${BAILIAN_KEY}\n    workspace_id: ws-1\n'
const bodies = {
  environments: `
  workshop:
    name: The workshop
    description: Costs $\${5}
    config:
      type: cloud
      networking: { type: unrestricted }
      packages: { pip: [ruff], npm: [prettier] }
    metadata: { team: platform }
  plain:
    config: { type: cloud }`,
  vaults: `
  keys:
    display_name: All keys
    credentials:
      - name: github
        type: environment_variable
        secret_name: GITHUB_TOKEN
        secret_value: \${GITHUB}
        networking: { allowed_hosts: [api.github.com] }
        injection_location: { header: true, body: true }
      - { name: open, type: environment_variable, secret_name: OPEN, secret_value: "\${GITHUB}" }
    metadata: { team: platform }`,
  memory_stores: `
  notes:
    name: Team notes
    description: What we learnt
    metadata: { tier: 2, tags: [a, b], owner: { team: data, level: 1 }, flag: false }
    entries: [{ key: style.md, content: Be brief. }]`,
  skills: `
  review: { source: ./review }`,
  files: `
  handbook: { source: ./in.csv }`,
  agents: `
  reviewer:
    description: Reviews
    model: qwen3.8-max
    instructions: |
      Review what you are given.
      Be kind.
    environment: workshop
    memory_stores: [notes]
    skills: [review, { type: official, skill_id: pptx }]
    tools:
      builtin: [bash, read]
      permissions: { bash: ask }
      mcp:
        - type: mcp_toolkit
          mcp_server_name: maps
          default_config: { enabled: true }
        - type: mcp_toolkit
          mcp_server_name: tracker
          configs: [{ name: search, enabled: true }]
        - { type: mcp_toolkit, mcp_server_name: silent }
    mcp_servers:
      - { name: maps, type: official }
      - { name: tracker, type: official }
      - { name: silent, type: official }
    metadata: { purpose: review }
  asker:
    model: qwen3.8-max
    instructions: Ask.
    tools: { builtin: [write, edit, glob, grep, read, bash, download_file], default_permission: ask }
  plain: { model: qwen3.8-max, instructions: Help. }
  lead:
    model: qwen3.8-max
    instructions: Share the work.
    multiagent: { agents: [reviewer, plain] }`,
  deployments: `
  nightly:
    agent: plain
    description: Runs at night
    environment: workshop
    vaults: [keys]
    resources:
      - { type: file, source: ./in.csv, mount_path: in/data.csv }
    environment_variables: { REGION: eu }
    initial_events:
      - { type: system.message, content: Be brief. }
      - { type: user.message, content: [{ type: text, text: One. }, { type: text, text: Two. }] }
    schedule: { expression: 0 9 * * 1-5, timezone: Europe/Berlin }
    metadata: { team: platform }
  now:
    agent: asker
    initial_events: [{ type: user.message, content: Go. }]`,
} as const

const text =
  head +
  Object.entries(bodies)
    .map(([section, body]) => `${section}:${body}\n`)
    .join('')
const files = { 'review/SKILL.md': '---\nname: review\ndescription: How\n---\nRead.\n', 'in.csv': 'a,b\n' }
const version = { text, files }
const subject = {
  provider: bailian,
  kinds,
  project: version,
  edits: {},
  variables: { BAILIAN_KEY: 'sk-0123456789', GITHUB: 'ghp-s3cret-value' },
  startService: emulated(bailianEmulator),
}

async function applied(t: Test): Promise<World> {
  const world = await World.open(subject)
  t.teardown(() => world.close())
  await world.apply({ version })
  return world
}

async function changeElsewhere(world: World, kind: string, name: string, body: object): Promise<void> {
  const found = (await world.service.objects()).find((object) => object.kind === kind && object.name === name)
  const response = await fetch(`${world.service.emulatorUrl}/_emulator/objects/${found?.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
}

t.test('2.15 rule 10: sync declares every readable kind in a file with nothing but the provider', async (t) => {
  const world = (await applied(t)).ofOtherUser()
  const next = await imported(world, { text: head })
  t.same(effectiveChanges(await world.plan({ version: next })), [])
  const written = parse(next.text)
  t.same(Object.keys(written), [
    'version',
    'providers',
    'environments',
    'vaults',
    'memory_stores',
    'agents',
    'deployments',
    'skills',
  ])
  const { workshop, plain } = parse(`environments:${bodies.environments}`).environments
  const { networking: _, ...config } = workshop.config
  t.same(written.environments, { workshop: { ...workshop, config }, plain }, 'defaults are not declared')
  t.same(written.vaults.keys, {
    display_name: 'All keys',
    credentials: [
      {
        name: 'github',
        type: 'environment_variable',
        secret_name: 'GITHUB_TOKEN',
        secret_value: '${KEYS_GITHUB_TOKEN}',
        networking: { allowed_hosts: ['api.github.com'] },
        injection_location: { header: true, body: true },
      },
      { name: 'open', type: 'environment_variable', secret_name: 'OPEN', secret_value: '${KEYS_OPEN}' },
    ],
    metadata: { team: 'platform' },
  })
  const { entries: __, ...notes } = parse(bodies.memory_stores).notes
  t.same(written.memory_stores, { notes }, '2.8 values of metadata keep their types')
  const agents = parse(bodies.agents)
  for (const name of ['plain', 'lead']) t.same(written.agents[name], agents[name])
  t.same(written.agents.asker.tools, { builtin: [...agents.asker.tools.builtin].sort(), default_permission: 'ask' })
  t.match(written.agents.reviewer, {
    ...agents.reviewer,
    environment: undefined,
    memory_stores: undefined,
    skills: Array,
  })
  t.match(written.agents.reviewer.skills, ['review', { type: 'official', skill_id: 'pptx' }])
  const deployments = parse(bodies.deployments)
  const [system, user] = deployments.nightly.initial_events
  t.match(written.deployments.nightly, {
    ...deployments.nightly,
    agent_version: 1,
    resources: [{ type: 'file', file_id: /^file_/, mount_path: '/mnt/in/data.csv' }],
    initial_events: [{ ...system, type: 'user.message' }, user],
  })
  t.same(written.deployments.now, { ...deployments.now, agent_version: 1 })
})

t.test('a complete file stays as it is, byte for byte, and kinds that cannot be read are named', async (t) => {
  const world = await applied(t)
  const { text: after, added, imports, notes } = await synced(world, version)
  t.equal(after, text)
  t.same([added, imports], [[], []])
  const leftOut = notes.filter(({ code }) => code === 'sync.left-out').map(({ detail }) => detail)
  t.match(leftOut, [/files/])
  t.equal(leftOut.length, 1)
})

t.test('changes by other clients are written into the file, and nothing else changes', async (t) => {
  const world = await applied(t)
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
  const world = await World.open(subject)
  t.teardown(() => world.close())
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
  const { text: after } = await synced(world, { text: head })
  const written = parse(after)
  t.same(Object.keys(written.agents), ['fine'])
  t.same(Object.keys(written.deployments), ['plain'])
})
