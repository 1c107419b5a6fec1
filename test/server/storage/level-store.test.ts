// LevelDB store: the conformance suite, and faults specific to a store in a folder.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { limits } from '../../../server/limits.js'
import { storeConformance } from '../../../server/storage/conformance/store.js'
import { DiskFull } from '../../../server/storage/free-space.js'
import { encodeKey, prefixRange } from '../../../server/storage/keys.js'
import { LevelStore } from '../../../server/storage/level-store.js'
import type { StoreBroken } from '../../../server/storage/store.js'
import { scratchFolder } from '../../cli/scratch.js'
import { childProgram } from '../../support/child-process.js'
import { FaultyDatabase } from './support/faulty-database.js'

const folder = scratchFolder(t)

await storeConformance(t, (name) => LevelStore.open({ folder: join(folder, name) }))

const row = (name: string, content = '') => ({ key: encodeKey(['row', name]), value: Buffer.from(content) })
const putting = (name: string) => ({ expect: [], put: [row(name)], delete: [] })

t.test('a second store on the folder is refused with a fix', async (t) => {
  const path = join(folder, 'shared')
  const first = await LevelStore.open({ folder: path })
  await t.rejects(LevelStore.open({ folder: path }), { name: 'FolderInUse', message: /stop the other one/ })
  await first.close()
  await (await LevelStore.open({ folder: path })).close()
})

t.test('a second process on the folder is refused until the first one ends', async (t) => {
  const path = join(folder, 'two-processes')
  const holder = childProgram(new URL('support/holder.ts', import.meta.url))
  const child = spawn(process.execPath, [...holder, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  await t.rejects(LevelStore.open({ folder: path }), { name: 'FolderInUse' })
  child.kill('SIGKILL')
  await once(child, 'close')
  const store = await LevelStore.open({ folder: path })
  t.ok(await store.get(row('held').key), 'a commit acknowledged to the killed process is durable')
  await store.close()
})

t.test('without createIfMissing, a missing store is not created', async (t) => {
  await t.rejects(LevelStore.open({ folder: join(folder, 'none'), createIfMissing: false }))
})

t.test('commits that arrive while one is being synced share the next sync', async (t) => {
  const database = new FaultyDatabase()
  const store = await database.open(join(folder, 'grouped'))
  await Promise.all(Array.from({ length: 100 }, (_, index) => store.commit(putting(`${index}`))))
  t.ok(database.batches <= 2, `${database.batches} batches`)
  await store.close()
})

t.test('concurrent commits of one process take effect in the order of their calls', async (t) => {
  const store = await LevelStore.open({ folder: join(folder, 'ordered') })
  const { key } = row('log')
  const steps = ['', '1', '12', '123'].map((before, index) =>
    store.commit({
      expect: [{ key, value: before === '' ? undefined : Buffer.from(before) }],
      put: [row('log', `${before}${index + 1}`)],
      delete: [],
    }),
  )
  t.same(await Promise.all(steps), ['committed', 'committed', 'committed', 'committed'])
  const replacing = [
    store.commit({ expect: [], put: [], delete: [key] }),
    store.commit({ expect: [{ key, value: undefined }], put: [row('log', 'new')], delete: [] }),
  ]
  t.same(await Promise.all(replacing), ['committed', 'committed'])
  t.equal(Buffer.from((await store.get(key)) ?? []).toString(), 'new')
  await store.close()
})

t.test('after `forget`, overwritten and removed values are in no file', async (t) => {
  const path = join(folder, 'forgetful')
  const current = () => {
    const files = readdirSync(path).map((name) => readFileSync(join(path, name)))
    return values.filter((value) => files.some((bytes) => bytes.includes(value)))
  }
  // Random bytes, which compression leaves unchanged.
  const values = Array.from({ length: 6 }, () => randomBytes(64))
  const store = await LevelStore.open({ folder: path })
  const writing = (name: string, value: Uint8Array) =>
    store.commit({ expect: [], put: [{ key: encodeKey(['row', name]), value }], delete: [] })
  for (const [index, value] of values.entries()) {
    await writing(`${index}`, value)
    // Some values are in tables of several levels, some in the log.
    if (index % 2 === 0) await store.forget([prefixRange(['other'])])
  }
  t.equal(current().length, values.length)
  const walk = store.range(prefixRange(['row']))[Symbol.asyncIterator]()
  await walk.next()
  await store.commit({ expect: [], put: [], delete: [0, 1, 2].map((index) => encodeKey(['row', `${index}`])) })
  for (const index of [3, 4]) await writing(`${index}`, Buffer.from('erased'))
  const forgotten = store.forget([prefixRange(['row'])])
  t.ok(
    await Promise.race([forgotten.then(() => false), setImmediate(true)]),
    'forget waits for open iterators, which see a snapshot',
  )
  await walk.return?.()
  await forgotten
  t.same(current(), values.slice(5), 'only what is still a row')
  for (const index of [0, 1, 2]) await writing(`${index}`, values[index] ?? Buffer.of())
  await store.commit({ expect: [], put: [], delete: [0, 1, 2].map((index) => encodeKey(['row', `${index}`])) })
  await store.forget([prefixRange(['row'])])
  t.same(current(), values.slice(5), 'written and removed in the log alone')
  await store.close()
})

t.test('every batch is synced', async (t) => {
  const database = new FaultyDatabase()
  const store = await database.open(join(folder, 'synced'))
  await store.commit(putting('a'))
  await store.probe()
  t.equal(database.batches, 2)
  t.equal(database.syncedBatches, 2)
  await store.close()
})

t.test('after a write error, all calls are refused, including waiting commits and reads', async (t) => {
  const reported: StoreBroken[] = []
  const database = new FaultyDatabase()
  const store = await database.open(join(folder, 'broken'), { onBroken: (error) => reported.push(error) })
  await store.commit(putting('before'))
  database.failNextBatch = Object.assign(new Error('i/o error'), { code: 'EIO' })
  const failing = ['a', 'b', 'c'].map((name) => store.commit(putting(name)))
  for (const commit of failing) await t.rejects(commit, { name: 'StoreBroken', cause: { code: 'EIO' } })
  await t.rejects(store.commit(putting('d')), { name: 'StoreBroken' })
  await t.rejects(store.get(row('before').key), { name: 'StoreBroken' })
  await t.rejects(store.getMany([]), { name: 'StoreBroken' })
  await t.rejects(store.probe(), { name: 'StoreBroken' })
  t.equal(reported.length, 1, 'the error was reported once')
  await store.close()
})

t.test('a read error makes only commits that needed the read fail', async (t) => {
  const database = new FaultyDatabase()
  const store = await database.open(join(folder, 'unread'))
  database.failNextRead = new Error('corrupted block')
  const expecting = { expect: [{ key: row('x').key, value: undefined }], put: [row('x')], delete: [] }
  await t.rejects(store.commit(expecting), { message: 'corrupted block' })
  t.equal(await store.commit(expecting), 'committed')
  await store.close()
})

t.test('on a full disk, urgent commits of one tenant leave space for those of others', async (t) => {
  let freeBytes = limits.storeUrgentBytes
  const freeSpace = {
    async demand(bytes: number) {
      if (freeBytes < bytes) throw new DiskFull(freeBytes, bytes)
    },
  }
  const store = await LevelStore.open({ folder: join(folder, 'urgent'), freeSpace })
  const content = 'x'.repeat(limits.storeUrgentBytesOfOne / 8)
  const refusing = (name: string, urgentOf?: string) =>
    store.commit({
      expect: [],
      put: [row(name, content)],
      delete: [],
      isUrgent: true,
      ...(urgentOf === undefined ? {} : { urgentOf }),
    })
  for (let count = 0; count < 7; count++) t.equal(await refusing(`greedy ${count}`, 'greedy'), 'committed')
  await t.rejects(refusing('one more', 'greedy'), { code: 'ENOSPC' })
  t.equal(await refusing('small', 'small'), 'committed')
  t.equal(await refusing('of nobody'), 'committed')
  t.equal(await store.commit({ expect: [], put: [], delete: [row('small').key] }), 'committed')
  freeBytes = 1e9
  t.equal(await refusing('with room', 'greedy'), 'committed')
  freeBytes = limits.storeUrgentBytes
  t.equal(await refusing('anew', 'greedy'), 'committed', 'the limit is reset when there is space')
})

t.test('a full disk refuses puts, accepts removals and urgent commits, and still reads', async (t) => {
  let freeBytes = 1e9
  const freeSpace = {
    async demand(bytes: number) {
      if (freeBytes < bytes) throw new DiskFull(freeBytes, bytes)
    },
  }
  const store = await LevelStore.open({ folder: join(folder, 'full'), freeSpace })
  await store.commit({ expect: [], put: [row('a', '1'), row('b', '2')], delete: [] })
  freeBytes = limits.storeUrgentBytes
  const outcomes = await Promise.allSettled([
    store.commit(putting('c')),
    store.commit({ expect: [], put: [], delete: [row('a').key] }),
    store.commit({ ...putting('d'), isUrgent: true }),
  ])
  t.match(outcomes, [
    { status: 'rejected', reason: { code: 'ENOSPC' } },
    { status: 'fulfilled', value: 'committed' },
    { status: 'fulfilled', value: 'committed' },
  ])
  freeBytes -= 1
  await t.rejects(store.commit({ expect: [], put: [], delete: [row('b').key] }), { code: 'ENOSPC' })
  await t.rejects(store.commit({ ...putting('e'), isUrgent: true }), { code: 'ENOSPC' })
  t.same(
    (await store.getMany(['a', 'b', 'c', 'd', 'e'].map((name) => row(name).key))).map((value) => value !== undefined),
    [false, true, false, true, false],
  )
  freeBytes = 1e9
  t.equal(await store.commit(putting('c')), 'committed', 'commits succeed again: the store never failed')
  await store.close()
})

t.test('if a write fails midway, the store refuses further calls, and acknowledged commits are not lost', async (t) => {
  const path = join(folder, 'file-size-limit')
  const filler = childProgram(new URL('support/filler.ts', import.meta.url))
  // A file size limit (RLIMIT_FSIZE) is the only way to make a real write fail without root. The options of the test
  // runner are removed, because its signal handlers would let SIGXFSZ end the process.
  const words = [process.execPath, ...filler, path].map((word) => `'${word}'`).join(' ')
  const child = spawn('sh', ['-c', `unset NODE_OPTIONS; ulimit -f 4000; exec ${words}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let written = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text
  })
  await once(child, 'close')
  const [, count = '', error = ''] = /acknowledged (\d+), then (\w+)/.exec(written) ?? []
  t.equal(error, 'StoreBroken', written)
  const store = await LevelStore.open({ folder: path })
  const acknowledged = Number(count)
  t.ok(acknowledged > 1, count)
  for (let index = 0; index < acknowledged; index++) {
    const value = await store.get(encodeKey(['filler', index]))
    if (value?.length !== 100_000) t.fail(`acknowledged row ${index} is lost`)
  }
  t.equal(await store.commit(putting('again')), 'committed')
  await store.close()
})
