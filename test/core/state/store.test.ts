import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { Appender, Disk } from '../../../core/ports/disk.js'
import { nodeDisk } from '../../../core/ports/node-disk.js'
import { systemRandom } from '../../../core/ports/random.js'
import { createHasher } from '../../../core/state/hashes.js'
import { foldInterrupted, openForWriting, openState, type WriteOptions } from '../../../core/state/store.js'
import { FaultDisk } from '../../faults/disk.js'
import { agentRow, fakeHost, realOptions, refusal, rowOf } from './fixtures.js'

/** A project folder called `demo`. */
function project(t: Test): string {
  return join(t.testdir({ demo: {} }), 'demo')
}

const read = (folder: string, name: string) => readFileSync(join(folder, `agents.state.${name}`), 'utf8')

async function writeRows(options: WriteOptions, ids: Readonly<Record<string, string | null>>): Promise<void> {
  const state = await openForWriting(options)
  await Promise.all(
    Object.entries(ids).map(([address, id]) => (id === null ? state.delete(address) : state.put(address, rowOf(id)))),
  )
  await state.close()
}

/** A run that ends without closing: the journal stays, and the lock is of a process that is gone. */
async function interrupt(options: WriteOptions, ids: Readonly<Record<string, string>>): Promise<void> {
  const opened: Appender[] = []
  const disk: Disk = {
    ...options.disk,
    append: async (...request) => {
      const appender = await options.disk.append(...request)
      opened.push(appender)
      return appender
    },
  }
  const state = await openForWriting({ ...options, disk, host: { ...options.host, pid: 666 } })
  await Promise.all(Object.entries(ids).map(([address, id]) => state.put(address, rowOf(id))))
  for (const appender of opened) await appender.close() // As the system does when a process ends.
}

t.test('rows are read back when state is opened again', async (t) => {
  const folder = project(t)
  const options = realOptions(folder)
  const state = await openForWriting(options)
  t.equal(state.isNew, true)
  await state.setFingerprint('qoder', 'f00')
  await state.put('qoder.agent.a', agentRow(1))
  await state.put('qoder.agent.b', agentRow(2))
  await state.delete('qoder.agent.b')
  t.strictSame([...state.rows.keys()], ['qoder.agent.a'], 'rows are live')
  await state.close()

  const again = await openState(options)
  t.equal(again.isNew, false)
  t.equal(again.project, 'demo')
  t.equal(again.lineage, state.lineage)
  t.equal(again.salt, state.salt)
  t.strictSame([...again.rows], [['qoder.agent.a', agentRow(1)]])
  t.strictSame([...again.providers], [['qoder', 'f00']])
  t.strictSame(again.notes, [])
  t.strictSame(readdirSync(folder), ['agents.state.json'], 'journal and lock are gone')
})

t.test('only the owner may read what is written', async (t) => {
  const folder = project(t)
  writeFileSync(join(folder, 'agents.state.temporary'), 'left by a crash', { mode: 0o644 })
  const options = realOptions(folder)
  await writeRows(options, { 'q.agent.a': '1' })
  const state = await openForWriting(options)
  await state.put('q.agent.a', rowOf('2'))
  const during = readdirSync(folder)
  t.strictSame(during, ['agents.state.journal', 'agents.state.json', 'agents.state.lock'])
  for (const name of during) t.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name)
  await state.close()
  for (const name of readdirSync(folder)) t.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name)
})

t.test('reading state writes nothing, not even where there is none', async (t) => {
  const folder = project(t)
  const options = realOptions(folder)
  t.equal((await openState(options)).isNew, true)
  t.strictSame(readdirSync(folder), [])
  await writeRows(options, { 'q.agent.a': '1' })
  await interrupt(options, { 'q.agent.b': '2' })
  const before = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
  const state = await openState(options)
  t.strictSame([...state.rows.keys()], ['q.agent.a', 'q.agent.b'], 'the journal is folded in memory')
  t.equal(state.notes[0]?.code, 'state.taken-up')
  t.match(state.notes[0]?.detail, 'has 1 change of a run')
  t.strictSame(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    before,
  )
})

t.test('a run that changes nothing leaves every file as it was', async (t) => {
  const folder = project(t)
  const options = realOptions(folder)
  await (await openForWriting(options)).close()
  t.strictSame(readdirSync(folder), [], 'no state file is created for a project without resources')
  await writeRows(options, { 'q.agent.a': '1' })
  const before = read(folder, 'json')
  await (await openForWriting(options)).close()
  await writeRows(options, { 'q.agent.a': '1' })
  t.equal(read(folder, 'json'), before, 'not even the serial')
})

t.test('the serial counts the folds that changed something', async (t) => {
  const options = realOptions(project(t))
  await writeRows(options, { 'q.agent.a': '1', 'q.agent.b': '2' })
  t.equal((await openState(options)).serial, 1)
  await writeRows(options, { 'q.agent.a': '3' })
  t.equal((await openState(options)).serial, 2)
})

t.test('the journal of an interrupted run becomes part of the state file before anything else', async (t) => {
  const folder = project(t)
  const options = realOptions(folder)
  await writeRows(options, { 'q.agent.a': '1' })
  await interrupt(options, { 'q.agent.a': '2', 'q.agent.b': '3' })
  const state = await openForWriting(options)
  t.equal(state.notes[0]?.code, 'state.taken-up')
  t.notOk(existsSync(join(folder, 'agents.state.journal')))
  t.match(read(folder, 'json'), /"q\.agent\.b"/)
  await state.close()
  t.equal((await openState(options)).serial, 2)
})

t.test('a journal can be folded without a change; it must exist, and its run must have ended', async (t) => {
  const folder = project(t)
  const options = realOptions(folder)
  await writeRows(options, { 'q.agent.a': '1' })
  const before = readdirSync(folder)
  await foldInterrupted(options)
  t.strictSame(readdirSync(folder), before)
  await interrupt(options, { 'q.agent.b': '2' })
  await foldInterrupted(options)
  t.strictSame(readdirSync(folder), ['agents.state.backup', 'agents.state.json'])
  t.match(read(folder, 'json'), /"q\.agent\.b"/)

  const live = await openForWriting(options)
  await live.put('q.agent.c', rowOf('3'))
  t.equal((await refusal(t, foldInterrupted(options))).code, 'state.locked')
  await live.close()
})

t.test('the backup has the state before the last run that changed something', async (t) => {
  const folder = project(t)
  const options = realOptions(folder)
  await writeRows(options, { 'q.agent.a': '1' })
  t.notOk(existsSync(join(folder, 'agents.state.backup')), 'nothing was there before')
  const first = read(folder, 'json')
  await interrupt(options, { 'q.agent.a': '2' })
  await writeRows(options, { 'q.agent.a': '3' })
  t.equal(read(folder, 'backup'), first, 'one backup a run, although this one wrote twice')
  const third = read(folder, 'json')
  await writeRows(options, {})
  t.equal(read(folder, 'backup'), first, 'a run without changes makes none')
  await writeRows(options, { 'q.agent.a': '4' })
  t.equal(read(folder, 'backup'), third)
})

t.test('a backup restored over a damaged file works as the message says', async (t) => {
  const folder = project(t)
  const options = realOptions(folder)
  await writeRows(options, { 'q.agent.a': '1' })
  await writeRows(options, { 'q.agent.a': '2' })
  writeFileSync(join(folder, 'agents.state.json'), read(folder, 'json').slice(0, 100))
  for (const open of [openState, openForWriting] as const) {
    const { code, fix } = await refusal(t, open(options))
    t.equal(code, 'state.damaged')
    t.match(fix, `cp ${folder}/agents.state.backup ${folder}/agents.state.json`)
  }
  t.notOk(existsSync(join(folder, 'agents.state.lock')), 'a run that could not start holds no lock')
  writeFileSync(join(folder, 'agents.state.json'), read(folder, 'backup'))
  t.equal((await openState(options)).rows.get('q.agent.a')?.id, '1')
})

t.test('an empty backup is not suggested for a restore', async (t) => {
  const folder = project(t)
  const options = realOptions(folder)
  await writeRows(options, { 'q.agent.a': '1' })
  writeFileSync(join(folder, 'agents.state.backup'), '')
  writeFileSync(join(folder, 'agents.state.json'), '')
  t.notMatch((await refusal(t, openState(options))).fix, 'agents.state.backup')
})

t.test('a journal newer than the state file is folded with a warning', async (t) => {
  const folder = project(t)
  const options = realOptions(folder)
  await writeRows(options, { 'q.agent.a': '1' })
  await writeRows(options, { 'q.agent.a': '2' })
  await interrupt(options, { 'q.agent.b': '3' })
  writeFileSync(join(folder, 'agents.state.json'), read(folder, 'backup'))
  const state = await openState(options)
  t.strictSame(
    [...state.rows].map(([address, { id }]) => [address, id]),
    [
      ['q.agent.a', '1'],
      ['q.agent.b', '3'],
    ],
  )
  t.strictSame(
    state.notes.map(({ code }) => code),
    ['state.taken-up', 'state.older-than-journal'],
  )
})

t.test('a journal without its state file is refused', async (t) => {
  const folder = project(t)
  const options = realOptions(folder)
  await interrupt(options, { 'q.agent.a': '1' })
  renameSync(join(folder, 'agents.state.json'), join(folder, 'elsewhere.json'))
  t.equal((await refusal(t, openState(options))).code, 'state.missing')
  t.equal((await refusal(t, openForWriting(options))).code, 'state.missing')
})

t.test('a row moves to another address in one change', async (t) => {
  const folder = project(t)
  const options = realOptions(folder)
  await writeRows(options, { 'q.agent.a': '1', 'q.agent.b': '2' })
  const state = await openForWriting(options)
  await state.move('q.agent.a', 'q.agent.c')
  t.equal(
    read(folder, 'journal')
      .trimEnd()
      .split('\n')
      .filter((line) => line.includes('q.agent')).length,
    1,
  )
  await t.rejects(state.move('q.agent.c', 'q.agent.b'), 'an address is never overwritten')
  await state.close()
  t.strictSame([...(await openState(options)).rows.keys()], ['q.agent.b', 'q.agent.c'])
})

t.test('state keeps its project name when the folder is renamed', async (t) => {
  const folder = project(t)
  await writeRows(realOptions(folder), { 'q.agent.a': '1' })
  const renamed = join(folder, '..', 'renamed')
  renameSync(folder, renamed)
  const state = await openState(realOptions(renamed, { projectName: 'renamed' }))
  t.equal(state.project, 'demo')
  t.equal(state.notes[0]?.code, 'state.project-renamed')
})

t.test('state of another project is refused', async (t) => {
  const root = t.testdir({ demo: {}, other: {} })
  await writeRows(realOptions(join(root, 'demo')), { 'q.agent.a': '1', 'q.agent.b': '2' })
  const other = join(root, 'other')
  writeFileSync(join(other, 'agents.state.json'), read(join(root, 'demo'), 'json'))
  const options = realOptions(other, { projectName: 'other' })
  for (const open of [openState, openForWriting] as const) {
    const { code, detail } = await refusal(t, open(options))
    t.equal(code, 'state.other-project')
    t.match(detail, 'is of the project "demo", and this folder is "other"')
    t.match(detail, 'all 2 resources')
  }

  await t.test('rows named by the user can be released, without changing the project of the state', async (t) => {
    const state = await openForWriting({ ...options, acceptsOtherProject: true })
    await state.delete('q.agent.a')
    await state.close()
    t.equal((await refusal(t, openState(options))).code, 'state.other-project')
  })
})

t.test('state of the same name in another folder is accepted: it may come from another machine', async (t) => {
  const root = t.testdir({ a: { demo: {} }, b: { demo: {} } })
  await writeRows(realOptions(join(root, 'a/demo')), { 'q.agent.a': '1' })
  writeFileSync(join(root, 'b/demo/agents.state.json'), read(join(root, 'a/demo'), 'json'))
  t.equal((await openState(realOptions(join(root, 'b/demo')))).rows.size, 1)
})

t.test('a state made for a saved plan keeps the lineage and salt of that plan', async (t) => {
  const options = realOptions(project(t), { initial: { lineage: 'of the plan', salt: 'also' } })
  await writeRows(options, { 'q.agent.a': '1' })
  const { lineage, salt } = await openState({ ...options, initial: { lineage: 'x', salt: 'y' } })
  t.strictSame({ lineage, salt }, { lineage: 'of the plan', salt: 'also' })
})

t.test('a folder without write permission is distinguished from a full disk', async (t) => {
  for (const [as, code] of [
    ['ENOSPC', 'state.disk-full'],
    ['EROFS', 'state.no-permission'],
    ['EIO', 'state.disk-failed'],
  ] as const) {
    const disk = new FaultDisk({ '/demo/agents.yaml': '' })
    disk.inject({ atCall: 1, when: 'before', as })
    t.equal((await refusal(t, openForWriting(realOptions('/demo', { disk })))).code, code)
  }
})

t.test('a full disk at any call leaves the old state, no half file, and a clear problem', async (t) => {
  const work = async (disk: FaultDisk) => {
    const state = await openForWriting(realOptions('/demo', { disk }))
    try {
      await state.put('q.agent.a', rowOf('new'))
    } finally {
      await state.close()
    }
  }
  const prepared = new FaultDisk({ '/demo/agents.yaml': '' })
  await writeRows(realOptions('/demo', { disk: prepared }), { 'q.agent.a': 'old' })
  const counted = prepared.afterCrash('everything')
  await work(counted)

  for (let atCall = 1; atCall <= counted.calls.length; atCall++) {
    for (const when of ['before', 'middle'] as const) {
      const disk = prepared.afterCrash('everything')
      disk.inject({ atCall, when, as: 'ENOSPC', isLasting: true })
      const { code } = await refusal(t, work(disk))
      t.equal(code, 'state.disk-full', counted.calls[atCall - 1] ?? '')
      const left = disk.paths.filter((path) => path.endsWith('temporary'))
      t.strictSame(left, [], counted.calls[atCall - 1] ?? '')
      const after = await openState(realOptions('/demo', { disk: disk.afterCrash('everything') }))
      t.ok(['old', 'new'].includes(after.rows.get('q.agent.a')?.id ?? ''))
      t.equal(JSON.parse(disk.text('/demo/agents.state.json') ?? '').project, 'demo')
    }
  }
})

t.test('no secret, and no plain hash of one, is in any file of state', async (t) => {
  const folder = project(t)
  const plainHasher = createHasher({ salt: '' })
  const anySecret = fc.stringMatching(/^[A-Za-z0-9_-]{8,40}$/)
  await fc.assert(
    fc.asyncProperty(anySecret, anySecret, async (value, literal) => {
      const options = realOptions(folder)
      const state = await openForWriting(options)
      const hasher = createHasher({ salt: state.salt })
      const header = `Bearer ${value}`
      const leaves = {
        token: await hasher.keyed(header, { unordered: false, secrets: [value] }),
        password: await hasher.keyed(literal, { unordered: false, secrets: [JSON.stringify(literal)] }),
      }
      await state.put('q.vault.a', { id: 'v', form: 1, leaves })
      const files = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
      const during = files()
      await state.close()
      const hashes = [value, header, literal].map((text) => plainHasher.plain(text, { unordered: false }))
      const all = [...during, ...files()].join('\n')
      for (const forbidden of [value, literal, ...hashes]) if (all.includes(forbidden)) throw new Error(forbidden)
    }),
    { numRuns: 15 },
  )
})

t.test('a second close does nothing, and a change after a close is a bug', async (t) => {
  const state = await openForWriting(realOptions(project(t)))
  await state.close()
  await state.close()
  await t.rejects(state.put('q.agent.a', rowOf('1')), /after it was closed/)
})

t.test('the real disk creates a file with all its content, or reports that it exists', async (t) => {
  const folder = project(t)
  const path = join(folder, 'x')
  const bytes = new TextEncoder().encode(systemRandom.uuid())
  t.equal(await nodeDisk.create(path, bytes, { mode: 0o600 }), true)
  t.equal(await nodeDisk.create(path, new Uint8Array(), { mode: 0o600 }), false)
  t.strictSame(new Uint8Array(readFileSync(path)), bytes)
  t.strictSame(readdirSync(folder), ['x'], 'nothing is left of the making')
})

t.test('the journal of a run in progress is not reported as interrupted', async (t) => {
  const options = realOptions(project(t))
  await writeRows(options, { 'q.agent.a': '1' })
  const writer = await openForWriting(options)
  await writer.put('q.agent.b', rowOf('2'))
  const { notes, rows } = await openState(options)
  t.match(notes, [{ code: 'state.in-progress', detail: '"agents apply" (process 1 on here)' }])
  t.equal(rows.size, 2)
  const elsewhere = fakeHost('here', 2, new Map([[2, 'boot/200']]))
  t.match((await openState({ ...options, host: elsewhere })).notes, [{ code: 'state.taken-up' }], 'once it is gone')
  await writer.close()
})

t.test('a journal whose end cannot be read is an error', async (t) => {
  const folder = project(t)
  const options = realOptions(folder)
  await writeRows(options, { 'q.agent.a': '1' })
  const writer = await openForWriting(options)
  await writer.put('q.agent.b', rowOf('2'))
  const path = join(folder, 'agents.state.journal')
  const [first] = read(folder, 'journal').split('\n')
  writeFileSync(path, `${first}\n\n\0\0\0\0\0\0\0\0`)
  t.match((await openState(options)).notes, [{}, { code: 'state.journal-cut-off' }])
  writeFileSync(path, '\0'.repeat(100))
  t.match((await openState(options)).notes, [{ code: 'state.journal-cut-off' }])
  writeFileSync(path, '\0'.repeat(4096))
  t.equal((await refusal(t, openState(options))).code, 'state.journal-damaged')
})
