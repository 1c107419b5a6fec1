// Two processes on one PostgreSQL and one S3-compatible storage. One of them is stalled in the middle of a write, longer
// than its lease or claim lasts; what the other does meanwhile must stand when it goes on.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import t from 'tap'
import { digestHere } from '../../../server/backup/verify.js'
import { Orphans } from '../../../server/expiry/orphans.js'
import { limits } from '../../../server/limits.js'
import type { Config } from '../../../server/settings/config.js'
import { openStorage, type Storage } from '../../../server/storage/open-storage.js'
import { scratchFolder } from '../../cli/scratch.js'
import { holdingProxy } from '../../support/engines/holding-proxy.js'
import { needsPostgres, PostgresServer } from '../../support/engines/postgres.js'
import { needsSwift, startSwift } from '../../support/engines/swift.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { ended } from '../imports/support/ended.js'
import { complete, field, prepare } from '../signatures/support/signing.js'
import { done, type RunningOptions, runServer } from '../support/running-server.js'
import { documents, sha256Of, uploaded } from '../support/uploads.js'

const secrets = {
  STEWARD_API_TOKEN: 'an-api-token-of-the-test',
  STEWARD_SIGNING_SECRET: Buffer.alloc(48, 1).toString('base64'),
  STEWARD_SEALING_KEY: Buffer.alloc(32, 2).toString('base64'),
}

t.setTimeout(580_000)

t.test('a stalled process', { skip: needsSwift.skip || needsPostgres.skip }, async (t) => {
  const [swift, postgres] = await Promise.all([startSwift(t), PostgresServer.start(t)])
  const client = new S3Client({ endpoint: swift.endpoint, region: 'us-east-1', forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: 'steward' }))
  client.destroy()
  const proxy = await holdingProxy(t, swift.endpoint)
  const at = (endpoint: string) => `s3://steward/served?endpoint=${endpoint}&pathStyle=true`
  const store = postgres.address()
  // There is none at this address: each process holds leases that the other does not see, as if they had expired.
  const redis = 'redis://127.0.0.1:1'

  const archive = scratchFolder(t, 'archive')
  mkdirSync(join(archive, 'in'))
  const connections: Config['connections'] = {
    archive: { type: 'filesystem', root: archive, prefixes: ['in'], tenants: ['acme'] },
  }
  const serve = (endpoint: string, more: RunningOptions = {}) =>
    runServer(t, { env: secrets, ...more, settings: { store, blobs: at(endpoint), redis, connections } })

  /** The storage as a process opens it that has held no lease and no copy so far. */
  const openFresh = async (): Promise<Storage> => {
    const folder = scratchFolder(t, 'fresh')
    const storage = await openStorage({ folder, digest: digestHere, engines: { store, blobs: at(swift.endpoint) } })
    t.teardown(() => storage.close())
    return storage
  }
  const storage = await openFresh()
  const versionsOf = async (id: string) => {
    const pointer = await storage.tables.documentIds.get([id])
    if (pointer === undefined) throw new Error(`There is no document ${id}`)
    const versions: { readonly name: string; readonly sha256: string }[] = []
    for await (const { row } of storage.tables.versions.range([pointer.tenant, pointer.document])) {
      versions.push(row.blob)
    }
    return { pointer, versions }
  }
  /** Returns the hash of a blob as a process reads it that has no copy. */
  const storedHash = async (id: string, name: string) => {
    const { pointer } = await versionsOf(id)
    const hash = createHash('sha256')
    const { blobs } = await openFresh()
    for await (const chunk of blobs.read({ ...pointer, name })) hash.update(chunk)
    return hash.digest('hex')
  }
  const keysOf = async (id: string) => {
    const { pointer } = await versionsOf(id)
    const names: string[] = []
    for await (const { document, name } of storage.blobs.list()) if (document === pointer.document) names.push(name)
    return names
  }

  await t.test('a version whose file was collected as an orphan is not committed with that file', async (t) => {
    const { api } = await serve(proxy.endpoint)
    await api.post('/v1/tenants', { id: 'acme' }).then(done)
    const docId = 'signed'
    const pdf = onePage('BT /F1 12 Tf 20 100 Td (Signed) Tj ET', { resources: helvetica })
    await uploaded(api, pdf, { docId, uploadPreference: 'proxy' })
    const prepared = await prepare({ api, docId }, field('approval')).then(done)
    const held = proxy.hold('PUT', /\/version-/)
    const completing = complete({ api, docId }, prepared)
    const stalled = await held
    const stalledName = stalled.path.split('/').find((part) => part.startsWith('version-')) ?? ''
    t.ok((await keysOf(docId)).includes(stalledName), 'the file of the stalled process is stored')
    const later = { now: () => Date.now() + 2 * limits.orphanAgeMs }
    t.equal(await new Orphans(storage, later).collect(), 1)
    t.notOk((await keysOf(docId)).includes(stalledName), 'and collected')
    stalled.release()
    const answer = await completing
    t.ok([200, 503].includes(answer.status), answer.text)
    const again = await complete({ api, docId }, prepared)
    t.equal(again.status, 200, again.text)
    const { versions } = await versionsOf(docId)
    t.equal(versions.length, 2)
    for (const { name, sha256 } of versions) {
      t.not(name, stalledName)
      t.equal(await storedHash(docId, name), sha256, name)
    }
  })

  await t.test('an import that another process has published is not published again', async (t) => {
    const pdf = onePage('BT /F1 12 Tf 20 100 Td (Imported) Tj ET', { resources: helvetica })
    const sha256 = sha256Of(pdf)
    writeFileSync(join(archive, 'in/a.pdf'), pdf)
    const hour = 3_600_000
    const stalledServer = await serve(proxy.endpoint, { importBounds: { claimMs: 100, renewalMs: hour, pollMs: hour } })
    const { api } = stalledServer
    const uploads = async () => Number((await api.get('/v1/tenants/acme/usage')).at('/metrics/pdf.uploads'))
    const before = await uploads()
    const held = proxy.hold('PUT', /\/upload-/)
    const source = { kind: 'connection', connectionId: 'archive', key: 'in/a.pdf' }
    const request = { source, mode: 'async', expected: { sha256 }, docId: 'once' }
    t.equal((await api.post(`${documents}/import`, request)).status, 202)
    const stalled = await held
    const other = await serve(swift.endpoint, { importBounds: { pollMs: 50 } })
    t.match(await ended(other.api, 'once'), { state: 'ready', baseSha: sha256 })
    const published = await versionsOf('once')
    const row = await storage.tables.documents.get([published.pointer.tenant, published.pointer.document])
    const drawn = proxy.hold('PUT', /\/thumbnail/)
    stalled.release()
    const beforeCommit = await drawn
    beforeCommit.release()
    await stalledServer.close()
    t.same(await versionsOf('once'), published)
    t.same(await storage.tables.documents.get([published.pointer.tenant, published.pointer.document]), row)
    t.equal(Number((await other.api.get('/v1/tenants/acme/usage')).at('/metrics/pdf.uploads')), before + 1)
    t.equal(await storedHash('once', published.versions[0]?.name ?? ''), sha256)
    t.notMatch(stalledServer.log(), /an import (failed|stopped)/)
  })
})
