// Sync from Claude: the written declarations need no change.
import type { Test } from 'tap'
import t from 'tap'
import { parse } from 'yaml'
import { effectiveChanges, World } from '../../../core/conformance/world.js'
import { claudeEmulator } from '../../../plugins/claude/emulator/index.js'
import { claude } from '../../../plugins/claude/index.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { emulated } from '../../support/emulated.js'
import { imported, synced } from '../../support/round-trip.js'

const head = 'version: "1"\nproviders:\n  claude:\n    api_key: ${CLAUDE_KEY}\n'
const bodies = {
  environments: `
  workshop:
    name: The workshop
    description: Costs $\${5}
    config:
      type: cloud
      networking: { type: limited, allow_mcp_servers: true, allow_package_managers: true, allowed_hosts: [a.example] }
      packages: { pip: [ruff], npm: [prettier] }
    metadata: { team: platform }
  plain:
    config: { type: cloud }`,
  vaults: `
  keys:
    display_name: All keys
    credentials:
      - { name: Tracker, type: static_bearer, mcp_server_url: https://mcp.example/tracker, access_token: "\${TRACKER}" }
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
    metadata: { tier: "2" }
    entries: [{ key: style.md, content: Be brief. }]`,
  skills: `
  review: { source: ./review }`,
  agents: `
  reviewer:
    description: Reviews
    model: some-model
    instructions: |
      Review what you are given.
      Be kind.
    environment: workshop
    memory_stores: [notes]
    skills: [review]
    tools:
      builtin: [bash, read]
      permissions: { bash: ask }
      mcp:
        - type: mcp_toolkit
          mcp_server_name: tracker
          configs: [{ name: search, enabled: true }]
    mcp_servers:
      - { name: tracker, url: https://mcp.example/tracker }
      - { name: maps, url: https://mcp.example/maps }
    metadata: { purpose: review }
  asker:
    model: some-model
    instructions: Ask.
    tools: { builtin: [web_search, web_fetch, write, edit, glob, grep, read, bash], default_permission: ask }
  plain: { model: some-model, instructions: Help. }
  lead:
    model: some-model
    instructions: Share the work.
    multiagent: { agents: [reviewer, plain] }`,
  deployments: `
  nightly:
    agent: reviewer
    description: Runs at night
    vaults: [keys]
    resources:
      - { type: file, source: ./in.csv, mount_path: in/data.csv }
      - { type: file, source: ./in.csv }
      - type: git_repository
        url: https://git.example/acme/tools
        authorization_token: \${GITHUB}
        checkout: { branch: main }
    initial_events:
      - { type: system.message, content: Be brief. }
      - { type: user.define_outcome, description: Done, rubric: Good. }
      - { type: user.define_outcome, description: Done, rubric_file: ./in.csv, max_iterations: 5 }
    schedule: { expression: 0 9 * * 1-5, timezone: Europe/Berlin }
    metadata: { team: platform }`,
} as const

const text =
  head +
  Object.entries(bodies)
    .map(([section, body]) => `${section}:${body}\n`)
    .join('')
const files = { 'review/SKILL.md': '---\nname: review\ndescription: How\n---\nRead.\n', 'in.csv': 'a,b\n' }
const version = { text, files }
const subject = {
  provider: claude,
  kinds,
  project: version,
  edits: {},
  variables: { CLAUDE_KEY: 'sk-ant-0123456789', TRACKER: 'tracker-t0ken-value', GITHUB: 'ghp-s3cret-value' },
  startService: emulated(claudeEmulator),
}

async function applied(t: Test): Promise<World> {
  const world = await World.open(subject)
  t.teardown(() => world.close())
  await world.apply({ version })
  return world
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
  t.same(written.environments, { workshop, plain })
  t.match(written.vaults.keys, {
    display_name: 'All keys',
    credentials: [
      { name: 'Tracker', access_token: '${KEYS_TRACKER_TOKEN}' },
      { name: 'github', secret_value: '${KEYS_GITHUB_TOKEN}', networking: { allowed_hosts: ['api.github.com'] } },
      { name: 'open', networking: undefined, injection_location: undefined },
    ],
  })
  const { entries: _, ...notes } = parse(bodies.memory_stores).notes
  t.same(written.memory_stores, { notes })
  const agents = parse(bodies.agents)
  t.same(written.agents.plain, agents.plain)
  t.same(written.agents.lead.multiagent, agents.lead.multiagent)
  t.same(written.agents.asker.tools, { builtin: [...agents.asker.tools.builtin].sort(), default_permission: 'ask' })
  t.same(written.agents.reviewer.tools, agents.reviewer.tools)
  t.match(written.agents.reviewer, { instructions: agents.reviewer.instructions, metadata: { purpose: 'review' } })
  t.same(written.skills, { review: { source: './skills/review' } })
  t.same(written.agents.reviewer.skills, ['review'])
  t.match(written.deployments.nightly, {
    agent: 'reviewer',
    agent_version: 1,
    environment: 'workshop',
    vaults: ['keys'],
    schedule: { expression: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
  })
  t.match(
    new Map(written.deployments.nightly.resources.map((one: { type: string }) => [one.type, one])),
    new Map([
      ['git_repository', { url: 'https://git.example/acme/tools', authorization_token: '${NIGHTLY_TOOLS_TOKEN}' }],
      ['memory_store', { memory_store: 'notes' }],
    ]),
  )
})

t.test('a complete file stays as it is, byte for byte', async (t) => {
  const world = await applied(t)
  const { text: after, added, imports } = await synced(world, version)
  t.equal(after, text)
  t.same([added, imports], [[], []])
})

t.test('changes by other clients are written into the file, and nothing else changes', async (t) => {
  const world = await applied(t)
  const url = world.service.emulatorUrl ?? ''
  for (const { kind, id, name } of await world.service.objects()) {
    if (kind !== 'memory_store' || name !== 'Team notes') continue
    const response = await fetch(`${url}/_emulator/objects/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ description: 'What we know' }),
    })
    t.equal(response.status, 200)
  }
  const { text: after } = await synced(world, version)
  t.equal(after, text.replace('What we learnt', 'What we know'))
})
