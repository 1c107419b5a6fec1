// Deployments and their runs on every provider that has them, against the emulators. On Ark they are sessions.
import t, { type Test } from 'tap'
import { refusalOf } from '../../../core/conformance/world.js'
import { openBailian } from '../bailian/subject.js'
import { openClaude } from '../claude/subject.js'
import { openQoder } from '../qoder/subject.js'
import { all, type Workbench } from '../workbench.js'
import { type Course, testCourses } from './course.js'

const message = { type: 'user.message', content: 'Go.' }
const minimal = { agent: 'helper', environment: 'sandbox', initial_events: [message] }
const repository = {
  type: 'git_repository',
  url: 'https://git.example/acme/tools.git',
  authorization_token: 'ghp_very_secret',
  checkout: { branch: 'main' },
}
const file = { type: 'file', source: 'data/in.csv', mount_path: 'in/data.csv' }
const store = { type: 'memory_store', memory_store: 'wiki', access: 'read_only', instructions: 'Look here first.' }
const variables = { environment_variables: { B: '2=2', A: '1' } }
const [toSystem, toUser] = [
  { type: 'system.message', content: 'Be brief.' },
  { type: 'user.message', content: [{ type: 'text', text: 'Go.' }] },
]
const contents = { 'data/in.csv': 'a,b', 'data/more.csv': 'a,b', 'rubric.md': 'Good.' }

const plain = {
  ...minimal,
  description: 'Runs at night',
  vaults: ['keys'],
  resources: [file, { ...file, source: 'data/more.csv', mount_path: 'more.csv' }] as readonly object[],
  initial_events: [toSystem, toUser] as readonly object[],
  schedule: { expression: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
  metadata: { team: 'data' },
}
const remembering = {
  ...plain,
  memory_stores: ['log'],
  resources: [file, { type: 'file', source: 'data/more.csv' }, store, repository],
  initial_events: [
    toSystem,
    toUser,
    { type: 'user.define_outcome', description: 'Done well', rubric_file: 'rubric.md' },
    { type: 'user.define_outcome', description: 'Done soon', rubric: 'Fast.', max_iterations: 5 },
  ],
}

/** Changes that every provider takes. */
const changes = (full: typeof plain): readonly object[] => [
  { ...full, description: 'Other' },
  { ...full, description: undefined },
  { ...full, agent: 'other' },
  { ...full, vaults: ['keys', 'more'] },
  { ...full, vaults: undefined },
  { ...full, resources: [file] },
  { ...full, resources: undefined },
  { ...full, initial_events: [message] },
  { ...full, schedule: { expression: '0 9 * * *', timezone: 'UTC' } },
  { ...full, schedule: undefined },
  { ...full, metadata: { owner: 'me' } },
  { ...full, metadata: undefined },
  minimal,
  full,
]
const ofStores = (full: typeof plain) =>
  [
    { memory_stores: undefined },
    { resources: [{ ...file, mount_path: 'elsewhere.csv' }, store, repository] },
    { resources: [{ ...store, access: 'read_write' }] },
    { resources: [{ ...repository, checkout: { commit: 'a'.repeat(40) } }] },
    { resources: [{ ...repository, checkout: undefined }] },
  ].map((change) => ({ ...full, ...change }))
const ofVariables = (full: typeof plain) =>
  [{ A: '3' }, undefined].map((environment_variables) => ({ ...full, environment_variables }))

const byHand = {
  change: { description: 'by hand', schedule: { expression: '0 8 * * *' }, metadata: { a: 'b' } },
  seen: ['description', 'metadata/a', 'schedule/expression'],
}
const noise = { change: { status: 'paused', schedule: { last_run_at: '2026-11-20T08:00:00Z' } } }

async function furnish(bench: Workbench): Promise<void> {
  for (const name of ['helper', 'other']) bench.declare('agent', name, { model: 'qwen3.8-max', instructions: 'Help.' })
  bench.declare('environment', 'sandbox', { config: { type: 'cloud' } })
  for (const name of ['keys', 'more']) bench.declare('vault', name, {})
  for (const name of ['log', 'wiki']) bench.declare('memory_store', name, {})
  for (const { kind, name } of bench.project.declarations) await bench.create(kind, name)
}

interface Row extends Course {
  readonly follows: string
  readonly removed: string
  /** Title of runs, a run, and its row in the list of runs. */
  readonly runs: readonly [title: string, run: object, listed: object]
  /** What keeps a run from starting, and the code of its failure. */
  readonly failing?: { readonly archived: readonly [kind: string, name: string]; readonly code: string }
}

const created = '2.16 a deployment just created needs no change'
const changed = '2.16 every field of a deployment can be changed and cleared'
const text = (words: string) => [{ type: 'text', text: words }]
const upload = (bench: Workbench, name: string) => bench.id('file', `subject~${name}`)
const outcomes = (bench: Workbench) => [
  { rubric: { type: 'file', file_id: upload(bench, 'rubric.md') }, max_iterations: 3 },
  { rubric: { type: 'text', content: 'Fast.' }, max_iterations: 5 },
]
const cron = { type: 'cron', expression: '0 9 * * 1-5', timezone: 'Europe/Berlin' }

const rows: Readonly<Record<string, Row>> = {
  bailian: {
    open: openBailian,
    furnish,
    full: { ...plain, ...variables },
    contents,
    others: { plain: minimal },
    made: (bench) => ({
      status: 'active',
      agent: { id: bench.id('agent', 'helper'), version: 1, system: 'Help.' },
      initial_events: ['Be brief.', 'Go.'].map((words) => ({ type: 'message', role: 'user', content: text(words) })),
      schedule: { type: 'cron', next_run_at: /^2026-11-23T08:00/ },
    }),
    changes: [
      ...changes({ ...plain, ...variables }),
      ...ofVariables(plain),
      { ...plain, ...variables, environment: undefined },
    ],
    updateSends: ['agent', 'description', 'environment_variables'],
    byHand: {
      change: { ...byHand.change, environment_variables: { A: 'slow', EXTRA: 'x' } },
      seen: ['description', 'environment_variables/A', 'environment_variables/EXTRA', ...byHand.seen.slice(1)],
    },
    noise,
    titles: { created, changed },
    follows: '2.16 an update always sends the pinned agent and the variables',
    removed: 'removing a deployment archives it',
    runs: [
      'a deployment is run, paused and resumed',
      { type: 'deployment_run', status: 'running' },
      { status: 'succeeded', session_id: /^sesn_/ },
    ],
  },
  claude: {
    open: openClaude,
    furnish,
    full: remembering,
    contents,
    others: { plain: minimal },
    made: (bench) => ({
      agent: { type: 'agent', id: bench.id('agent', 'helper'), version: 1 },
      vault_ids: [bench.id('vault', 'keys')],
      resources: [
        { type: 'file', file_id: upload(bench, 'data/in.csv'), mount_path: '/workspace/in/data.csv' },
        { type: 'file', mount_path: `/mnt/session/uploads/${upload(bench, 'data/more.csv')}` },
        { memory_store_id: bench.id('memory_store', 'wiki'), access: 'read_only', instructions: 'Look here first.' },
        { type: 'github_repository', url: 'https://git.example/acme/tools', mount_path: '/workspace/tools' },
        { memory_store_id: bench.id('memory_store', 'log'), access: 'read_write' },
      ],
      initial_events: [
        { type: 'system.message', content: text('Be brief.') },
        { type: 'user.message', content: text('Go.') },
        ...outcomes(bench),
      ],
      schedule: cron,
    }),
    changes: [...changes(remembering), ...ofStores(remembering)],
    updateSends: ['description'],
    byHand,
    noise,
    titles: { created, changed },
    follows: '2.16 a deployment follows its agent to new versions unless it names one',
    removed: 'removing a deployment archives it once',
    runs: [
      'a deployment is run, paused and resumed, and its runs are listed',
      { deployment_id: String, session_id: String, error: null },
      { session_id: String },
    ],
    failing: { archived: ['vault', 'keys'], code: 'claude.run-failed' },
  },
  qoder: {
    open: openQoder,
    furnish,
    full: { ...remembering, ...variables },
    contents,
    others: { plain: minimal },
    made: (bench) => ({
      agent: { type: 'agent', id: bench.id('agent', 'helper'), version: 1 },
      environment_variables: 'B=2=2;A=1',
      vault_ids: [bench.id('vault', 'keys')],
      resources: [
        { type: 'file', file_id: upload(bench, 'data/in.csv'), mount_path: '/data/in/data.csv' },
        { type: 'file', file_id: upload(bench, 'data/more.csv'), mount_path: '/data/workspace/more.csv' },
        { memory_store_id: bench.id('memory_store', 'wiki'), access: 'read_only', instructions: 'Look here first.' },
        { type: 'github_repository', mount_path: '/data/workspace/tools' },
        { memory_store_id: bench.id('memory_store', 'log'), access: 'read_write' },
      ],
      initial_events: [
        { type: 'system.message', content: text('Be brief.') },
        { type: 'user.message', content: text('Go.') },
        ...outcomes(bench).map(({ rubric }) => ({ rubric })),
      ],
      schedule: cron,
    }),
    changes: [...changes({ ...remembering, ...variables }), ...ofStores(remembering), ...ofVariables(remembering)],
    updateSends: ['description'],
    byHand,
    noise,
    titles: { created, changed },
    follows: '2.16 a deployment follows the newest version of its agent unless it names one',
    removed: '2.16 a deployment is archived, and then it is gone',
    runs: [
      '2.16 a deployment is run, paused and resumed, and its runs are listed',
      { type: 'deployment_run', session_id: String },
      { session_id: String },
    ],
    failing: { archived: ['agent', 'helper'], code: 'qoder.run-failed' },
  },
}

testCourses(t, 'deployment', rows)

async function nightly(t: Test, { open, full }: Row): Promise<Workbench> {
  const bench = await open(t)
  await furnish(bench)
  bench.declare('deployment', 'nightly', full, contents)
  await bench.create('deployment', 'nightly')
  return bench
}

for (const [provider, row] of Object.entries(rows))
  t.test(provider, async (t) => {
    t.test(row.follows, async (t) => {
      const bench = await nightly(t, row)
      const pinned = { ...row.full, agent_version: 1 }
      bench.declare('deployment', 'pinned', pinned, contents)
      await bench.create('deployment', 'pinned')
      bench.declare('agent', 'helper', { model: 'qwen3.8-max', instructions: 'Help more.' })
      await bench.update('agent', 'helper')
      t.same(await bench.drift('deployment', 'nightly'), ['agent/version'])
      t.same(await bench.update('deployment', 'nightly'), [])
      t.match(bench.remote('deployment', 'nightly'), { agent: { version: 2 } })
      t.same(await bench.drift('deployment', 'pinned'), [])
      bench.declare('deployment', 'pinned', { ...pinned, description: 'Stays' }, contents)
      t.same(await bench.update('deployment', 'pinned'), [])
      t.match(bench.remote('deployment', 'pinned'), { agent: { version: 1 } })
    })

    t.test('files of a deployment are uploaded once each under their own names', async (t) => {
      const bench = await nightly(t, row)
      for (const name of ['data/in.csv', 'data/more.csv'])
        t.match(bench.remote('file', `nightly~${name}`), { filename: name.slice('data/'.length), size_bytes: 3 })
      const uploads = Object.keys(contents).length - (provider === 'bailian' ? 1 : 0) // It has no rubrics.
      t.equal((await bench.listed('file')).length, uploads)
    })

    if (provider !== 'bailian')
      t.test('the token of a repository is not answered, and is sent again with the other resources', async (t) => {
        const bench = await nightly(t, row)
        t.notMatch(JSON.stringify((await bench.request('GET', '/_emulator/requests')).body), /very_secret/)
        bench.declare('deployment', 'nightly', { ...row.full, resources: [repository] }, contents)
        await bench.update('deployment', 'nightly')
        const id = bench.id('deployment', 'nightly')
        const [sent] = [...(await bench.sent('POST', id)), ...(await bench.sent('PUT', id))]
        t.match(sent, { resources: [{ type: 'github_repository', authorization_token: '(sensitive)' }] })
      })

    t.test(row.removed, async (t) => {
      const bench = await nightly(t, row)
      t.equal(bench.handler('deployment').removal, 'archive')
      await bench.remove('deployment', 'nightly')
      t.equal(await bench.isGone('deployment', 'nightly'), true)
      t.same(await bench.listed('deployment'), [])
    })

    const [title, started, listed] = row.runs
    t.test(title, async (t) => {
      const bench = await nightly(t, row)
      const { deployments, call } = bench
      const id = bench.id('deployment', 'nightly')
      const run = await deployments.run(call, { id, body: {} })
      t.match(run, started)
      t.match(await deployments.pause?.(call, id), { status: 'paused' })
      t.match(await deployments.resume?.(call, id), { status: 'active' })
      t.match(await all(deployments.runs?.(call, id)), [{ id: run['id'], ...listed }])
      if (!row.failing) return
      const [kind, name] = row.failing.archived
      await bench.request('POST', `/${kind}s/${bench.id(kind, name)}/archive`, {})
      t.match(await refusalOf(deployments.run(call, { id, body: {} })), [{ code: row.failing.code }])
    })
  })
