// Memory stores and their entries in both of Qoder's APIs, against the emulator.
import type { Test } from 'tap'
import t from 'tap'
import type { Call } from '../../../core/plugin/handler.js'
import type { QoderClient } from '../../../plugins/qoder/client.js'
import { memories } from '../../../plugins/qoder/memories.js'
import type { Workbench } from '../workbench.js'
import { openForward, openQoder, turn } from './subject.js'

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

const apis = { managed: openQoder, forward: openForward }

async function withStore(bench: Workbench, body: object = full): Promise<Workbench> {
  bench.declare('memory_store', 'notes', body)
  await bench.create('memory_store', 'notes')
  return bench
}

const call = (bench: Workbench) => bench.call as Call<QoderClient> // The workbench connected this provider.

async function all<Item>(items: AsyncIterable<Item> | undefined): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const item of items ?? []) found.push(item)
  return found
}

for (const [api, open] of Object.entries(apis)) {
  t.test(`2.8 a ${api} store just created needs no change, nor do its entries, even an empty one`, async (t: Test) => {
    const bench = await withStore(await open(t))
    t.same(await bench.drift('memory_store', 'notes'), [])
    const paths = ['empty.md', 'facts.md', 'guide/style.md']
    t.same([...(await bench.parts('memory_store', 'notes')).keys()].sort(), paths)
    t.same(await bench.listed('memory_store'), [bench.id('memory_store', 'notes')])
    bench.declare('memory_store', 'plain', {})
    t.equal((await bench.create('memory_store', 'plain'))['name'], 'plain', 'the key is the default of the name')
    t.same(await bench.drift('memory_store', 'plain'), [])
  })

  t.test(`2.8 every field of a ${api} store can be changed, and metadata of others stays`, async (t: Test) => {
    const bench = await withStore(await open(t))
    await bench.change(bench.id('memory_store', 'notes'), { metadata: { team: 'data', theirs: 'kept' } })
    const changes = [
      { ...full, name: 'Other' },
      { ...full, name: undefined },
      { ...full, description: 'Other' },
      { ...full, description: undefined },
      { ...full, metadata: { team: 'web', owner: 'me' } },
      { ...full, entries: [{ key: 'guide/style.md', content: 'Be kind.' }, ...full.entries.slice(1)] },
    ]
    for (const body of changes) {
      bench.declare('memory_store', 'notes', body)
      t.not((await bench.drift('memory_store', 'notes')).length, 0, 'the plan shows the change')
      t.same(await bench.update('memory_store', 'notes'), [], 'the second plan is empty')
    }
    t.match(bench.remote('memory_store', 'notes')['metadata'], { theirs: 'kept' })
  })

  t.test(`2.8 a ${api} store is removed with everything in it`, async (t: Test) => {
    const bench = await withStore(await open(t))
    await bench.remove('memory_store', 'notes')
    t.same(await bench.listed('memory_store'), [])
  })
}

t.test('2.8 rule 1 and 2: initial entries are written once, synchronised ones are corrected', async (t) => {
  const bench = await openQoder(t)
  const policy = (body: object) =>
    bench.handler('memory_store').parts?.policy(bench.declare('memory_store', 'notes', body))
  t.equal(policy({ entries: full.entries }), 'once')
  t.equal(policy(full), 'upsert')
})

t.test('an entry that somebody else has written since is not overwritten', async (t) => {
  const bench = await withStore(await openQoder(t))
  const { parts } = bench.handler('memory_store')
  const id = bench.id('memory_store', 'notes')
  const current = (await bench.parts('memory_store', 'notes')).get('facts.md') ?? {}
  const path = `/memory_stores/${id}/memories/${String(current['id'])}`
  await bench.request('POST', path, { content: 'Theirs.' })
  const update = {
    key: 'facts.md',
    id: String(current['id']),
    desired: { content: 'Ours.' },
    remote: current,
    changes: [],
  }
  const write = parts?.update?.(bench.call, id, { ...update, observed: parts.observed(current) })
  await t.rejects(async () => void (await write), { message: /content_sha256 is not that of the current content/ })
})

t.test('a forward store is created with an idempotency key and removed through the managed API', async (t) => {
  const bench = await withStore(await openForward(t))
  const desired = { name: 'Team notes' }
  const create = () => bench.handler('memory_store').create(bench.call, { desired, sources: new Map(), nonce: 'one' })
  const [first, second] = [await create(), await create()]
  t.equal(first['id'], second['id'], 'a repeated create returns the same store')
})

t.test('memory commands work for stores of both APIs', async (t) => {
  for (const open of Object.values(apis)) {
    const bench = await withStore(await open(t))
    const id = bench.id('memory_store', 'notes')
    t.equal((await memories.put(call(bench), id, '/new.md', 'New.')).path, 'new.md')
    t.equal((await memories.put(call(bench), id, 'new.md', 'Newer.')).path, 'new.md')
    t.equal((await memories.read(call(bench), id, 'new.md'))?.content, 'Newer.')
    t.same(
      (await all(memories.list(call(bench), id, 'guide'))).map(({ path }) => path),
      ['guide/style.md'],
    )
    t.equal(await memories.remove(call(bench), id, 'new.md'), true)
    t.equal(await memories.remove(call(bench), id, 'new.md'), false)
    for (const dialect of ['both', 'sdk', 'pages']) {
      await turn(bench, { dialect })
      t.equal((await all(memories.versions?.(call(bench), id, 'new.md'))).length, 3, dialect)
    }
  }
})
