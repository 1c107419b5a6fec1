// Memory stores and their memories on bailian, against the emulator.
import t from 'tap'
import type { JsonObject } from '../../../core/value/tree.js'
import type { Workbench } from '../workbench.js'
import { openBailian } from './subject.js'

const full = {
  name: 'Team notes',
  description: 'What we know',
  metadata: { tier: 2, tags: ['a', 'b'], owner: { team: 'data', level: 1 }, flag: false },
  entries_mode: 'sync',
  entries: [
    { key: 'style.md', content: 'Be brief.' },
    { key: '/notes/empty.md', content: '' },
  ],
}
const path = (bench: Workbench, below = '') => `/memory_stores/${bench.id('memory_store', 'notes')}${below}`
const contentOf = async (bench: Workbench, key: string) => {
  const part = (await bench.parts('memory_store', 'notes')).get(key)
  return (await bench.request('GET', path(bench, `/memories/${part?.['id']}`))).body['content']
}

t.test('2.8 a store just created needs no change, and its metadata keeps its JSON values', async (t) => {
  const bench = await openBailian(t)
  bench.declare('memory_store', 'notes', full)
  bench.declare('memory_store', 'plain', {})
  await bench.create('memory_store', 'notes')
  await bench.create('memory_store', 'plain')
  t.same(await bench.drift('memory_store', 'notes'), [])
  t.same(await bench.drift('memory_store', 'plain'), [])
  t.match(bench.remote('memory_store', 'notes')['metadata'], { ...full.metadata, 'agents.resource': 'notes' })
  t.equal(bench.remote('memory_store', 'plain')['name'], 'plain', 'the key is the default of the label')
  t.equal(await contentOf(bench, 'style.md'), 'Be brief.')
  t.equal(await contentOf(bench, 'notes/empty.md'), '')
})

t.test('2.8.P1 labels are not unique: two stores may have the same', async (t) => {
  const bench = await openBailian(t)
  bench.declare('memory_store', 'one', { name: 'Notes' })
  bench.declare('memory_store', 'two', { name: 'Notes' })
  await bench.create('memory_store', 'one')
  await bench.create('memory_store', 'two')
  t.not(bench.id('memory_store', 'one'), bench.id('memory_store', 'two'))
  t.same(bench.handler('memory_store').lostCreate, { by: 'mark' })
})

t.test('2.8 every field can be changed and cleared', async (t) => {
  const bench = await openBailian(t)
  bench.declare('memory_store', 'notes', full)
  await bench.create('memory_store', 'notes')
  const [style, empty] = full.entries
  const changes = [
    { ...full, name: 'Other' },
    { ...full, description: 'Other' },
    { ...full, description: undefined },
    { ...full, metadata: { ...full.metadata, tier: 3 } },
    { ...full, metadata: { ...full.metadata, owner: { team: 'web', level: 1 } } },
    { ...full, entries: [{ ...style, content: 'Be kind.' }, empty] as JsonObject[] },
    { ...full, entries: [style, { ...empty, content: 'Not any more.' }] as JsonObject[] },
    { ...full, entries: [style, empty, { key: 'new.md', content: 'New.' }] as JsonObject[] },
  ]
  for (const body of changes) {
    bench.declare('memory_store', 'notes', body)
    t.not((await bench.drift('memory_store', 'notes')).length, 0, 'the plan shows the change')
    t.same(await bench.update('memory_store', 'notes'), [], 'the second plan is empty')
  }
  t.equal(await contentOf(bench, 'notes/empty.md'), '')
})

t.test('2.8.P3 only declared keys of the metadata are managed', async (t) => {
  const bench = await openBailian(t)
  bench.declare('memory_store', 'notes', full)
  await bench.create('memory_store', 'notes')
  await bench.request('PATCH', `/_emulator/objects/${bench.id('memory_store', 'notes')}`, {
    metadata: { theirs: { deep: [1] }, tier: 9 },
  })
  t.same(await bench.drift('memory_store', 'notes'), ['metadata/tier'])
  t.same(await bench.update('memory_store', 'notes'), [])
  t.match(bench.remote('memory_store', 'notes')['metadata'], { theirs: { deep: [1] }, tier: 2, tags: ['a', 'b'] })
})

t.test('2.8.P4 declared paths are compared by digest, others are ignored', async (t) => {
  const bench = await openBailian(t)
  bench.declare('memory_store', 'notes', full)
  await bench.create('memory_store', 'notes')
  const style = (await bench.parts('memory_store', 'notes')).get('style.md')
  t.notMatch(style, { content: /./ }, 'a list does not show contents')
  await bench.request('POST', path(bench, '/memories'), { path: '/by-agent.md', content: 'x' })
  t.same(await bench.drift('memory_store', 'notes'), [])
  await bench.request('POST', path(bench, `/memories/${style?.['id']}`), { content: 'Changed by an agent.' })
  t.same(await bench.drift('memory_store', 'notes'), ['style.md: content'])
  t.same(await bench.update('memory_store', 'notes'), [])
  t.equal(await contentOf(bench, 'style.md'), 'Be brief.')
  t.equal(await contentOf(bench, 'by-agent.md'), 'x')
  t.equal(bench.handler('memory_store').parts?.policy({ body: full } as never), 'upsert')
  t.equal(bench.handler('memory_store').parts?.policy({ body: {} } as never), 'once')
})

t.test('a memory that changed since it was read is not overwritten', async (t) => {
  const bench = await openBailian(t)
  bench.declare('memory_store', 'notes', full)
  await bench.create('memory_store', 'notes')
  const { parts } = bench.handler('memory_store')
  const style = (await bench.parts('memory_store', 'notes')).get('style.md')
  const part = { key: 'style.md', id: String(style?.['id']), remote: style ?? {}, changes: [] }
  const before = parts?.observed(style ?? {}) ?? {}
  await bench.request('POST', path(bench, `/memories/${part.id}`), { content: 'Changed by an agent.' })
  const update = { ...part, desired: { content: 'Mine.' }, observed: before }
  await t.rejects(async () => void (await parts?.update?.(bench.call, bench.id('memory_store', 'notes'), update)), {
    class: 'stale',
    code: 'memory_path_conflict_error',
  })
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
