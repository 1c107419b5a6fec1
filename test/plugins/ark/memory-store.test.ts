// The emulated memory stores of Ark: depths, batches, and what is refused.
import t, { type Test } from 'tap'
import type { JsonObject } from '../../../core/value/tree.js'
import { openArk } from './subject.js'

async function opened(t: Test) {
  const bench = await openArk(t)
  bench.declare('memory_store', 'notes', {})
  await bench.create('memory_store', 'notes')
  return { bench, id: bench.id('memory_store', 'notes') }
}

t.test('the emulator folds deep paths into prefixes where a depth is asked for', async (t) => {
  const { bench, id } = await opened(t)
  for (const path of ['/a.md', '/b/c.md', '/b/d/e.md', '/f/g.md'])
    await bench.request('POST', `/memory_stores/${id}/memories`, { path, content: 'x' })
  const { body } = await bench.request('GET', `/memory_stores/${id}/memories?depth=1`)
  t.match(body, {
    data: [
      { type: 'memory', path: '/a.md' },
      { type: 'memory_prefix', path: '/b/' },
      { type: 'memory_prefix', path: '/f/' },
    ],
    prefixes: ['/b/', '/f/'],
  })
  const below = await bench.request('GET', `/memory_stores/${id}/memories?path_prefix=/b/&depth=1`)
  t.match(below.body, { data: [{ path: '/b/c.md' }, { path: '/b/d/' }] })
  const newest = await bench.request('GET', `/memory_stores/${id}/memories?order_by=updated_at&limit=1`)
  t.match(newest.body, { data: [{}], next_page: String })
})

t.test('the emulator takes a batch item by item', async (t) => {
  const { bench, id } = await opened(t)
  const path = `/memory_stores/${id}/memories/batch_create`
  await bench.request('POST', path, { items: [{ path: '/a', content: 'old' }] })
  const items = [
    { path: '/a', content: 'new' },
    { path: 'b', content: 'x' },
    { path: '/c', content: 'x' },
  ]
  const answer = await bench.request('POST', path, { items, on_conflict: 'fail' })
  t.match(answer.body, {
    results: [{ error: { type: String } }, { error: { message: /start with/ } }, { memory: { path: '/c' } }],
  })
  await bench.request('POST', path, { items: items.slice(0, 1), on_conflict: 'overwrite' })
  t.match(await bench.memories.read(bench.call, id, 'a'), { content: 'new' })
})

t.test('the emulator refuses what the server refuses', async (t) => {
  const { bench, id } = await opened(t)
  const at = `/memory_stores/${id}`
  await bench.request('POST', `${at}/memories`, { path: '/a', content: 'x' })
  const refused: readonly (readonly [string, JsonObject, number])[] = [
    ['/memory_stores', { description: 'x' }, 400],
    ['/memory_stores', { name: 'x', metadata: { tier: 2 } }, 400],
    [at, {}, 400],
    [`${at}/memories`, { path: 'a', content: 'x' }, 400],
    [`${at}/memories`, { path: '/a', content: 'x' }, 409],
    [`${at}/memories`, { path: '/b', content: 'x'.repeat(102_401) }, 400],
    [`${at}/archive`, {}, 404],
  ]
  for (const [path, body, status] of refused) t.equal((await bench.request('POST', path, body)).status, status, path)
})
