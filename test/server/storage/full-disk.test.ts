// A full disk: revocations, suspensions and deletions succeed, other writes are refused, and the store stays intact. A start
// that needs more space fails with an explanation.
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { Problem } from '../../../core/diagnostic.js'
import { limits } from '../../../server/limits.js'
import { openDatabase } from '../../../server/storage/database.js'
import { openStorage } from '../../../server/storage/open-storage.js'
import { ReserveFile } from '../../../server/storage/reserve-file.js'
import { scratchFolder } from '../../cli/scratch.js'
import { eventually } from '../../support/eventually.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { smallDisk } from '../../support/small-disk.js'
import type { Answer } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'

const megabyte = 1024 * 1024
const page = onePage('0 0 100 100 re f')

/** Waits until deletions and the store free no more space in the background. */
async function untilStill(used: () => number): Promise<void> {
  let before = -1
  await eventually(async () => {
    const now = used()
    const isStill = now === before
    before = now
    if (!isStill) await setTimeout(500)
    return isStill
  })
}

const isMade = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.size === limits.reserveFileBytes

t.test(
  'on a full disk, tokens can be revoked, tenants suspended, shares disabled, documents and tenants deleted',
  async (t) => {
    const { folder, freeSpace, leave, used } = smallDisk(t, 600 * megabyte)
    const server = await runServer(t, { folder: join(folder, 'data'), access: { freeSpace } })
    const { api } = server
    const acme = '/v1/tenants/acme'
    const docId = await server.upload(page)
    const doomed = await server.upload(page)
    for (const tenantId of ['gone', 'held']) await server.upload(page, { tenantId, docId: tenantId })
    const request = { kind: 'doc', sub: 'ada', docId, scope: ['doc.open'], expiresIn: 600 }
    const issued = await api.post(`${acme}/tokens`, request).then(done)
    const other = await api.post(`${acme}/tokens`, request).then(done)
    const ofHeld = api.as(await server.documentToken('held', ['doc.open'], { tenantId: 'held' }))
    const share = (await api.post(`${acme}/shares`, { docId, scope: ['doc.open'] }).then(done)).word('/share/id')
    const origin = { origin: 'https://a.example' }
    const exchange = async () =>
      (await api.as(undefined).post('/v1/share-sessions', { shareToken: share }, origin)).status
    t.equal(await exchange(), 200)
    const reserve = join(folder, 'data/reserve')
    await eventually(() => isMade(reserve))
    leave(40 * megabyte)
    let made = 0
    const addTenant = async () => (await api.post('/v1/tenants', { id: `new-${made++}` })).status
    await eventually(async () => (await addTenant()) === 503)

    leave(0)
    t.equal((await api.post(`${acme}/shares`, { docId, scope: ['doc.open'] })).status, 503)
    t.equal((await api.post(`${acme}/tokens/${issued.word('/jti')}/revoke`)).status, 204)
    t.notOk(existsSync(reserve), 'which gave way')
    t.equal((await api.as(issued.word('/token')).get(`/v1/docs/${docId}/head`)).status, 401)
    t.equal((await api.as(other.word('/token')).get(`/v1/docs/${docId}/head`)).status, 200)
    t.equal((await api.patch(`${acme}/shares/${share}`, { disabled: true })).status, 200)
    t.equal(await exchange(), 404)
    t.equal((await api.post('/v1/tenants/held/suspend', { reason: 'unpaid' })).status, 204)
    t.equal((await ofHeld.get('/v1/docs/held/head')).status, 403)
    t.equal((await api.delete(`${acme}/documents/${doomed}`)).status, 204)
    t.equal((await api.get(`/v1/docs/${doomed}/head`)).status, 404)
    t.equal((await api.delete('/v1/tenants/gone')).status, 204)
    t.equal((await api.get('/v1/tenants/gone')).status, 404)
    t.equal(await addTenant(), 503, 'the released reserve is not used for other writes')

    await untilStill(used)
    const revoke = async (token: Answer) => (await api.post(`${acme}/tokens/${token.word('/jti')}/revoke`)).status
    // Refused before the store fails. Space that is freed in the background may let a revocation pass until then.
    let late = other
    await eventually(async () => {
      late = await api.post(`${acme}/tokens`, request).then(done)
      leave(megabyte)
      return (await revoke(late)) === 503
    })
    t.equal(await revoke(issued), 204, 'revoked already, so nothing is written')
    t.equal((await api.as(late.word('/token')).get(`/v1/docs/${docId}/head`)).status, 200, 'reads still work')
    leave(600 * megabyte)
    t.equal(await revoke(late), 204)
    t.equal(await addTenant(), 200)
  },
)

t.test('the reserve is released when the disk is full, and allocated again when there is space', async (t) => {
  const { folder, freeSpace, leave } = smallDisk(t, limits.reserveFileBytes + limits.storeReserveBytes)
  const path = join(folder, 'reserve')
  const reserve = new ReserveFile(path, freeSpace)
  await reserve.make()
  t.ok(isMade(path))
  await reserve.makeRoom(megabyte)
  t.ok(isMade(path), 'enough space')
  leave(0)
  await reserve.makeRoom(megabyte)
  t.notOk(existsSync(path))
  t.equal(reserve.missingBytes, limits.reserveFileBytes)
  await reserve.make()
  t.notOk(existsSync(path), 'it leaves the room that others need')
  writeFileSync(path, 'left by a process that died')
  leave(limits.reserveFileBytes + limits.storeReserveBytes)
  await reserve.make()
  t.ok(isMade(path))
  t.equal(reserve.missingBytes, 0)

  const roomy = scratchFolder(t)
  await new ReserveFile(join(roomy, 'reserve'), { demand: async () => {} }).make()
  t.notOk(existsSync(join(roomy, 'reserve')), 'a roomy disk needs none')
})

t.test('if a store cannot be opened for lack of space, the reserve is released', async (t) => {
  const folder = scratchFolder(t, 'data')
  await (await openStorage({ folder })).close()
  const reserve = join(folder, 'reserve')
  writeFileSync(reserve, 'bytes')
  const openOnly = async (...[path, options]: Parameters<typeof openDatabase>) => {
    if (existsSync(reserve)) throw noRoom()
    return openDatabase(path, options)
  }
  await (await openStorage({ folder, openDatabase: openOnly })).close()
  t.notOk(existsSync(reserve))
})

t.test('without a reserve, the start fails with the cause and a fix', async (t) => {
  const starting = runServer(t, { access: { openDatabase: async () => Promise.reject(noRoom()) } })
  const problem = await starting.catch((error: unknown) => error)
  t.match(problem instanceof Problem && problem.diagnostics, [{ code: 'serve.disk-full', fix: /Free some space/ }])
})

/** Error of LevelDB on a full disk. */
function noRoom(): Error {
  const reason = Object.assign(new Error('IO error: store/000005.ldb: No space left on device'), {
    code: 'LEVEL_IO_ERROR',
  })
  return Object.assign(new Error('Database failed to open', { cause: reason }), { code: 'LEVEL_DATABASE_NOT_OPEN' })
}
