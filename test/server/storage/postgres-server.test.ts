// A server on PostgreSQL over HTTP: the work on a document, an outage of the database, and databases that cannot be
// used.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Diagnostic, Problem } from '../../../core/diagnostic.js'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import { scratchFolder } from '../../cli/scratch.js'
import { certificateFor } from '../../support/certificate.js'
import { needsPostgres, PostgresServer } from '../../support/engines/postgres.js'
import { needsRedis, startRedis } from '../../support/engines/redis.js'
import { eventually } from '../../support/eventually.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes, titled, titleOf } from '../changes/support/changing.js'
import { complete, field, prepare } from '../signatures/support/signing.js'
import { done, type RunningOptions, runServer } from '../support/running-server.js'

const secrets = {
  STEWARD_API_TOKEN: 'an-api-token-of-the-test',
  STEWARD_SIGNING_SECRET: Buffer.alloc(48, 1).toString('base64'),
  STEWARD_SEALING_KEY: Buffer.alloc(32, 2).toString('base64'),
}

/** Returns the first diagnostic of a start that is refused. */
async function refusalOf(start: Promise<unknown>): Promise<Diagnostic | undefined> {
  const error: unknown = await start.then(
    () => new Error('It started'),
    (error: unknown) => error,
  )
  if (error instanceof Problem) return error.diagnostics[0]
  throw error
}

const skip = needsPostgres.skip || needsRedis().skip

await t.test('a server on PostgreSQL', { skip }, async (t) => {
  const certificate = certificateFor('127.0.0.1')
  const files = scratchFolder(t, 'tls')
  const postgres = await PostgresServer.start(t, { certificate })
  const store = postgres.address()
  const redis = (await startRedis(t)).address
  const folder = scratchFolder(t, 'data')
  const serve = (t: Test, options: RunningOptions = {}) =>
    runServer(t, { env: secrets, folder, ...options, settings: { store, redis, ...options.settings } })
  const { api, upload, ...server } = await serve(t)
  const docId = await upload(onePage('0 0 100 100 re f'))

  t.test('a document is edited, undone, drawn and signed; another process sees it', async (t) => {
    const layer = { docId }
    t.same(outcomes(await change(api, layer, { opId: 'a', ops: [titled('First')] })), ['applied'])
    t.same(outcomes(await change(api, layer, { opId: 'undo', undoOf: 'a' })), ['applied'])
    t.not(await titleOf(api, layer), 'First')
    const picture = await api.get(`${layerPath(layer)}/render/pages/obj:3/data`)
    t.same([picture.status, picture.headers.get('content-type')], [200, 'image/webp'], picture.text)
    const prepared = await prepare({ api, docId }, field('approval')).then(done)
    await complete({ api, docId }, prepared).then(done)
    const other = await serve(t)
    const versions = (await api.get(`${layerPath(layer)}/manifest`).then(done)).at('/docVersion')
    t.equal((await other.api.get(`${layerPath(layer)}/manifest`).then(done)).at('/docVersion'), versions)
    await other.close()
    t.notOk(existsSync(join(folder, 'store')), 'there is no embedded store')
    t.notOk(existsSync(join(folder, 'reserve')))
    const names = readdirSync(folder).filter((name) => name !== 'server.json')
    t.same(names.sort(), ['blobs', 'files-id', 'format.json', 'workshop'])
  })

  t.test('during an outage requests are refused with 503, and afterwards served again', async (t) => {
    await postgres.kill()
    const refused = [
      await api.get(`${layerPath({ docId })}/manifest`),
      await change(api, { docId }, { opId: 'outage', ops: [titled('During')] }),
      await api.post('/v1/tenants', { id: 'during' }),
    ]
    for (const answer of refused) {
      t.same([answer.status, answer.code, answer.headers.get('retry-after')], [503, 'RuntimeUnavailable', '5'])
    }
    t.equal((await fetch(`${server.url}/readyz`)).status, 503)
    t.equal((await fetch(`${server.url}/healthz`)).status, 200)
    await postgres.run()
    t.same(outcomes(await change(api, { docId }, { opId: 'outage', ops: [titled('During')] })), ['applied'])
    t.equal(await titleOf(api, { docId }), 'During')
    t.equal(server.log().includes('correct-horse'), false, 'the password is in no log')
  })

  t.test('a start during which the database stops is refused with the reason', async (t) => {
    // Without Redis it waits beside the other process, which records itself in the database.
    const started = refusalOf(runServer(t, { env: secrets, folder, settings: { store } }))
    const isWaiting = async () =>
      (await postgres.sql(`select from steward.facts where name like 'process %'`)).length > 1
    await eventually(isWaiting)
    await postgres.kill()
    t.match(await started, { code: 'serve.store-unreachable' })
    await postgres.run()
  })

  t.test('other secrets are refused unless they are accepted on purpose', async (t) => {
    const env = { ...secrets, STEWARD_SEALING_KEY: Buffer.alloc(32, 3).toString('base64') }
    const fix = /STEWARD_API_TOKEN, STEWARD_SIGNING_SECRET and STEWARD_SEALING_KEY/
    t.match(await refusalOf(serve(t, { env })), { code: 'serve.other-secrets', fix })
    await (await serve(t, { env, acceptNewSecrets: true })).close()
    t.match(await refusalOf(serve(t)), { code: 'serve.other-secrets' })
    await (await serve(t, { acceptNewSecrets: true })).close()
  })

  t.test('files at another place are refused unless they are accepted on purpose', async (t) => {
    const elsewhere = { folder: scratchFolder(t, 'elsewhere') }
    const detail = /elsewhere.*another data folder|none of the first 1 is where/
    t.match(await refusalOf(serve(t, elsewhere)), { code: 'serve.other-files', detail, fix: /--accept-moved-files/ })
    await (await serve(t, { ...elsewhere, acceptMovedFiles: true })).close()
    t.match(await refusalOf(serve(t)), { code: 'serve.other-files' })
    await (await serve(t, { acceptMovedFiles: true })).close()
  })

  t.test('a database that cannot be used is reported with its reason, without the password', async (t) => {
    await postgres.sql(`create role guest login password 'guest'`)
    await postgres.sql('create database foreigners')
    const cases = [
      ['serve.store-unreachable', 'postgres://steward:secret-word@127.0.0.1:1/steward'],
      ['serve.bad-store-address', 'postgres://steward:secret-word%off@127.0.0.1:1/steward'],
      ['serve.store-login', postgres.address('steward', { user: 'postgres:secret-word' })],
      ['serve.no-database', postgres.address('steward', { database: 'none' })],
      ['serve.store-rights', postgres.address('steward', { user: 'guest:guest', database: 'foreigners' })],
      ['serve.store-encryption', postgres.address('steward', { more: '&sslmode=verify-full' })],
      ['serve.bad-store-address', postgres.address('steward', { more: '&ssl=secret-word' })],
    ] as const
    for (const [code, address] of cases) {
      const refusal = await refusalOf(serve(t, { settings: { store: address } }))
      t.match(refusal, { code }, code)
      t.notMatch(JSON.stringify(refusal), /secret-word/)
    }
    await postgres.sql('update steward.schema_version set version = 99, readable_from = 99')
    t.match(await refusalOf(serve(t)), { code: 'serve.store-newer' })
    await postgres.sql('update steward.schema_version set version = 99, readable_from = 1')
    await (await serve(t)).close()
  })

  t.test('a role that owns only its schema is enough, over verified TLS', async (t) => {
    await postgres.sql(`create role little login password 'little'; create schema little authorization little`)
    const root = join(files, 'root.pem')
    writeFileSync(root, certificate.cert)
    const more = `&sslmode=verify-full&sslrootcert=${root}`
    const [littleFolder, littleStore] = [
      scratchFolder(t, 'little'),
      postgres.address('little', { user: 'little:little', more }),
    ]
    t.match(await refusalOf(serve(t, { settings: { store: littleStore } })), {
      code: 'serve.other-files',
      detail: /another database/,
    })
    const little = await serve(t, { folder: littleFolder, settings: { store: littleStore } })
    await little.upload(onePage(''))
    const [row] = await postgres.sql(`select bool_and(ssl) as ssl from pg_stat_ssl join pg_stat_activity using (pid)
      where usename = 'little'`)
    t.equal(row?.ssl, true)
    await little.close()
  })

  t.test('the check of a stopped deployment reads the rows of the database', async (t) => {
    await server.close()
    const summary = await checkStorage({
      folder,
      storeAddress: store,
      digest: digestHere,
      report: ({ code, detail }) => t.fail(`${code} ${detail}`),
    })
    t.ok(summary.rows > 10)
  })
})
