// Sessions and their events on every provider, against the emulators.
import t, { type Test } from 'tap'
import { refusalOf } from '../../../core/conformance/world.js'
import type { Remote } from '../../../core/plugin/handler.js'
import type { SessionRequest } from '../../../core/plugin/sessions.js'
import type { JsonObject, Tree } from '../../../core/value/tree.js'
import { objectsOf } from '../../../plugins/shared/wire.js'
import { openArk } from '../ark/subject.js'
import { openBailian } from '../bailian/subject.js'
import { openClaude } from '../claude/subject.js'
import { openForward, openQoder } from '../qoder/subject.js'
import { all, type Workbench } from '../workbench.js'

interface Row {
  readonly open: (t: Test) => Promise<Workbench>
  /** Members of the agent beside those that every provider takes. */
  readonly agent: object
  /** What every session is asked for. */
  readonly usual?: Partial<SessionRequest>
  /** Title, what is asked for in addition, what the body says and what is answered. */
  readonly resources: readonly [
    title: string,
    request: Partial<SessionRequest>,
    body: object,
    answered: (bench: Workbench) => object,
  ]
  /** Requests that are refused, with the code; by an agent without an environment if `isHomeless`. */
  readonly refused: readonly (readonly [Partial<SessionRequest>, string, isHomeless?: 'homeless'])[]
  /** Types of the events of one turn. */
  readonly events?: readonly string[]
  /** Switch of the emulator by which turns do not end. */
  readonly staying?: JsonObject
  /** What ends a session: it is gone afterwards, or answers this. */
  readonly ends: Readonly<Partial<Record<'archive' | 'delete', 'gone' | object>>>
  /** Live sessions keep an environment from being removed. What is asked for to find them. */
  readonly blocksEnvironment?: { readonly query?: object }
  /** Number of sessions that fill more than a page. */
  readonly many: number
}

const nothing: SessionRequest = { vaults: [], memoryStores: [], files: [], variables: {} }
const common = {
  model: 'qwen3.8-max',
  instructions: 'Help.',
  environment: 'sandbox',
  vault: 'keys',
  files: ['handbook', { file: 'handbook', mount_path: 'docs/handbook.md' }],
}
const wiki = { type: 'memory_store', memory_store: 'wiki', access: 'read_only', instructions: 'Look here first.' }
const repository = {
  type: 'git_repository',
  url: 'https://git.example/acme/tools.git',
  authorization_token: 'ghp_very_secret',
}
const stores = { memory_stores: ['wiki', 'log'], resources: [wiki] }
const sources = { ...stores, resources: [wiki, repository] }
const variables = { CHANNEL: 'stable', LEVEL: '1' }

const turn = ['user.message', 'session.status_running', 'agent.message', 'session.status_idle']
const ask = { title: 'Try', vaults: ['more', 'keys'], files: ['handbook'] }
const overridden = 'a session has the resources of the agent, and an explicit resource overrides the shorthand'
const wikiOf = (bench: Workbench) => ({
  memory_store_id: bench.id('memory_store', 'wiki'),
  access: 'read_only',
  instructions: 'Look here first.',
})
const logOf = (bench: Workbench) => ({ memory_store_id: bench.id('memory_store', 'log'), access: 'read_write' })
const fileAt = (bench: Workbench, mount_path: string) => ({ file_id: bench.id('file', 'handbook'), mount_path })
/** What every session of `ask` is answered with. */
const usual = (bench: Workbench) => ({
  status: 'idle',
  title: 'Try',
  agent: { id: bench.id('agent', 'helper') },
  environment_id: bench.id('environment', 'sandbox'),
  vault_ids: [bench.id('vault', 'keys'), bench.id('vault', 'more')],
})
const foreign = (provider: string): Row['refused'] => [
  [{ identity: 'x' }, `${provider}.session-option`],
  [{ tunnel: 'x' }, `${provider}.session-option`],
]

const rows: Readonly<Record<string, Row>> = {
  ark: {
    open: openArk,
    agent: stores,
    resources: [
      overridden,
      ask,
      {},
      (bench) => ({
        ...usual(bench),
        resources: [
          fileAt(bench, '/mnt/handbook.md'),
          wikiOf(bench),
          logOf(bench),
          fileAt(bench, '/mnt/docs/handbook.md'),
        ],
      }),
    ],
    refused: [
      ...foreign('ark'),
      [{ variables: { A: 'b' } }, 'ark.session-option'],
      [{}, 'ark.session-without-environment', 'homeless'],
    ],
    staying: { sessionsKeepRunning: true },
    ends: { archive: 'gone' },
    blocksEnvironment: {},
    many: 25,
  },
  bailian: {
    open: openBailian,
    agent: stores,
    resources: [
      'a session has the resources of its agent and the added ones',
      { ...ask, variables: { MODE: 'fast' } },
      { environment_variables: { MODE: 'fast' } },
      (bench) => ({
        ...usual(bench),
        environment_variables: { MODE: 'fast' },
        resources: [
          { type: 'file', mount_path: '/mnt/handbook.md' }, // Files are mounted as copies.
          wikiOf(bench),
          logOf(bench),
          { type: 'file', mount_path: '/mnt/docs/handbook.md' },
        ],
      }),
    ],
    refused: foreign('bailian'),
    events: ['message', 'session_status', 'message', 'session_status'],
    staying: { turns: 'stay' },
    ends: { archive: { archived_at: String }, delete: 'gone' },
    many: 25,
  },
  claude: {
    open: openClaude,
    agent: sources,
    resources: [
      `2.14 ${overridden}`,
      { ...ask, memoryStores: ['log'] },
      {},
      (bench) => ({
        ...usual(bench),
        resources: [
          fileAt(bench, '/workspace/handbook.md'),
          wikiOf(bench),
          { type: 'github_repository', url: 'https://git.example/acme/tools', mount_path: '/workspace/tools' },
          logOf(bench),
          fileAt(bench, '/workspace/docs/handbook.md'),
        ],
      }),
    ],
    refused: [
      ...foreign('claude'),
      [{ variables: { A: 'b' } }, 'claude.session-option'],
      [{}, 'claude.session-without-environment', 'homeless'],
    ],
    staying: { turns: 'stay' },
    ends: { archive: { status: 'terminated' }, delete: 'gone' },
    blocksEnvironment: { query: { 'statuses[]': 'idle,running,rescheduling' } },
    many: 101,
  },
  'qoder, managed': {
    open: openQoder,
    agent: { ...sources, environment_variables: variables },
    resources: [
      '2.14 a managed session has the resources of the agent, and an explicit resource overrides the shorthand',
      { ...ask, variables: { LEVEL: '2', MORE: 'a=b' } },
      { environment_variables: 'CHANNEL=stable;LEVEL=2;MORE=a=b' },
      (bench) => ({
        ...usual(bench),
        resources: [
          fileAt(bench, '/data/workspace/handbook.md'),
          wikiOf(bench),
          { type: 'github_repository', mount_path: '/data/workspace/tools' },
          logOf(bench),
          fileAt(bench, '/data/docs/handbook.md'),
        ],
      }),
    ],
    refused: [
      [{ identity: 'x' }, 'qoder.session-option'],
      [{ variables: { A: 'b;c' } }, 'qoder.session-environment-variable'],
      [{ variables: { 'A=': 'b' } }, 'qoder.session-environment-variable'],
    ],
    ends: { archive: { archived_at: String }, delete: 'gone' },
    blocksEnvironment: {},
    many: 25,
  },
  'qoder, forward': {
    open: openForward,
    agent: { environment_variables: variables, delivery: { qoder: { type: 'forward' } } },
    usual: { identity: 'everyone' },
    resources: [
      '2.11 a forward session acts for an identity and sends its variables as a map',
      { files: ['handbook'], variables: { LEVEL: '2' } },
      {},
      (bench) => ({
        identity_id: bench.id('identity', 'everyone'),
        template: { id: bench.id('agent', 'helper') },
        config: { environment_variables: { CHANNEL: 'stable', LEVEL: '2' } },
        resources: [fileAt(bench, '/data/workspace/handbook.md'), fileAt(bench, '/data/docs/handbook.md')],
      }),
    ],
    refused: [
      [{ identity: undefined as never }, 'qoder.session-without-identity'],
      [{ environment: 'sandbox' }, 'qoder.session-option'],
      [{ vaults: ['keys'] }, 'qoder.session-option'],
      [{ memoryStores: ['wiki'] }, 'qoder.session-option'],
      [{ tunnel: 'office' }, 'qoder.session-option'],
    ],
    ends: { archive: { archived_at: String }, delete: { archived_at: String } },
    many: 25,
  },
}

/** Opens an account in which everything that the agent names exists. */
async function furnished(t: Test, { open, agent, usual }: Row): Promise<Workbench> {
  const bench = await open(t)
  for (const name of ['sandbox', 'elsewhere']) bench.declare('environment', name, { config: { type: 'cloud' } })
  bench.declare('file', 'handbook', { source: 'files/handbook.md' }, { 'files/handbook.md': 'Be kind.' })
  for (const name of ['keys', 'more']) bench.declare('vault', name, {})
  for (const name of ['wiki', 'log']) bench.declare('memory_store', name, {})
  if (usual?.identity !== undefined) bench.declare('identity', usual.identity, { external_id: 'team' })
  bench.declare('agent', 'helper', { ...common, ...agent })
  for (const { kind, name } of bench.project.declarations) await bench.create(kind, name)
  return bench
}

function bodyFor(bench: Workbench, { usual }: Row, request: Partial<SessionRequest> = {}): Tree {
  const agent = bench.declaration('agent', 'helper')
  return bench.expanded(bench.sessions.request(agent, { ...nothing, ...usual, ...request }, bench.scope(agent)))
}

const start = (bench: Workbench, row: Row, request: Partial<SessionRequest> = {}): Promise<Remote> =>
  bench.sessions.create(bench.call, bodyFor(bench, row, request))
const started = async (bench: Workbench, row: Row, request: Partial<SessionRequest> = {}) =>
  String((await start(bench, row, request))['id'])

for (const [provider, row] of Object.entries(rows))
  t.test(provider, async (t) => {
    const { agent, resources, refused, events = turn, staying, ends, blocksEnvironment, many } = row
    const [title, request, body, answered] = resources

    t.test(title, async (t) => {
      const bench = await furnished(t, row)
      const session = await start(bench, row, request)
      const wanted = answered(bench)
      t.match(session, wanted)
      t.match(bodyFor(bench, row, request), body)
      const { resources = [] } = wanted as { readonly resources?: readonly unknown[] }
      t.equal((session['resources'] as unknown[]).length, resources.length)
    })

    t.test('unsupported session options are refused before any call', async (t) => {
      const bench = await furnished(t, row)
      for (const [request, code, isHomeless] of refused) {
        const environment = isHomeless ? undefined : common.environment
        bench.declare('agent', 'helper', { ...common, ...agent, environment })
        t.match(await refusalOf((async () => bodyFor(bench, row, request))()), [{ code, fix: /\.$/ }])
      }
      if (provider !== 'qoder, forward')
        t.match(bodyFor(bench, row, { environment: 'elsewhere' }), {
          environment_id: bench.id('environment', 'elsewhere'),
        })
      t.same(await bench.sent('POST', '/sessions'), [])
    })

    t.test('a message is answered, and its events are returned in order, each once', async (t) => {
      const bench = await furnished(t, row)
      const id = await started(bench, row)
      t.match(await bench.sessions.read(bench.call, id), { id, status: 'idle' })
      await bench.sessions.send(bench.call, id, 'Hello.')
      const found = await all(bench.sessions.events(bench.call, id, { follow: false }))
      t.same(
        found.map(({ type }) => type),
        events,
      )
    })

    t.test('events are followed from the first, and each later one is returned once', async (t) => {
      const bench = await furnished(t, row)
      const id = await started(bench, row)
      await bench.sessions.send(bench.call, id, 'One.')
      const found: JsonObject[] = []
      for await (const event of bench.sessions.events(bench.call, id, { follow: true })) {
        found.push(event)
        if (found.length === 4) await bench.sessions.send(bench.call, id, 'Two.')
        if (found.length === 8) break
      }
      t.equal(new Set(found.map((event) => event['id'])).size, 8)
      t.same(
        found.map(({ type }) => type),
        [...events, ...events],
      )
    })

    for (const [end, expected] of Object.entries(ends) as ['archive' | 'delete', 'gone' | object][]) // They are its keys.
      t.test(`a session is interrupted, if it runs, and ended by ${end}`, async (t) => {
        const bench = await furnished(t, row)
        if (staying) await bench.turn(staying)
        const id = await started(bench, row)
        await bench.sessions.send(bench.call, id, 'Work.')
        t.match(await bench.sessions.read(bench.call, id), { status: staying ? 'running' : 'idle' })
        await bench.sessions[end]?.(bench.call, id)
        const read = bench.sessions.read(bench.call, id)
        if (typeof expected === 'object') t.match(await read, expected)
        else await t.rejects(read, { class: 'gone' } as never)
      })

    if (blocksEnvironment)
      t.test(
        'sessions that block the removal of an environment are reported, and it can be removed once they are ended',
        async (t) => {
          const bench = await furnished(t, row)
          if (staying) await bench.turn(staying)
          const [idle, busy] = [await started(bench, row), await started(bench, row)]
          await bench.sessions.send(bench.call, busy, 'Work.')
          await started(bench, row, { environment: 'elsewhere' })
          await t.rejects(bench.remove('environment', 'sandbox'), { class: 'inUse' } as never)
          const id = bench.id('environment', 'sandbox')
          const blockers = async () => (await bench.handler('environment').blockers?.(bench.call, id)) ?? []
          const found = await blockers()
          t.same(
            found.map(({ label }) => label).sort(),
            [`session ${idle} (idle)`, `session ${busy} (${staying ? 'running' : 'idle'})`].sort(),
          )
          for (const { end } of found) await end(bench.call)
          t.same(await blockers(), [])
          const { requests } = (await bench.request('GET', '/_emulator/requests')).body
          const lists = objectsOf(requests).filter(({ method, path }) => method === 'GET' && path === '/sessions')
          t.match(lists.at(-1), blocksEnvironment, 'only living sessions are asked for where that can be')
          await bench.remove('environment', 'sandbox')
        },
      )

    t.test('sessions are listed page after page, all or those of one agent', async (t) => {
      const bench = await furnished(t, row)
      for (let index = 0; index < many; index++) await start(bench, row)
      const count = async (agent?: string) => (await all(bench.sessions.list(bench.call, { agentId: agent }))).length
      t.equal(await count(), many)
      t.equal(await count(bench.id('agent', 'helper')), many)
      t.equal(await count('agent_other'), 0)
    })
  })
