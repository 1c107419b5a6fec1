// Conformance suite of stores.
import { setImmediate } from 'node:timers/promises'
import { limits } from '../../limits.js'
import { encodeKey, prefixRange } from '../keys.js'
import type { Commit, Entry, Range, Store } from '../store.js'
import type { Tester } from './tester.js'

/** Opens the store of a name; opening the same name again, after it was closed, opens the same store. */
export type OpenStore = (name: string) => Promise<Store>

const key = (...parts: readonly (string | number)[]) => encodeKey(parts)
const value = (text: string) => Uint8Array.from(Buffer.from(text))
const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString()
const commitOf = (commit: Partial<Commit>): Commit => ({ expect: [], put: [], delete: [], ...commit })
const entryOf = (name: string | number, content: string): Entry => ({ key: key('row', name), value: value(content) })
const everything = prefixRange(['row'])

async function contents(store: Store, range: Partial<Range> = {}): Promise<readonly (string | undefined)[]> {
  const found: (string | undefined)[] = []
  for await (const entry of store.range({ ...everything, ...range })) found.push(text(entry.value))
  return found
}

export async function storeConformance(t: Tester, open: OpenStore): Promise<void> {
  let stores = 0
  const rule = (title: string, check: (t: Tester, store: Store, name: string) => Promise<void>) =>
    t.test(title, async (t) => {
      stores += 1
      const name = `conformance-${stores}`
      const store = await open(name)
      try {
        await check(t, store, name)
      } finally {
        await store.close()
      }
    })

  await rule('a key that was never written has no value', async (t, store) => {
    t.equal(await store.get(key('row', 'none')), undefined)
    t.same(await store.getMany([]), [])
  })

  await rule('committed rows are read back byte for byte, in the order of the keys', async (t, store) => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const put = [{ key: key('row', 1), value: bytes }, entryOf(2, '')]
    t.equal(await store.commit(commitOf({ put })), 'committed')
    const [second, none, first] = await store.getMany([key('row', 2), key('row', 3), key('row', 1)])
    t.same([second?.length, none, first && [...first]], [0, undefined, [...bytes]])
  })

  await rule('committed rows are there after the store was closed and opened again', async (t, store, name) => {
    await store.commit(commitOf({ put: [entryOf('kept', 'yes')] }))
    await store.close()
    const again = await open(name)
    try {
      t.equal(text(await again.get(key('row', 'kept'))), 'yes')
    } finally {
      await again.close()
    }
  })

  await rule('a commit whose expectation does not hold writes nothing at all', async (t, store) => {
    await store.commit(commitOf({ put: [entryOf('a', '1')] }))
    const wrong = [
      { key: key('row', 'a'), value: value('2') },
      { key: key('row', 'a'), value: undefined },
      { key: key('row', 'b'), value: value('1') },
    ]
    for (const expectation of wrong) {
      const commit = commitOf({ expect: [expectation], put: [entryOf('c', 'x')], delete: [key('row', 'a')] })
      t.equal(await store.commit(commit), 'conflict')
    }
    t.same(await contents(store), ['1'])
  })

  await rule('a commit whose expectations all hold is written as a whole', async (t, store) => {
    await store.commit(commitOf({ put: [entryOf('a', '1'), entryOf('b', '2')] }))
    const expect = [
      { key: key('row', 'a'), value: value('1') },
      { key: key('row', 'z'), value: undefined },
    ]
    const commit = commitOf({ expect, put: [entryOf('c', '3')], delete: [key('row', 'b')] })
    t.equal(await store.commit(commit), 'committed')
    t.same(await contents(store), ['1', '3'])
  })

  await rule('of concurrent commits that expect the same row, exactly one succeeds', async (t, store) => {
    const rivals = Array.from({ length: 20 }, (_, index) =>
      store.commit(
        commitOf({
          expect: [{ key: key('row', 'seat'), value: undefined }],
          put: [entryOf('seat', `${index}`), entryOf(index, 'was here')],
        }),
      ),
    )
    const outcomes = await Promise.all(rivals)
    t.equal(outcomes.filter((outcome) => outcome === 'committed').length, 1)
    t.equal((await contents(store)).length, 2, 'the others left nothing')
    t.equal(text(await store.get(key('row', 'seat'))), `${outcomes.indexOf('committed')}`)
  })

  await rule('concurrent commits take effect one after the other, in any order', async (t, store) => {
    const steps = ['', '1', '12', '123'].map((before, index) =>
      store.commit(
        commitOf({
          expect: [{ key: key('row', 'log'), value: before === '' ? undefined : value(before) }],
          put: [entryOf('log', `${before}${index + 1}`)],
        }),
      ),
    )
    const outcomes = await Promise.all(steps)
    const committed = outcomes.filter((outcome) => outcome === 'committed').length
    t.ok(committed >= 1)
    t.same(
      outcomes.slice(committed),
      Array.from({ length: 4 - committed }, () => 'conflict'),
    )
    t.same(await contents(store), ['1234'.slice(0, committed)])
  })

  await rule('a row that concurrent commits remove and write has the state of the last one', async (t, store) => {
    await store.commit(commitOf({ put: [entryOf('a', 'old')] }))
    const [removed, written] = await Promise.all([
      store.commit(commitOf({ delete: [key('row', 'a')] })),
      store.commit(commitOf({ expect: [{ key: key('row', 'a'), value: undefined }], put: [entryOf('a', 'new')] })),
    ])
    t.equal(removed, 'committed')
    t.equal(text(await store.get(key('row', 'a'))), written === 'committed' ? 'new' : undefined)
  })

  await rule(
    'a row that many commits of one moment amend is amended by all of them, and by none that conflict',
    async (t, store) => {
      const longer = {
        key: key('row', 'sum'),
        change: (before: Uint8Array | undefined) => value(`${text(before) ?? ''}+`),
      }
      const commits = Array.from({ length: 20 }, (_, index) => {
        const expect = [{ key: key('row', 'none'), value: index % 5 === 0 ? value('wrong') : undefined }]
        return store.commit(commitOf({ expect, put: [entryOf(index, '')], amend: [longer] }))
      })
      const outcomes = await Promise.all(commits)
      t.equal(outcomes.filter((outcome) => outcome === 'committed').length, 16)
      t.equal(text(await store.get(key('row', 'sum'))), '+'.repeat(16))
      await t.rejects(store.commit(commitOf({ put: [entryOf('sum', '')], amend: [longer] })), { name: 'RangeError' })
    },
  )

  await rule('rows read together are from one moment, during any number of writes', async (t, store) => {
    const names = Array.from({ length: 8 }, (_, index) => index)
    let isOver = false
    const writing = (async () => {
      for (let round = 0; round < 200; round++) {
        await store.commit(commitOf({ put: names.map((name) => entryOf(name, `${round}`)) }))
      }
      isOver = true
    })()
    let torn = 0
    while (!isOver) {
      const values = await store.getMany(names.map((name) => key('row', name)))
      if (new Set(values.map((bytes) => text(bytes))).size > 1) torn += 1
      await setImmediate()
    }
    await writing
    t.equal(torn, 0)
  })

  await rule(
    'a range includes its first key and excludes its last, in both directions, up to a limit',
    async (t, store) => {
      await store.commit(commitOf({ put: [1, 2, 3, 4].map((number) => entryOf(number, `${number}`)) }))
      const middle = { from: key('row', 2), to: key('row', 4) }
      t.same(await contents(store, middle), ['2', '3'])
      t.same(await contents(store, { ...middle, isReversed: true }), ['3', '2'])
      t.same(await contents(store, { isReversed: true, limit: 3 }), ['4', '3', '2'])
      t.same(await contents(store, { from: key('row', 9) }), [])
    },
  )

  await rule('keys are ordered by their bytes', async (t, store) => {
    const names = ['b', 'a\u0000', 'a', 'ä', 'a\u0000b', 'B', '', '\u{1f600}', '\uffff']
    await store.commit(commitOf({ put: names.map((name) => entryOf(name, name)) }))
    t.same(await contents(store), ['', 'B', 'a', 'a\u0000', 'a\u0000b', 'b', 'ä', '\uffff', '\u{1f600}'])
  })

  await rule('a walk over a range does not see later commits', async (t, store) => {
    const numbers = Array.from({ length: 1000 }, (_, index) => index)
    await store.commit(commitOf({ put: numbers.map((number) => entryOf(number, 'before')) }))
    const seen: (string | undefined)[] = []
    for await (const entry of store.range(everything)) {
      if (seen.length === 0) {
        const put = [entryOf(500, 'after'), entryOf(2000, 'after')]
        await store.commit(commitOf({ put, delete: [key('row', 999)] }))
      }
      seen.push(text(entry.value))
    }
    t.equal(seen.length, 1000)
    t.ok(seen.every((content) => content === 'before'))
  })

  await rule('a walk that is ended early leaves the store usable', async (t, store) => {
    await store.commit(commitOf({ put: [entryOf(1, 'x'), entryOf(2, 'y')] }))
    for await (const _ of store.range(everything)) break
    t.same(await contents(store), ['x', 'y'])
  })

  await rule('a value above the limit is refused before anything is written', async (t, store) => {
    const largest = { key: key('row', 'large'), value: new Uint8Array(limits.valueBytesMax) }
    t.equal(await store.commit(commitOf({ put: [largest] })), 'committed')
    const above = { key: key('row', 'larger'), value: new Uint8Array(limits.valueBytesMax + 1) }
    await t.rejects(store.commit(commitOf({ put: [entryOf('x', ''), above] })), { name: 'RangeError' })
    t.equal((await contents(store)).length, 1)
  })

  await rule('a commit that writes one key twice is refused', async (t, store) => {
    await t.rejects(store.commit(commitOf({ put: [entryOf('a', '1'), entryOf('a', '2')] })), { name: 'RangeError' })
    const both = commitOf({ put: [entryOf('a', '1')], delete: [key('row', 'a')] })
    await t.rejects(store.commit(both), { name: 'RangeError' })
    t.same(await contents(store), [])
  })

  // Only a test of the adapter itself can inspect the files.
  await rule('forgetting a range removes no current row', async (t, store) => {
    for (const name of ['a', 'b', 'c']) await store.commit(commitOf({ put: [entryOf(name, `${name} before`)] }))
    await store.commit(commitOf({ put: [entryOf('a', 'a after')], delete: [key('row', 'b')] }))
    await store.forget?.([everything])
    await store.forget?.([prefixRange(['none']), prefixRange(['row']), prefixRange(['row', 'a'])])
    await store.forget?.([])
    t.same(await contents(store), ['a after', 'c before'])
    t.equal(await store.commit(commitOf({ put: [entryOf('d', 'd')] })), 'committed')
    t.same(await contents(store), ['a after', 'c before', 'd'])
  })

  await rule('a probe writes, and leaves nothing behind', async (t, store) => {
    await store.probe()
    const all: Entry[] = []
    for await (const entry of store.range({ from: Uint8Array.of(), to: Uint8Array.of(0xff) })) all.push(entry)
    t.same(all, [])
  })

  await rule('closing waits for commits in flight; afterwards everything is refused', async (t, store, name) => {
    const inFlight = store.commit(commitOf({ put: [entryOf('late', 'yes')] }))
    await store.close()
    t.equal(await inFlight, 'committed')
    await t.rejects(store.get(key('row', 'late')))
    await t.rejects(store.getMany([]))
    await t.rejects(store.commit(commitOf({})))
    await t.rejects(store.probe())
    await t.rejects(contents(store))
    const again = await open(name)
    t.equal(text(await again.get(key('row', 'late'))), 'yes')
    await again.close()
  })
}
