// Memory stores and their memories on bailian, against the emulator.
import t from 'tap'
import type { JsonObject } from '../../../core/value/tree.js'
import type { Workbench } from '../workbench.js'
import { openBailian } from './subject.js'

const full = {
  name: 'Team notes',
  description: 'What we know',
  entries_mode: 'sync',
  entries: [{ key: 'style.md', content: 'Be brief.' }],
}
const path = (bench: Workbench, below = '') => `/memory_stores/${bench.id('memory_store', 'notes')}${below}`
const contentOf = async (bench: Workbench, key: string) => {
  const part = (await bench.parts('memory_store', 'notes')).get(key)
  return (await bench.request('GET', path(bench, `/memories/${part?.['id']}`))).body['content']
}

t.test('2.8.P1 labels are not unique: two stores may have the same', async (t) => {
  const bench = await openBailian(t)
  bench.declare('memory_store', 'one', { name: 'Notes' })
  bench.declare('memory_store', 'two', { name: 'Notes' })
  await bench.create('memory_store', 'one')
  await bench.create('memory_store', 'two')
  t.not(bench.id('memory_store', 'one'), bench.id('memory_store', 'two'))
  t.same(bench.handler('memory_store').lostCreate, { by: 'mark' })
})

t.test('a write that is repeated because its answer was lost finds its own result', async (t) => {
  const bench = await openBailian(t)
  bench.declare('memory_store', 'notes', full)
  await bench.create('memory_store', 'notes')
  const { parts } = bench.handler('memory_store')
  const current = (await bench.parts('memory_store', 'notes')).get('style.md') ?? {}
  const observed = parts?.observed(current) ?? {}
  const update = {
    key: 'style.md',
    id: String(current['id']),
    desired: { content: 'Mine.' },
    observed,
    remote: current,
    changes: [],
  }
  const id = bench.id('memory_store', 'notes')
  for (let times = 0; times < 2; times++) t.match(await parts?.update?.(bench.call, id, update), { path: '/style.md' })
  t.equal(await contentOf(bench, 'style.md'), 'Mine.')
})

t.test('2.8.P6 removing a store archives it, and its entries stay readable', async (t) => {
  const bench = await openBailian(t)
  bench.declare('memory_store', 'notes', full)
  await bench.create('memory_store', 'notes')
  await bench.remove('memory_store', 'notes')
  t.equal(await bench.isGone('memory_store', 'notes'), true)
  t.same(await bench.listed('memory_store'), [])
  t.equal(bench.handler('memory_store').removal, 'archive')
  t.equal(await contentOf(bench, 'style.md'), 'Be brief.')
  const conflict = { status: 409, body: { error: { code: 'memory_path_conflict_error' } } }
  t.match(await bench.request('POST', path(bench, '/memories'), { path: '/late.md', content: 'x' }), conflict)
  t.match(await bench.request('POST', path(bench), { name: 'late' }), { status: 409 })
  t.match(await bench.request('DELETE', path(bench)), { status: 405 })
})

t.test('the emulator keeps every state of a memory, and pages through paths', async (t) => {
  const bench = await openBailian(t)
  bench.declare('memory_store', 'notes', {})
  await bench.create('memory_store', 'notes')
  const create = (at: string, content = 'x') => bench.request('POST', path(bench, '/memories'), { path: at, content })
  for (const at of ['/b/2.md', '/a.md', '/b/1.md', '/b/c/3.md']) await create(at)
  t.match(await create('/a.md'), { status: 409, body: { error: { code: 'memory_path_conflict_error' } } })
  t.match(await create('a.md'), { status: 400 })
  t.match(await create('/big.md', 'x'.repeat(102_401)), { status: 400 })
  t.match(await create('/fits.md', 'x'.repeat(102_400)), { status: 200 })

  const paths = ({ body }: { body: JsonObject }) => (body['data'] as { path: string }[]).map((row) => row.path)
  const first = await bench.request('GET', path(bench, '/memories?limit=2'))
  t.same(paths(first), ['/a.md', '/b/1.md'])
  const rest = await bench.request('GET', path(bench, `/memories?page=${first.body['next_page']}`))
  t.same(paths(rest), ['/b/2.md', '/b/c/3.md', '/fits.md'])
  const below = await bench.request('GET', path(bench, '/memories?path_prefix=/b/&depth=1'))
  t.same(paths(below), ['/b/1.md', '/b/2.md'])
  t.same(below.body['prefixes'], ['/b/c/'])
  t.match(await bench.request('GET', path(bench, '/memories?view=full&limit=21')), { status: 400 })
  t.match((await bench.request('GET', path(bench, '/memories?view=full&limit=20'))).body, { data: [{ content: 'x' }] })

  const [row] = (first.body['data'] as { id: string }[]) ?? []
  const memory = path(bench, `/memories/${row?.id}`)
  const moved = await bench.request('POST', memory, { path: '/z.md', content: 'y' })
  t.match(moved.body, { id: row?.id, path: '/z.md', content_size_bytes: 1 })
  t.notMatch(moved.body, { content: /./ })
  t.match(await bench.request('POST', memory, { path: '/fits.md' }), { status: 409 })
  t.match(await bench.request('DELETE', memory), { body: { type: 'memory_deleted' } })
  const versions = await bench.request('GET', path(bench, '/memory_versions'))
  const [last] = versions.body['data'] as { id: string; content: string }[]
  t.equal(last?.content, 'y')
  await bench.request('POST', path(bench, `/memory_versions/${last?.id}/redact`))
  t.match((await bench.request('GET', path(bench, `/memory_versions/${last?.id}`))).body, { content: null })
})
