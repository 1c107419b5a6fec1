import { createHash } from 'node:crypto'
import t from 'tap'
import { isFailure } from '../../../core/plugin/failure.js'
import type { Remote } from '../../../core/plugin/handler.js'
import type { JsonObject } from '../../../core/value/tree.js'
import { entries, memories } from '../../../plugins/ark/memories.js'
import { memoryStore } from '../../../plugins/ark/memory-store.js'
import type { MemoryStoreBody } from '../../../plugins/kinds/memory-store.js'
import { Account, declaration, Subject, scopeFor } from './account.js'

const account = await Account.open()
t.teardown(() => account.close())
t.beforeEach(() => account.control('POST', '/reset'))
const subject = new Subject(account, memoryStore)
const declare = (body: MemoryStoreBody) => declaration('memory_store', 'notes', body)

const full = declare({
  name: 'Notes',
  description: 'What we learnt.',
  metadata: { team: 'platform' },
  entries: [
    { key: 'guide/style.md', content: 'Be brief.' },
    { key: '/facts.md', content: 'Water is wet.' },
  ],
})
const entriesOf = (one: typeof full) => entries.desired(one, scopeFor(one))

async function listed(storeId: string): Promise<readonly Remote[]> {
  const found: Remote[] = []
  for await (const remote of entries.list(account.call, storeId)) found.push(remote)
  return found
}

t.test('a created object is read as declared', async (t) => {
  t.strictSame(subject.planned(full, await subject.create(full)), [])
  t.match(await subject.create(declare({})), { name: 'notes', type: 'memory_store', memory_count: 0 })
})

t.test('every field can be changed and cleared', async (t) => {
  const { id } = await subject.create(full)
  for (const body of [{ ...full.body, description: 'Other.' }, { name: 'Renamed' }, { metadata: { tier: '2' } }, {}]) {
    const one = declare(body)
    t.strictSame(subject.planned(one, await subject.update(String(id), one)), [])
  }
})

t.test('2.8 changes by other clients are drift, changes of counters are not', async (t) => {
  const { id } = await subject.create(full)
  await account.drift(String(id), { memory_count: 7, storage_bytes: 900, session_count: 2, description: 'x' })
  t.strictSame(subject.planned(full, await memoryStore.read(account.call, String(id))), ['description'])
})

t.test('2.8 entries are compared by digest, and their paths begin with a slash', async (t) => {
  const { id } = await subject.create(full)
  for (const [key, desired] of Object.entries(entriesOf(full)))
    await entries.create(account.call, String(id), { key, desired })
  const current = await listed(String(id))
  t.strictSame(current.map(entries.key).sort(), ['facts.md', 'guide/style.md'])
  const digest = createHash('sha256').update('Water is wet.').digest('hex')
  t.strictSame(current.map(entries.observed)[0], { path: '/facts.md', content: digest })
  t.notMatch(JSON.stringify(current), /Water is wet/)
  t.match(await memoryStore.read(account.call, String(id)), { memory_count: 2, storage_bytes: 22 })
})

t.test('2.8 rule 1 and 2: initial entries are written once, synchronised ones are corrected', async (t) => {
  t.equal(entries.policy(full), 'once')
  t.equal(entries.policy(declare({ ...full.body, entries_mode: 'initialize' })), 'once')
  t.equal(entries.policy(declare({ ...full.body, entries_mode: 'sync' })), 'upsert')
})

t.test('an entry is changed in place, removed, and never overwritten by a create', async (t) => {
  const { id } = await subject.create(full)
  const key = 'facts.md'
  const made = await entries.create(account.call, String(id), { key, desired: { content: 'old' } })
  const part = { key, id: entries.id(made), desired: { content: 'new' }, observed: {}, remote: made, changes: [] }
  await entries.update?.(account.call, String(id), part)
  const taken = await entries
    .create(account.call, String(id), { key, desired: { content: 'third' } })
    .catch((error: unknown) => error)
  t.ok(isFailure(taken, 'nameTaken'))
  t.equal((await memories.read(account.call, String(id), 'facts.md'))?.content, 'new')
  await entries.remove(account.call, String(id), part.id)
  t.strictSame(await listed(String(id)), [])
})

t.test('entries can be listed below a prefix, read, put and removed by path', async (t) => {
  const { id } = await subject.create(full)
  const store = String(id)
  t.match(await memories.put(account.call, store, 'a/b.md', 'one'), { path: 'a/b.md', sizeBytes: 3 })
  t.match(await memories.put(account.call, store, '/a/b.md', 'three'), { path: 'a/b.md', sizeBytes: 5 })
  await memories.put(account.call, store, 'c.md', 'x')
  const paths: string[] = []
  for await (const { path } of memories.list(account.call, store, 'a/')) paths.push(path)
  t.strictSame(paths, ['a/b.md'])
  t.match(await memories.read(account.call, store, 'a/b.md'), { content: 'three', sha256: String })
  t.equal(await memories.read(account.call, store, 'none.md'), undefined)
  t.equal(await memories.remove(account.call, store, 'c.md'), true)
  t.equal(await memories.remove(account.call, store, 'c.md'), false)
  t.equal(memories.versions, undefined)
})

t.test('entries after the first page are listed, whatever is added meanwhile', async (t) => {
  const { id } = await subject.create(full)
  for (let index = 0; index < 130; index++)
    await account.client.create(`/memory_stores/${id}/memories`, { path: `/n${index}`, content: 'x' })
  t.equal(new Set((await listed(String(id))).map(entries.key)).size, 130)
})

t.test('a removed store is gone with its entries', async (t) => {
  const { id } = await subject.create(full)
  await memoryStore.remove(account.call, String(id))
  t.equal((await account.raw('GET', `/memory_stores/${id}`)).status, 404)
  t.equal((await account.raw('GET', `/memory_stores/${id}/memories`)).status, 404)
})

t.test('the emulator folds deep paths into prefixes where a depth is asked for', async (t) => {
  const { id } = await subject.create(full)
  for (const path of ['/a.md', '/b/c.md', '/b/d/e.md', '/f/g.md'])
    await account.raw('POST', `/memory_stores/${id}/memories`, { path, content: 'x' })
  const { body } = await account.raw('GET', `/memory_stores/${id}/memories?depth=1`)
  t.match(body, {
    data: [
      { type: 'memory', path: '/a.md' },
      { type: 'memory_prefix', path: '/b/' },
      { type: 'memory_prefix', path: '/f/' },
    ],
    prefixes: ['/b/', '/f/'],
  })
  const below = await account.raw('GET', `/memory_stores/${id}/memories?path_prefix=/b/&depth=1`)
  t.match(below.body, { data: [{ path: '/b/c.md' }, { path: '/b/d/' }] })
  const newest = await account.raw('GET', `/memory_stores/${id}/memories?order_by=updated_at&limit=1`)
  t.match(newest.body, { data: [{}], next_page: String })
})

t.test('the emulator takes a batch item by item', async (t) => {
  const { id } = await subject.create(full)
  const path = `/memory_stores/${id}/memories/batch_create`
  await account.raw('POST', path, { items: [{ path: '/a', content: 'old' }] })
  const items = [
    { path: '/a', content: 'new' },
    { path: 'b', content: 'x' },
    { path: '/c', content: 'x' },
  ]
  const answer = await account.raw('POST', path, { items, on_conflict: 'fail' })
  t.match(answer.body, {
    results: [{ error: { type: String } }, { error: { message: /start with/ } }, { memory: { path: '/c' } }],
  })
  await account.raw('POST', path, { items: items.slice(0, 1), on_conflict: 'overwrite' })
  t.equal((await memories.read(account.call, String(id), 'a'))?.content, 'new')
})

t.test('the emulator refuses what the server refuses', async (t) => {
  const { id } = await subject.create(full)
  const at = `/memory_stores/${id}`
  await account.raw('POST', `${at}/memories`, { path: '/a', content: 'x' })
  const refused: readonly (readonly [string, JsonObject, number])[] = [
    ['/memory_stores', { description: 'x' }, 400],
    ['/memory_stores', { name: 'x', metadata: { tier: 2 } }, 400],
    [at, {}, 400],
    [`${at}/memories`, { path: 'a', content: 'x' }, 400],
    [`${at}/memories`, { path: '/a', content: 'x' }, 409],
    [`${at}/memories`, { path: '/b', content: 'x'.repeat(102_401) }, 400],
    [`${at}/archive`, {}, 404],
  ]
  for (const [path, body, status] of refused) t.equal((await account.raw('POST', path, body)).status, status, path)
})
