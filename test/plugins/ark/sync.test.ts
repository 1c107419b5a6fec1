// Sync from Ark: the written declarations need no change.
import type { Test } from 'tap'
import t from 'tap'
import { parse } from 'yaml'
import { effectiveChanges, World } from '../../../core/conformance/world.js'
import { arkEmulator } from '../../../plugins/ark/emulator/index.js'
import { ark } from '../../../plugins/ark/index.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { emulated } from '../../support/emulated.js'
import { imported, synced } from '../../support/round-trip.js'

const head = 'version: "1"\nproviders:\n  ark:\n    api_key: ${ARK_KEY}\n'
const bodies = {
  environments: `
  workshop:
    name: The Workshop
    description: Where reviews run
    config:
      type: cloud
      networking: { type: limited, allow_mcp_servers: true, allowed_hosts: [a.example] }
      packages: { pip: [ruff] }
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
    instructions: Costs $\${5}, be kind.
    environment: workshop
    skills: [review]
    tools:
      builtin: [bash, read]
      permissions: { bash: ask }
      mcp:
        - type: mcp_toolkit
          mcp_server_name: tracker
          default_config: { enabled: true }
          configs: [{ name: remove, enabled: false }]
    mcp_servers:
      - { name: tracker, url: https://mcp.example/tracker }
    metadata: { purpose: review }
  everything:
    model: some-model
    instructions: Help.
    tools:
      builtin: [bash, edit, glob, grep, read, web_fetch, web_search, write]
      mcp: [{ type: mcp_toolkit, mcp_server_name: maps }]
    mcp_servers: [{ name: maps, url: https://mcp.example/maps }]
  plain: { model: some-model, instructions: Help. }
  lead:
    model: some-model
    instructions: Share the work.
    multiagent: { agents: [reviewer, plain] }`,
} as const

const text =
  head +
  Object.entries(bodies)
    .map(([section, body]) => `${section}:${body}\n`)
    .join('')
const version = { text, files: { 'review/SKILL.md': '---\nname: review\ndescription: How\n---\nRead.\n' } }
const subject = {
  provider: ark,
  kinds,
  project: version,
  edits: {},
  variables: { ARK_KEY: 'ark-0123456789', TRACKER: 'tracker-t0ken-value', GITHUB: 'ghp-s3cret-value' },
  startService: emulated(arkEmulator),
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
  t.same(Object.keys(written), ['version', 'providers', 'environments', 'vaults', 'memory_stores', 'agents'])
  const { workshop, plain } = parse(`environments:${bodies.environments}`).environments
  t.same(
    written.environments,
    { workshop: { ...workshop, name: 'the-workshop' }, plain },
    'with the names that Ark generated',
  )
  t.match(written.vaults.keys.credentials, [
    { name: 'Tracker', access_token: '${KEYS_TRACKER_TOKEN}' },
    { name: 'github', secret_value: '${KEYS_GITHUB_TOKEN}', networking: { allowed_hosts: ['api.github.com'] } },
  ])
  const { entries: _, ...notes } = parse(bodies.memory_stores).notes
  t.same(written.memory_stores, { notes })
  const agents = parse(bodies.agents)
  for (const name of ['plain', 'everything', 'lead']) t.same(written.agents[name], agents[name])
  const { environment: __, skills: ___, ...reviewer } = agents.reviewer
  t.match(written.agents.reviewer, reviewer)
  t.match(written.agents.reviewer.skills, [{ type: 'custom', skill_id: String }])
})

t.test('a complete file stays as it is, byte for byte', async (t) => {
  const world = await applied(t)
  const { text: after, added, imports } = await synced(world, version)
  t.equal(after, text)
  t.same([added, imports], [[], []])
})
