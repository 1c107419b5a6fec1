// Memory stores and their entries on every provider, against the emulators.
import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { openArk } from '../ark/subject.js'
import { openBailian } from '../bailian/subject.js'
import { memoryHeaders, openClaude } from '../claude/subject.js'
import { openForward, openQoder } from '../qoder/subject.js'
import { all, type Workbench } from '../workbench.js'
import { type Course, testCourses } from './course.js'

const [style, facts, empty] = [
  { key: 'guide/style.md', content: 'Be brief.' },
  { key: '/facts.md', content: 'Water is wet.' },
  { key: 'empty.md', content: '' },
]
const full = {
  name: 'Team notes',
  description: 'What we learnt',
  metadata: { team: 'data' },
  entries_mode: 'sync',
  entries: [style, facts, empty],
}
const { entries: _, ...bare } = full
const json = { tier: 2, tags: ['a', 'b'], owner: { team: 'data', level: 1 }, flag: false }

/** Changes that every provider takes, without those that clear metadata, which some share with others. */
const changes = (whole: typeof full | (Omit<typeof full, 'metadata'> & { readonly metadata: object })) => [
  { ...whole, name: 'Other' },
  { ...whole, name: undefined },
  { ...whole, description: 'Other' },
  { ...whole, description: undefined },
  { ...whole, metadata: { ...whole.metadata, team: 'web' } },
  { ...whole, entries: [{ ...style, content: 'Be kind.' }, facts, empty] },
  { ...whole, entries: [style, facts, { ...empty, content: 'Not any more.' }] },
  { ...whole, entries: [style, facts, empty, { key: 'new.md', content: 'New.' }] },
]
const cleared = [
  { ...full, metadata: { owner: 'me' } },
  { ...full, metadata: undefined },
  { entries_mode: 'sync' },
  full,
]
const counted = { memory_count: 7, storage_bytes: 900, session_count: 2 }
const byHand = { change: { description: 'by hand' }, seen: ['description'] }

interface Row extends Course {
  /** Title of the test that entries are compared by digest. */
  readonly digests?: string
  /** How the path of an entry is answered; `/facts.md` unless given. */
  readonly path?: string
  /** Failure of an update of an entry that somebody else has written since. */
  readonly stale?: { readonly class: 'stale'; readonly code: string } | { readonly message: RegExp }
  /** Error code of a create at a path that is in use. */
  readonly taken?: string
  /** What the versions of an entry that was put twice and removed say. */
  readonly versions?: readonly object[]
}

const createdTitle = (store: string) =>
  `2.8 a ${store} just created needs no change, nor do its entries, even an empty one`
const policies = '2.8 rule 1 and 2: initial entries are written once, synchronised ones are corrected'

const rows: Readonly<Record<string, Row>> = {
  ark: {
    open: openArk,
    full,
    changes: [...changes(full), ...cleared],
    updateSends: ['description'],
    byHand,
    noise: { change: counted },
    titles: { byHand: '2.8 changes by other clients are drift, changes of counters are not' },
    digests: '2.8 entries are compared by digest, and their paths begin with a slash',
    taken: 'ResourceConflict',
  },
  bailian: {
    open: openBailian,
    full: { ...full, metadata: json },
    made: () => ({ metadata: { ...json, 'agents.resource': 'subject' } }),
    changes: [
      ...changes({ ...full, metadata: json }),
      { ...full, metadata: { ...json, tier: 3 } },
      { ...full, metadata: { ...json, owner: { team: 'web', level: 1 } } },
    ],
    updateSends: ['description'],
    byHand: {
      change: { description: 'by hand', metadata: { theirs: { deep: [1] }, tier: 9 } },
      seen: ['description', 'metadata/tier'],
    },
    titles: {
      created: '2.8 a store just created needs no change, and its metadata keeps its JSON values',
      changed: '2.8 every field can be changed and cleared',
      byHand: '2.8.P3 only declared keys of the metadata are managed',
    },
    digests: '2.8.P4 declared paths are compared by digest, others are ignored',
    stale: { class: 'stale', code: 'memory_path_conflict_error' },
    taken: 'memory_path_conflict_error',
    versions: [{ content: 'three' }, { content: 'one' }],
  },
  claude: {
    open: openClaude,
    full,
    changes: [...changes(full), ...cleared],
    updateSends: ['description'],
    byHand,
    archivedAt: '/memory_stores',
    headers: memoryHeaders,
    titles: { created: createdTitle('store'), changed: '2.8 every field can be changed and cleared' },
    digests: '2.8 entries are compared by digest, and a change made by somebody else is seen',
    stale: { class: 'stale', code: 'memory_precondition_failed_error' },
    taken: 'memory_path_conflict_error',
    versions: ['deleted', 'modified', 'created'].map((operation) => ({ operation })),
  },
  ...Object.fromEntries(
    Object.entries({ managed: openQoder, forward: openForward }).map(([api, open]): [string, Row] => [
      `qoder, ${api}`,
      {
        open,
        full,
        changes: changes(full),
        updateSends: ['description'],
        path: 'facts.md',
        byHand: { ...byHand, change: { ...byHand.change, metadata: { theirs: 'kept' } } },
        titles: {
          created: createdTitle(`${api} store`),
          changed: `2.8 every field of a ${api} store can be changed, and metadata of others stays`,
        },
        ...(api === 'managed' ? { stale: { message: /content_sha256 is not that of the current content/ } } : {}),
        versions: [{}, {}, {}],
      },
    ]),
  ),
}

testCourses(t, 'memory_store', rows)

async function withStore(t: Test, { open }: Row, body: object = full): Promise<Workbench> {
  const bench = await open(t)
  bench.declare('memory_store', 'notes', body)
  await bench.create('memory_store', 'notes')
  return bench
}

const storeId = (bench: Workbench) => bench.id('memory_store', 'notes')
const entryOf = async (bench: Workbench, key: string) => (await bench.parts('memory_store', 'notes')).get(key) ?? {}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

for (const [provider, row] of Object.entries(rows)) {
  t.test(provider, async (t) => {
    t.test(row.digests ?? 'entries are compared by digest, and those of others are ignored', async (t) => {
      const bench = await withStore(t, row)
      t.same([...(await bench.parts('memory_store', 'notes')).keys()].sort(), [
        'empty.md',
        'facts.md',
        'guide/style.md',
      ])
      const entry = await entryOf(bench, 'facts.md')
      t.match(bench.handler('memory_store').parts?.observed(entry), {
        path: row.path ?? '/facts.md',
        content: sha256(facts.content),
      })
      t.notMatch(JSON.stringify(entry), /Water is wet/, 'a list does not show contents')
      await bench.memories.put(bench.call, storeId(bench), 'theirs.md', 'x')
      t.same(await bench.drift('memory_store', 'notes'), [])
      await bench.memories.put(bench.call, storeId(bench), 'facts.md', 'Water is dry.')
      t.same(await bench.drift('memory_store', 'notes'), ['facts.md: content'])
      t.same(await bench.update('memory_store', 'notes'), [])
      for (const [path, content] of Object.entries({ 'facts.md': facts.content, 'empty.md': '', 'theirs.md': 'x' }))
        t.match(await bench.memories.read(bench.call, storeId(bench), path), { content })
    })

    t.test(policies, async (t) => {
      const bench = await row.open(t)
      const policy = (more: object) =>
        bench.handler('memory_store').parts?.policy(bench.declare('memory_store', 'notes', { ...bare, ...more }))
      t.equal(policy({ entries_mode: undefined }), 'once')
      t.equal(policy({ entries_mode: 'initialize' }), 'once')
      t.equal(policy({ entries_mode: 'sync' }), 'upsert')
    })

    const { stale, taken, versions } = row
    if (stale)
      t.test('an entry that somebody else has written since is not overwritten', async (t) => {
        const bench = await withStore(t, row)
        const { parts } = bench.handler('memory_store')
        const entry = await entryOf(bench, 'facts.md')
        const [key, id, observed] = ['facts.md', String(entry['id']), parts?.observed(entry) ?? {}]
        await bench.memories.put(bench.call, storeId(bench), key, 'Theirs.')
        const update = { key, id, desired: { content: 'Ours.' }, observed, remote: entry, changes: [] }
        await t.rejects(async () => void (await parts?.update?.(bench.call, storeId(bench), update)), stale)
        t.match(await bench.memories.read(bench.call, storeId(bench), key), { content: 'Theirs.' })
      })

    if (taken !== undefined)
      t.test('a create at a path that is in use is refused', async (t) => {
        const bench = await withStore(t, row)
        const desired = { path: '/facts.md', content: 'Ours.' }
        const create = async () =>
          void (await bench
            .handler('memory_store')
            .parts?.create(bench.call, storeId(bench), { key: 'facts.md', desired }))
        await t.rejects(create(), { class: 'nameTaken', code: taken })
        t.match(await bench.memories.read(bench.call, storeId(bench), 'facts.md'), { content: facts.content })
      })

    t.test('entries are listed below a prefix, read, put and removed by path, and leave versions', async (t) => {
      const bench = await withStore(t, row)
      const { memories, call } = bench
      const id = storeId(bench)
      t.match(await memories.put(call, id, 'a/b.md', 'one'), { path: 'a/b.md', sizeBytes: 3 })
      t.match(await memories.put(call, id, '/a/b.md', 'three'), { path: 'a/b.md', sizeBytes: 5 })
      t.match(await memories.put(call, id, 'c.md', ''), { path: 'c.md', sizeBytes: 0 })
      t.match(await all(memories.list(call, id, 'a/')), [{ path: 'a/b.md' }])
      t.match(await memories.read(call, id, 'a/b.md'), { content: 'three', sha256: sha256('three') })
      t.match(await memories.read(call, id, 'c.md'), { content: '' })
      t.equal(await memories.read(call, id, 'none.md'), undefined)
      t.equal(await memories.remove(call, id, 'a/b.md'), true)
      t.equal(await memories.remove(call, id, 'a/b.md'), false)
      if (!versions) return t.equal(memories.versions, undefined)
      t.match(await all(memories.versions?.(call, id, 'a/b.md')), versions)
    })

    // The forward API has stores without entries; these are reached by the managed one.
    if (provider !== 'qoder, forward')
      t.test('entries beyond the first page are listed', async (t) => {
        const bench = await withStore(t, row, { name: 'Many' })
        const path = `/memory_stores/${storeId(bench)}/memories`
        for (let index = 0; index < 130; index++)
          await bench.request('POST', path, { path: `/n${index}`, content: 'x' }, row.headers)
        t.equal((await bench.parts('memory_store', 'notes')).size, 130)
      })

    if (provider !== 'bailian')
      t.test(
        provider.startsWith('qoder')
          ? `2.8 a ${provider.slice('qoder, '.length)} store is removed with everything in it`
          : 'a removed store is gone with its entries',
        async (t) => {
          const bench = await withStore(t, row)
          await bench.remove('memory_store', 'notes')
          t.same(await bench.listed('memory_store'), [])
          await t.rejects(all(bench.memories.list(bench.call, storeId(bench))), { class: 'gone' } as never)
        },
      )
  })
}
