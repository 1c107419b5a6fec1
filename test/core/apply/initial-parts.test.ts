// Journal of the initial entries of a memory store: pending entries are in state before the first is written, and a run that was
// interrupted is completed with the same entries (agent configuration 2.8, P-A rule 5).
import t, { type Test } from 'tap'
import { expectDone, expectSettled } from '../../../core/conformance/expect.js'
import type { Fate, HttpCall } from '../../../core/conformance/life.js'
import type { Version } from '../../../core/conformance/subject.js'
import { refusalOf, World } from '../../../core/conformance/world.js'
import type { Row } from '../../../core/state/row.js'
import type { JsonObject } from '../../../core/value/tree.js'
import { bailianEmulator } from '../../../plugins/bailian/emulator/index.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { edited, emulated } from '../../support/emulated.js'

const project: Version = {
  text: `version: "1"
providers:
  bailian: { api_key: k, workspace_id: w }
memory_stores:
  notes:
    entries:
      - { key: one.md, content: The first of them. }
      - { key: /two.md, content: The second of them. }
      - { key: three.md, content: The third of them. }
`,
}
const address = 'bailian.memory_store.notes'
const paths = ['one.md', 'two.md', 'three.md']
/** Number of the write; the first creates the store. */
const writes = 1 + paths.length

async function opened(t: Test): Promise<World> {
  const startService = emulated(bailianEmulator)
  const world = await World.open({ provider: bailian, kinds, project, edits: {}, startService })
  t.teardown(() => world.close())
  return world
}

/** A process that dies at its n-th write. */
async function interrupted(t: Test, { at, fate }: { readonly at: number; readonly fate: Fate }): Promise<World> {
  const world = await opened(t)
  const dies = ({ isWrite, number }: HttpCall): Fate => (isWrite && number === at ? fate : 'answered')
  t.equal((await world.run({ version: project, fate: dies })).type, 'died')
  return world
}

async function rowOf(world: World): Promise<Row | undefined> {
  return (await world.rows(project)).get(address)
}

function pendingOf(row: Row | undefined): readonly string[] {
  return row?.operation?.type === 'parts' ? Object.keys(row.operation.pending).sort() : []
}

/** Applies, and returns the written paths. */
async function resumed(world: World, version = project): Promise<readonly string[]> {
  const written: string[] = []
  const fate = ({ request, isWrite }: HttpCall): Fate => {
    if (isWrite && request.url.endsWith('/memories')) written.push(pathIn(request.body))
    return 'answered'
  }
  expectDone(await world.apply({ version, fate }))
  await expectSettled(world, version)
  return written
}

function pathIn(body: unknown): string {
  return (JSON.parse(String(body)) as { path: string }).path.slice(1)
}

async function ask(world: World, method: string, path: string, body?: JsonObject): Promise<JsonObject> {
  const response = await fetch(`${world.service.emulatorUrl}/bailian/api/v1/agentstudio${path}`, {
    method,
    headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await response.json()) as JsonObject
}

async function contents(world: World): Promise<Readonly<Record<string, unknown>>> {
  const { data } = await ask(world, 'GET', `/memory_stores/${(await rowOf(world))?.id}/memories?view=full&limit=20`)
  return Object.fromEntries((data as { path: string; content: string }[]).map(({ path, content }) => [path, content]))
}

const whole = { '/one.md': 'The first of them.', '/two.md': 'The second of them.', '/three.md': 'The third of them.' }

t.test('2.8.P5 3.1 the id and everything pending are in state before the first entry is written', async (t) => {
  const world = await interrupted(t, { at: 2, fate: 'dies before' })
  const row = await rowOf(world)
  const [store] = await world.service.objects()
  t.equal(row?.id, store?.id)
  t.same(pendingOf(row), [...paths].sort())
  t.same(await contents(world), {})
  const files = ['agents.state.json', 'agents.state.journal'].map((name) => world.disk.text(`/project/${name}`) ?? '')
  t.match(files.join(''), 'three.md')
  t.notMatch(files.join(''), /of them/, 'state holds digests alone')
})

t.test('2.8.P5 each path is checkpointed, and a rerun writes the unfinished ones into the same store', async (t) => {
  for (let at = 2; at <= writes; at++) {
    const world = await interrupted(t, { at, fate: 'dies before' })
    const { id } = (await rowOf(world)) ?? {}
    const left = paths.slice(at - 2)
    t.same(pendingOf(await rowOf(world)), [...left].sort(), `pending before write ${at}`)
    t.match((await world.plan({ version: project })).changes, [
      { action: 'update', leaves: { length: 2 * left.length } },
    ])
    t.same(await resumed(world), left)
    t.equal((await rowOf(world))?.id, id)
    t.same(await contents(world), whole)
  }
})

t.test('2.8.P5 a write whose response was lost with the process is detected, and not repeated', async (t) => {
  for (let at = 1; at <= writes; at++) {
    const world = await interrupted(t, { at, fate: 'dies after' })
    const created = await resumed(world)
    t.same(created, paths.slice(Math.max(0, at - 1)), `after write ${at}`)
    t.same(await contents(world), whole)
    t.equal((await world.service.objects()).length, 1)
  }
})

t.test('2.8.P5 an entry that meanwhile exists at a pending path is kept', async (t) => {
  const world = await interrupted(t, { at: 3, fate: 'dies before' })
  const store = `/memory_stores/${(await rowOf(world))?.id}/memories`
  await ask(world, 'POST', store, { path: '/two.md', content: 'By an agent.' })
  t.same(await resumed(world), ['three.md'])
  t.same(await contents(world), { ...whole, '/two.md': 'By an agent.' })
})

t.test('7.8 a changed or removed pending initializer is rejected, and restoring it resumes', async (t) => {
  const world = await interrupted(t, { at: 3, fate: 'dies before' })
  const second = '      - { key: /two.md, content: The second of them. }\n'
  const rejected = { code: 'plan.pending-initializer-changed', severity: 'error', detail: /two\.md/ }
  for (const [what, replacement] of [
    ['changed', second.replace('second', 'other')],
    ['renamed', second.replace('two.md', '2.md')],
    ['removed', ''],
  ] as const) {
    const version = edited(project, [second, replacement])
    t.match(await refusalOf(world.plan({ version })), [rejected], what)
    t.same(pendingOf(await rowOf(world)), ['three.md', 'two.md'], 'nothing is forgotten')
  }
  const finished = edited(project, ['The first of them.', 'Something else.'])
  t.match(
    (await world.plan({ version: finished })).changes,
    [{ action: 'update' }],
    'what is written already may change',
  )
  t.same(await resumed(world), ['two.md', 'three.md'])
  t.same(await contents(world), whole)
})

t.test('2.8.P5 a row with an id always lists its pending entries', async (t) => {
  for (const mode of ['initialize', 'sync']) {
    const version = edited(project, ['    entries:', `    entries_mode: ${mode}\n    entries:`])
    const world = await opened(t)
    const fate = ({ isWrite, number }: HttpCall): Fate => (isWrite && number === 2 ? 'dies before' : 'answered')
    t.equal((await world.run({ version, fate })).type, 'died')
    const journal = (world.disk.text('/project/agents.state.journal') ?? '').split('\n')
    const withId = journal.filter((line) => line.includes('"memstore_'))
    t.ok(withId.length > 0)
    for (const line of withId) t.match(line, '"pending":{"one.md":', mode)
    t.same(await resumed(world, version), paths)
  }
})

t.test('2.8 rule 1: once written, initial entries belong to the agents', async (t) => {
  const world = await opened(t)
  t.same(await resumed(world), paths)
  const version = edited(project, ['The first of them.', 'Something else.'], ['three.md', 'four.md'])
  t.same(
    (await world.plan({ version })).changes.map(({ action }) => action),
    ['none'],
  )
  t.same(await contents(world), whole)
})
