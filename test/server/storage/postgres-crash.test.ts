// A database that is killed, and connections that are lost, during commits: what the store says is what happened.
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { encodeKey } from '../../../server/storage/keys.js'
import { PostgresStore } from '../../../server/storage/postgres/postgres-store.js'
import { type Commit, type CommitOutcome, StoreUnavailable } from '../../../server/storage/store.js'
import { cuttingProxy } from '../../support/engines/cutting-proxy.js'
import { needsPostgres, PostgresServer } from '../../support/engines/postgres.js'

const writers = 8
const content = Uint8Array.from(Buffer.from('there'))
const key = (...parts: readonly (string | number)[]) => encodeKey(['row', ...parts])
const commitOf = (commit: Partial<Commit>): Commit => ({ expect: [], put: [], delete: [], ...commit })

/** A commit of two rows, with what the store said about it. */
interface Told {
  readonly rows: readonly [Uint8Array, Uint8Array]
  readonly outcome: CommitOutcome | 'unavailable'
}

/** Commits in `writers` loops until it is stopped; each third commit expects what does not hold. */
class Writing {
  readonly told: Told[] = []
  private isOver = false
  private readonly loops: Promise<unknown>

  constructor(
    private readonly store: PostgresStore,
    private readonly name: string,
  ) {
    this.loops = Promise.all(Array.from({ length: writers }, (_, writer) => this.loop(writer)))
  }

  /** Resolves when the writers have been told this many outcomes. */
  async until(count: number): Promise<void> {
    while (this.told.length < count) await setTimeout(5)
  }

  async stop(): Promise<void> {
    this.isOver = true
    await this.loops
  }

  private async loop(writer: number): Promise<void> {
    for (let step = 0; !this.isOver; step++) {
      const rows = [key(this.name, writer, step, 'a'), key(this.name, writer, step, 'b')] as const
      const expect = [{ key: key('none'), value: step % 3 === 2 ? content : undefined }]
      const outcome = await this.store
        .commit(commitOf({ expect, put: rows.map((row) => ({ key: row, value: content })) }))
        .catch((error: unknown) => {
          if (error instanceof StoreUnavailable) return 'unavailable' as const
          throw error
        })
      this.told.push({ rows, outcome })
      if (outcome === 'unavailable') await setTimeout(100)
    }
  }
}

await t.test('a database that is killed during commits', needsPostgres, async (t) => {
  const server = await PostgresServer.start(t, { fsync: true })
  const store = await PostgresStore.open({ address: server.address() })
  t.teardown(() => store.close())

  /** Checks that exactly the rows of commits that took effect are there; returns the outcomes that occurred. */
  const verify = async (told: readonly Told[]): Promise<ReadonlySet<string>> => {
    const wrong: string[] = []
    for (const { rows, outcome } of told) {
      const [first, second] = (await store.getMany(rows)).map((bytes) => bytes !== undefined)
      if (first !== second) wrong.push(`${outcome}: half of the commit is there`)
      else if (outcome === 'committed' && !first) wrong.push('committed: the rows are lost')
      else if ((outcome === 'conflict' || outcome === 'unavailable') && first) wrong.push(`${outcome}: rows are there`)
    }
    t.same(wrong, [])
    return new Set(told.map(({ outcome }) => outcome))
  }

  for (const kill of [1, 2]) {
    const writing = new Writing(store, `kill-${kill}`)
    await writing.until(60)
    await server.kill()
    await server.run()
    await writing.until(writing.told.length + 60)
    await writing.stop()
    const seen = await verify(writing.told)
    t.ok(seen.has('committed') && seen.has('conflict'), `${[...seen]}`)
  }

  const writing = new Writing(store, 'outage')
  const isUnknown = () => writing.told.some(({ outcome }) => outcome === 'unknown')
  // A kill may fall between the commits of all writers; then it is repeated.
  for (let kills = 0; !isUnknown(); kills++) {
    if (kills > 0) await server.run()
    await writing.until(writing.told.length + 30)
    await server.kill()
    for (let waitedMs = 0; !isUnknown() && waitedMs < 15_000; waitedMs += 50) await setTimeout(50)
  }
  await writing.stop()
  await server.run()
  t.ok((await verify(writing.told)).has('unknown'), 'the outcome cannot be learned during a long outage')
})

await t.test('connections that are lost during a commit', needsPostgres, async (t) => {
  const server = await PostgresServer.start(t)
  const proxy = await cuttingProxy(t, server.port)
  const store = await PostgresStore.open({ address: server.address().replace(`:${server.port}/`, `:${proxy.port}/`) })
  const other = await PostgresStore.open({ address: server.address() })
  t.teardown(() => Promise.all([store.close(), other.close()]))
  const write = (name: string) =>
    store.commit(
      commitOf({ expect: [{ key: key(name), value: undefined }], put: [{ key: key(name), value: content }] }),
    )

  proxy.loses = 'answers'
  const told = write('answer')
  while ((await other.get(key('answer'))) === undefined) await setTimeout(10)
  proxy.loses = undefined
  proxy.cut()
  t.equal(await told, 'committed', 'a commit whose answer was lost')

  proxy.loses = 'requests'
  const lost = t.rejects(write('request'), StoreUnavailable, 'a commit that never arrived')
  await setTimeout(50)
  proxy.loses = undefined
  proxy.cut()
  await lost
  t.equal(await other.get(key('request')), undefined)
  t.equal(await write('request'), 'committed', 'and can be sent again')
})
