// Changes whose storing fails: one that may have been applied is never answered `refused`, and the metrics tell of one that
// cannot be stored, whatever the status of the answer.
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { cuttingProxy } from '../../support/engines/cutting-proxy.js'
import { needsPostgres, PostgresServer } from '../../support/engines/postgres.js'
import { eventually } from '../../support/eventually.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { runServer } from '../support/running-server.js'
import { change, changesIn, layerPath, outcomes, titled, titleOf } from './support/changing.js'

t.test('changes on a database that fails', needsPostgres, async (t) => {
  const postgres = await PostgresServer.start(t)
  const proxy = await cuttingProxy(t, postgres.port)
  const store = postgres.address().replace(`:${postgres.port}/`, `:${proxy.port}/`)
  const { api, upload, url } = await runServer(t, { settings: { store } })
  const layer = { docId: await upload(onePage('0 0 100 100 re f')) }
  t.same(outcomes(await change(api, layer, { opId: 'first', ops: [titled('First')] })), ['applied'])

  const isReached = () => eventually(async () => (await api.get(`${layerPath(layer)}/manifest`)).status === 200)

  await t.test(
    'a change whose outcome is unknown fails as a whole, and is applied once when it is sent again',
    async (t) => {
      const second = { opId: 'second', ops: [titled('Second')] }
      const locked = new pg.Client(postgres.address())
      await locked.connect()
      const tables = await locked.query(`select tablename from pg_tables where schemaname = 'steward'`)
      await locked.query('begin')
      const names = tables.rows.map(({ tablename }) => `steward.${tablename}`)
      await locked.query(`lock table ${names.join(', ')} in exclusive mode`)
      const answering = change(api, layer, second)
      const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%commit_rows%'`
      await eventually(async () => (await postgres.sql(waiting)).length > 0)
      // Commits of the server's own work may wait as well: that of the change has been sent by then, too.
      await setTimeout(500)
      proxy.loses = 'answers'
      await locked.query('commit')
      await locked.end()
      await eventually(async () => (await postgres.sql(waiting)).length === 0)
      // The answer of the commit is lost with its connection, and others give no answer for longer than the server asks.
      await setTimeout(200)
      proxy.cut()
      const answer = await answering
      t.same([answer.status, answer.code], [503, 'RuntimeUnavailable'], answer.text)
      t.match(answer.text, /outcome is unknown.*sent again/)
      t.ok(Number(answer.headers.get('retry-after')) > 0)
      proxy.loses = undefined
      proxy.cut()
      await isReached()
      t.equal(await titleOf(api, layer), 'Second', 'it had been applied')
      const again = await change(api, layer, second)
      t.same(outcomes(again), ['applied'])
      t.equal(again.headers.get('idempotency-replayed'), 'true')
    },
  )

  await t.test(
    'a change that a read-only database cannot store is counted, whatever the status of the answer',
    async (t) => {
      const counted = async (event: string) =>
        Number(new RegExp(`event="${event}"\\} (\\d+)`).exec(await (await fetch(`${url}/metrics`)).text())?.[1] ?? 0)
      const both = async () => ({ sent: await counted('change-sent'), failed: await counted('change-failed') })
      const before = await both()
      await postgres.sql('alter database postgres set default_transaction_read_only = on')
      proxy.cut()
      await isReached()
      const third = { opId: 'third', ops: [titled('Third')] }
      const answer = await change(api, layer, third)
      t.same([answer.status, ...outcomes(answer)], [200, 'RuntimeUnavailable'], answer.text)
      t.match(JSON.stringify(changesIn(answer)), /read-only/)
      t.same(await both(), { sent: before.sent + 1, failed: before.failed + 1 })
      const json = { subtype: 'square', box: { x: 1, y: 1, width: 9, height: 9 } }
      const created = await api.post(`${layerPath(layer)}/annotations/pages/obj:3/items`, json)
      t.same([created.status, created.code], [503, 'RuntimeUnavailable'], created.text)
      const announced = { contentLength: 1000, contentSha256: 'a'.repeat(64) }
      const full = await api.post('/v1/tenants/acme/documents/init', { ...announced, contentLength: 2 ** 41 })
      t.equal(full.status, 413, 'a bound is no failure of the server')
      t.equal((await api.post('/v1/tenants/acme/documents/init', announced)).status, 503)
      t.same(await both(), { sent: before.sent + 4, failed: before.failed + 3 })
      await postgres.sql(
        'start transaction read write; alter database postgres reset default_transaction_read_only; commit',
      )
      proxy.cut()
      await isReached()
      t.same(outcomes(await change(api, layer, third)), ['applied'])
    },
  )
})
