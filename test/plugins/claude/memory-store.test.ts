// Memory stores and their entries on Claude, against the emulator.
import { createHash } from 'node:crypto'
import type { Test } from 'tap'
import t from 'tap'
import type { Call } from '../../../core/plugin/handler.js'
import type { ClaudeClient } from '../../../plugins/claude/client.js'
import { memories } from '../../../plugins/claude/memories.js'
import type { Workbench } from '../workbench.js'
import { memoryHeaders, openClaude } from './subject.js'

const full = {
  name: 'Team notes',
  description: 'What we learnt',
  metadata: { team: 'data' },
  entries_mode: 'sync',
  entries: [
    { key: 'guide/style.md', content: 'Be brief.' },
    { key: '/facts.md', content: 'Water is wet.' },
    { key: 'empty.md', content: '' },
  ],
} as const

async function withStore(t: Test, body: object = full): Promise<Workbench> {
  const bench = await openClaude(t)
  bench.declare('memory_store', 'notes', body)
  await bench.create('memory_store', 'notes')
  return bench
}

const call = (bench: Workbench) => bench.call as Call<ClaudeClient> // The workbench connected this provider.

async function all<Item>(items: AsyncIterable<Item> | undefined): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const item of items ?? []) found.push(item)
  return found
}

t.test('2.8 a store just created needs no change, nor do its entries, even an empty one', async (t) => {
  const bench = await withStore(t)
  t.same(await bench.drift('memory_store', 'notes'), [])
  t.same([...(await bench.parts('memory_store', 'notes')).keys()].sort(), ['empty.md', 'facts.md', 'guide/style.md'])
  bench.declare('memory_store', 'plain', {})
  t.equal((await bench.create('memory_store', 'plain'))['name'], 'plain', 'the key is the default of the name')
  t.same(await bench.drift('memory_store', 'plain'), [])
})

t.test('2.8 every field can be changed and cleared', async (t) => {
  const bench = await withStore(t)
  const changes = [
    { ...full, name: 'Other' },
    { ...full, name: undefined },
    { ...full, description: 'Other' },
    { ...full, description: undefined },
    { ...full, metadata: { owner: 'me' } },
    { ...full, metadata: undefined },
    { ...full, entries: [{ key: 'guide/style.md', content: 'Be kind.' }, ...full.entries.slice(1)] },
    full,
  ]
  for (const body of changes) {
    bench.declare('memory_store', 'notes', body)
    t.not((await bench.drift('memory_store', 'notes')).length, 0, 'the plan shows the change')
    t.same(await bench.update('memory_store', 'notes'), [], 'the second plan is empty')
  }
})

t.test('2.8 entries are compared by digest, and a change made by somebody else is seen', async (t) => {
  const bench = await withStore(t)
  const part = (await bench.parts('memory_store', 'notes')).get('facts.md')
  t.match(part, { content_sha256: createHash('sha256').update('Water is wet.').digest('hex'), content: null })
  const path = `/memory_stores/${bench.id('memory_store', 'notes')}/memories/${String(part?.['id'])}`
  await bench.request('POST', path, { content: 'Water is dry.' }, memoryHeaders)
  t.same(await bench.drift('memory_store', 'notes'), ['facts.md: content'])
})

t.test('2.8 rule 1 and 2: initial entries are written once, synchronised ones are corrected', async (t) => {
  const bench = await openClaude(t)
  const policy = (body: object) =>
    bench.handler('memory_store').parts?.policy(bench.declare('memory_store', 'notes', body))
  t.equal(policy({ entries: full.entries }), 'once')
  t.equal(policy({ ...full, entries_mode: 'initialize' }), 'once')
  t.equal(policy(full), 'upsert')
})

t.test('an entry that somebody else has written since is not overwritten', async (t) => {
  const bench = await withStore(t)
  const { parts } = bench.handler('memory_store')
  const id = bench.id('memory_store', 'notes')
  const current = (await bench.parts('memory_store', 'notes')).get('facts.md') ?? {}
  const path = `/memory_stores/${id}/memories/${String(current['id'])}`
  await bench.request('POST', path, { content: 'Theirs.' }, memoryHeaders)
  const desired = { path: '/facts.md', content: 'Ours.' }
  const part = {
    key: 'facts.md',
    id: String(current['id']),
    desired,
    observed: parts?.observed(current) ?? {},
    remote: {},
    changes: [],
  }
  await t.rejects(Promise.resolve(parts?.update?.(bench.call, id, part)), {
    class: 'stale',
    code: 'memory_precondition_failed_error',
  })
  await t.rejects(Promise.resolve(parts?.create(bench.call, id, { key: 'facts.md', desired })), {
    class: 'nameTaken',
    code: 'memory_path_conflict_error',
  })
})

t.test('calls of memory stores have only their own beta header', async (t) => {
  const bench = await withStore(t)
  const refused = await bench.request('GET', '/memory_stores')
  t.equal(refused.status, 400, 'the header of the other calls is refused')
  t.same(await bench.listed('memory_store'), [bench.id('memory_store', 'notes')])
})

t.test('entries can be listed below a prefix, read, put and removed by path, and leave versions', async (t) => {
  const bench = await withStore(t)
  const store = bench.id('memory_store', 'notes')
  t.match(await memories.put(call(bench), store, 'a/b.md', 'one'), { path: 'a/b.md', sizeBytes: 3 })
  t.match(await memories.put(call(bench), store, '/a/b.md', 'three'), { path: 'a/b.md', sizeBytes: 5 })
  t.match(await all(memories.list(call(bench), store, 'a/')), [{ path: 'a/b.md' }])
  t.match(await memories.read(call(bench), store, 'a/b.md'), { content: 'three', sha256: String })
  t.equal(await memories.read(call(bench), store, 'none.md'), undefined)
  t.equal(await memories.remove(call(bench), store, 'a/b.md'), true)
  t.equal(await memories.remove(call(bench), store, 'a/b.md'), false)
  const operations = (await all(memories.versions?.(call(bench), store, 'a/b.md'))).map(({ operation }) => operation)
  t.same(operations, ['deleted', 'modified', 'created'])
  t.equal((await all(memories.versions?.(call(bench), store))).length, 6, 'those of the other entries too')
})

t.test('entries beyond the first page are listed', async (t) => {
  const bench = await withStore(t, { entries: [] })
  const store = bench.id('memory_store', 'notes')
  for (let index = 0; index < 103; index++)
    await bench.request('POST', `/memory_stores/${store}/memories`, { path: `/n${index}`, content: 'x' }, memoryHeaders)
  t.equal((await bench.parts('memory_store', 'notes')).size, 103)
})

t.test('a removed store is gone with its entries; an archived one counts as gone', async (t) => {
  const bench = await withStore(t)
  bench.declare('memory_store', 'old', {})
  await bench.create('memory_store', 'old')
  await bench.remove('memory_store', 'notes')
  const path = `/memory_stores/${bench.id('memory_store', 'notes')}/memories`
  t.equal((await bench.request('GET', path, undefined, memoryHeaders)).status, 404)
  await bench.request('POST', `/memory_stores/${bench.id('memory_store', 'old')}/archive`, {}, memoryHeaders)
  t.equal(await bench.isGone('memory_store', 'old'), true)
  t.same(await bench.listed('memory_store'), [])
})
