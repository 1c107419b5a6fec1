// Sync from every provider of one API: the written declarations need no change.
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { effectiveChanges } from '../../../core/conformance/world.js'
import { imported, synced } from '../../support/round-trip.js'
import { applied, changeElsewhere, type SyncSubject, subjects, versionOf } from './syncs.js'

/** Parsed text of a file, or of the project. */
type File = ReturnType<typeof parse>

const common = ['version', 'providers', 'environments', 'vaults', 'memory_stores', 'agents']

/** Contents are not read back. */
const withoutEntries = ({ entries: _, ...store }: File) => store

/** What of each project is written otherwise than it was declared, and which kinds cannot be read. */
const rows: readonly (readonly [
  SyncSubject,
  (t: Test, written: File, declared: File) => void,
  leftOut: readonly RegExp[],
  /** Those that the project has none of. */
  undeclared?: readonly RegExp[],
])[] = [
  [
    subjects.ark,
    (t, written, { environments, memory_stores, agents }) => {
      t.same(Object.keys(written), common)
      const { workshop, plain } = environments
      t.same(written.environments, { workshop: { ...workshop, name: 'the-workshop' }, plain }, 'names are Ark’s')
      t.match(written.vaults.keys.credentials, [
        { name: 'Tracker', access_token: '${KEYS_TRACKER_TOKEN}' },
        { name: 'github', secret_value: '${KEYS_GITHUB_TOKEN}', networking: { allowed_hosts: ['api.github.com'] } },
        { name: 'open', networking: undefined },
      ])
      t.same(written.memory_stores.notes, withoutEntries(memory_stores.notes))
      for (const name of ['plain', 'everything', 'lead']) t.same(written.agents[name], agents[name])
      const { environment: _, memory_stores: __, skills: ___, ...reviewer } = agents.reviewer
      t.match(written.agents.reviewer, { ...reviewer, skills: [{ type: 'custom', skill_id: String }] })
    },
    [/its skills/, /its deployments/],
    [/its deployments/],
  ],
  [
    subjects.bailian,
    (t, written, { environments, vaults, memory_stores, agents, deployments }) => {
      t.same(Object.keys(written), [...common, 'deployments', 'skills'])
      const { workshop, plain } = environments
      const { networking: _, ...config } = workshop.config
      t.same(written.environments, { workshop: { ...workshop, config }, plain }, 'defaults are not declared')
      const [github, open] = vaults.keys.credentials
      t.same(written.vaults.keys, {
        ...vaults.keys,
        credentials: [
          { ...github, secret_value: '${KEYS_GITHUB_TOKEN}' },
          { ...open, secret_value: '${KEYS_OPEN}' },
        ],
      })
      t.same(
        written.memory_stores.notes,
        withoutEntries(memory_stores.notes),
        '2.8 values of metadata keep their types',
      )
      for (const name of ['plain', 'lead']) t.same(written.agents[name], agents[name])
      t.same(written.agents.asker.tools, { builtin: [...agents.asker.tools.builtin].sort(), default_permission: 'ask' })
      const { environment: __, memory_stores: ___, ...reviewer } = agents.reviewer
      t.match(written.agents.reviewer, reviewer)
      const [system, user] = deployments.nightly.initial_events
      t.match(written.deployments.nightly, {
        ...deployments.nightly,
        agent_version: 1,
        resources: [{ type: 'file', file_id: /^file_/, mount_path: '/mnt/in/data.csv' }],
        initial_events: [{ ...system, type: 'user.message' }, user],
      })
      t.same(written.deployments.now, { ...deployments.now, agent_version: 1 })
    },
    [/its files/],
  ],
  [
    subjects.claude,
    (t, written, { environments, memory_stores, agents }) => {
      t.same(Object.keys(written), [...common, 'deployments', 'skills'])
      t.same(written.environments, environments)
      t.match(written.vaults.keys, {
        display_name: 'All keys',
        credentials: [
          { name: 'Tracker', access_token: '${KEYS_TRACKER_TOKEN}' },
          {
            name: 'Wiki',
            type: 'mcp_oauth',
            access_token: '${KEYS_WIKI_TOKEN}',
            refresh: {
              refresh_token: '${KEYS_WIKI_REFRESH_TOKEN}',
              token_endpoint_auth: { type: 'client_secret_basic', client_secret: '${KEYS_WIKI_CLIENT_SECRET}' },
              scope: 'read',
            },
          },
          { name: 'github', secret_value: '${KEYS_GITHUB_TOKEN}', networking: { allowed_hosts: ['api.github.com'] } },
          { name: 'open', networking: undefined, injection_location: undefined },
        ],
      })
      t.same(written.memory_stores.notes, withoutEntries(memory_stores.notes))
      for (const name of ['plain', 'limited', 'lead']) t.same(written.agents[name], agents[name])
      t.same(written.agents.asker.tools, { builtin: [...agents.asker.tools.builtin].sort(), default_permission: 'ask' })
      const { tools, instructions, metadata } = agents.reviewer
      t.same(written.agents.reviewer.tools, tools)
      t.match(written.agents.reviewer, { instructions, metadata, skills: ['review'] })
      t.same(written.skills, { review: { source: './skills/review' } })
      const { resources, ...nightly } = written.deployments.nightly
      t.match(nightly, { agent: 'reviewer', agent_version: 1, environment: 'workshop', vaults: ['keys'] })
      t.match(nightly.schedule, { expression: '0 9 * * 1-5', timezone: 'Europe/Berlin' })
      const token = '${NIGHTLY_TOOLS_TOKEN}'
      t.match(
        new Map(resources.map((one: { type: string }) => [one.type, one])),
        new Map([
          ['git_repository', { url: 'https://git.example/acme/tools', authorization_token: token }],
          ['memory_store', { memory_store: 'notes' }],
        ]),
      )
    },
    [/its files/],
  ],
]

/** Returns what is said of kinds that cannot be read back. */
const namedIn = (notes: Awaited<ReturnType<typeof synced>>['notes']) =>
  notes.filter(({ code }) => code === 'sync.left-out').map(({ detail }) => detail)

for (const [subject, check, leftOut, undeclared = []] of rows)
  t.test(subject.provider.name, async (t) => {
    const version = versionOf(subject)

    t.test('2.15 rule 10: sync declares every readable kind in a file with nothing but the provider', async (t) => {
      const world = (await applied(t, subject)).ofOtherUser()
      const next = await imported(world, { text: subject.head })
      t.same(effectiveChanges(await world.plan({ version: next })), [])
      check(t, parse(next.text), parse(version.text))
    })

    t.test('a complete file stays as it is, byte for byte, and nothing is said of what it manages', async (t) => {
      const { text, added, imports, notes } = await synced(await applied(t, subject), version)
      t.equal(text, version.text)
      t.same([added, imports], [[], []])
      t.match(namedIn(notes), undeclared)
      t.equal(namedIn(notes).length, undeclared.length)
    })

    t.test('kinds that cannot be read are named where the file does not have all of them', async (t) => {
      const { notes } = await synced((await applied(t, subject)).ofOtherUser(), { text: subject.head })
      const named = namedIn(notes)
      t.match(named, leftOut)
      t.equal(named.length, leftOut.length)
    })

    t.test('changes by other clients are written into the file, and nothing else changes', async (t) => {
      const world = await applied(t, subject)
      await changeElsewhere(world, 'memory_store', 'Team notes', { description: 'What we know' })
      const { text } = await synced(world, version)
      t.equal(text, version.text.replace('What we learnt', 'What we know'))
    })
  })
