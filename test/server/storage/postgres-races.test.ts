// Two stores on one database: of commits that exclude each other exactly one takes effect.
import t from 'tap'
import { encodeKey } from '../../../server/storage/keys.js'
import { PostgresStore } from '../../../server/storage/postgres/postgres-store.js'
import type { Commit, Store } from '../../../server/storage/store.js'
import { needsPostgres, PostgresServer } from '../../support/engines/postgres.js'

const rounds = 25
const key = (...parts: readonly (string | number)[]) => encodeKey(['row', ...parts])
const value = (content: string | number) => Uint8Array.from(Buffer.from(`${content}`))
const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString()
const commitOf = (commit: Partial<Commit>): Commit => ({ expect: [], put: [], delete: [], ...commit })

await t.test('two stores on one database', needsPostgres, async (t) => {
  const server = await PostgresServer.start(t)
  const open = () => PostgresStore.open({ address: server.address() })
  const stores = await Promise.all([open(), open()])
  t.teardown(() => Promise.all(stores.map((store) => store.close())))
  const [first, second] = stores
  /** Four rivals, two of each store. */
  const rivals: readonly Store[] = [first, second, first, second]

  t.test('exactly one commit that expects an absent key takes effect, and only its rows are there', async (t) => {
    for (let round = 0; round < rounds; round++) {
      const outcomes = await Promise.all(
        rivals.map((store, rival) =>
          store.commit(
            commitOf({
              expect: [{ key: key('seat', round), value: undefined }],
              put: [
                { key: key('seat', round), value: value(rival) },
                { key: key('trace', round, rival), value: value('') },
              ],
            }),
          ),
        ),
      )
      const winner = outcomes.indexOf('committed')
      t.same([...outcomes].sort(), ['committed', 'conflict', 'conflict', 'conflict'])
      t.equal(text(await second.get(key('seat', round))), `${winner}`)
      const traces = await first.getMany(rivals.map((_, rival) => key('trace', round, rival)))
      t.same(
        traces.map((trace) => trace !== undefined),
        rivals.map((_, rival) => rival === winner),
      )
    }
  })

  t.test('of commits that expect the same value exactly one takes effect, whether it writes or removes', async (t) => {
    for (let round = 0; round < rounds; round++) {
      await first.commit(commitOf({ put: [{ key: key('value'), value: value('start') }] }))
      const expect = [{ key: key('value'), value: value('start') }]
      const outcomes = await Promise.all(
        rivals.map((store, rival) =>
          store.commit(
            rival < 2
              ? commitOf({ expect, put: [{ key: key('value'), value: value(rival) }] })
              : commitOf({ expect, delete: [key('value')] }),
          ),
        ),
      )
      const winner = outcomes.indexOf('committed')
      t.same([...outcomes].sort(), ['committed', 'conflict', 'conflict', 'conflict'])
      t.equal(text(await second.get(key('value'))), winner < 2 ? `${winner}` : undefined)
    }
  })

  t.test('of two commits that each write what the other expects, exactly one takes effect', async (t) => {
    const pair = [key('left'), key('right')] as const
    for (const expected of [undefined, value('free')]) {
      for (let round = 0; round < rounds; round++) {
        await first.commit(
          expected === undefined
            ? commitOf({ delete: pair })
            : commitOf({ put: pair.map((one) => ({ key: one, value: expected })) }),
        )
        const outcomes = await Promise.all(
          stores.map((store, side) =>
            store.commit(
              commitOf({
                expect: [{ key: pair[side === 0 ? 0 : 1], value: expected }],
                put: [{ key: pair[side === 0 ? 1 : 0], value: value('taken') }],
              }),
            ),
          ),
        )
        t.same([...outcomes].sort(), ['committed', 'conflict'])
        const taken = (await second.getMany(pair)).map((bytes) => text(bytes) === 'taken')
        t.same(taken, [outcomes[1] === 'committed', outcomes[0] === 'committed'])
      }
    }
  })

  t.test('a row counted by both stores has the number of commits that took effect', async (t) => {
    let committed = 0
    const steps = 15
    await Promise.all(
      rivals.map(async (store) => {
        for (let done = 0; done < steps; ) {
          const before = await store.get(key('counted'))
          const after = value(Number(text(before) ?? 0) + 1)
          const outcome = await store.commit(
            commitOf({
              expect: [{ key: key('counted'), value: before }],
              put: [{ key: key('counted'), value: after }],
            }),
          )
          if (outcome !== 'committed') continue
          done += 1
          committed += 1
        }
      }),
    )
    t.equal(text(await first.get(key('counted'))), `${committed}`)
  })

  t.test('amendments of both stores are all applied, without a conflict', async (t) => {
    const longer = {
      key: key('sum'),
      change: (before: Uint8Array | undefined) => value(Number(text(before) ?? 0) + 1),
    }
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 ? first : second).commit(commitOf({ amend: [longer] }))),
    )
    t.same(new Set(outcomes), new Set(['committed']))
    t.equal(text(await second.get(key('sum'))), '60')
  })
})
