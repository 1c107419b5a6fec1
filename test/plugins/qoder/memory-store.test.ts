// Memory stores of Qoder: the keys of forward creates, the dialects of versions.
import t from 'tap'
import { all } from '../workbench.js'
import { openForward, openQoder } from './subject.js'

t.test('a forward store is created with an idempotency key', async (t) => {
  const bench = await openForward(t)
  const desired = { name: 'Team notes' }
  const create = () => bench.handler('memory_store').create(bench.call, { desired, sources: new Map(), nonce: 'one' })
  const [first, second] = [await create(), await create()]
  t.equal(first['id'], second['id'], 'a repeated create returns the same store')
})

t.test('versions of the entries of both APIs are read in every dialect', async (t) => {
  for (const open of [openQoder, openForward]) {
    const bench = await open(t)
    bench.declare('memory_store', 'notes', {})
    await bench.create('memory_store', 'notes')
    const id = bench.id('memory_store', 'notes')
    for (const content of ['New.', 'Newer.']) await bench.memories.put(bench.call, id, 'new.md', content)
    await bench.memories.remove(bench.call, id, 'new.md')
    for (const dialect of ['both', 'sdk', 'pages']) {
      await bench.turn({ dialect })
      t.equal((await all(bench.memories.versions?.(bench.call, id, 'new.md'))).length, 3, dialect)
    }
  }
})
