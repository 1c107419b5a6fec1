// Duration of revocations: until the token has expired, whatever expiry the request stated.
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { Housekeeping } from '../../../server/expiry/housekeeping.js'
import { openStorage } from '../../../server/storage/open-storage.js'
import { transact } from '../../../server/storage/transaction.js'
import { scratchFolder } from '../../cli/scratch.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { done, MovableClock, type RunningOptions, runServer } from '../support/running-server.js'
import { claims, signed, signingSecret } from '../support/tokens.js'

const day = 24 * 60 * 60 * 1000
const days90 = 90 * 24 * 60 * 60
const bodies = [{}, { expiresAtSeconds: 1 }, { expiresAtSeconds: Number.MAX_SAFE_INTEGER, reason: 'lost' }] as const
const page = onePage('0 0 100 100 re f')
const nowSeconds = () => Math.floor(Date.now() / 1000)

/** Advances the clock and removes expired rows, as a running server does. */
async function expire(t: Test, folder: string, aheadMs: number): Promise<void> {
  const storage = await openStorage({ folder })
  const clock = { now: () => Date.now() + aheadMs, sleep: async () => {} }
  const housekeeping = new Housekeeping({ storage, clock, onFailure: (error) => t.fail(String(error)) })
  await housekeeping.expire()
  await housekeeping.stop()
  await storage.close()
}

async function statuses(
  t: Test,
  days: number,
  options: RunningOptions,
  tokens: readonly (readonly [string, string])[],
) {
  const clock = new MovableClock()
  clock.advance(days * day)
  await expire(t, options.folder ?? '', days * day)
  const server = await runServer(t, { ...options, clock })
  const found = []
  for (const [token, path] of tokens) found.push((await server.api.as(token).get(path)).status)
  await server.close()
  return found
}

t.test('a token with the maximum lifetime stays revoked until it would have expired', async (t) => {
  const folder = scratchFolder(t, 'data')
  const env = { STEWARD_SIGNING_SECRET: signingSecret }
  const server = await runServer(t, { folder, env })
  const docId = await server.upload(page)
  const revoked: (readonly [string, string])[] = []
  const head = `/v1/docs/${docId}/head`
  const document = { kind: 'doc', sub: 'ada', docId, scope: ['doc.open'], expiresIn: days90 }
  const tenant = { kind: 'tenant', sub: 'backend', scope: ['docs.read'], expiresIn: days90 }
  const issue = async (request: object) =>
    (await server.api.post('/v1/tenants/acme/tokens', request).then(done)).word('/token')
  for (const body of bodies) {
    for (const [request, path] of [
      [document, head],
      [tenant, '/v1/tenants/acme/documents'],
    ] as const) {
      const issued = await server.api.post('/v1/tenants/acme/tokens', request).then(done)
      await server.api.post(`/v1/tenants/acme/tokens/${issued.word('/jti')}/revoke`, body).then(done)
      revoked.push([issued.word('/token'), path])
    }
  }
  // Signed by another issuer with the same secret, with a longer lifetime than this server issues.
  const overlong = { jti: 'overlong', exp: nowSeconds() + 10 * days90, tenant_id: 'acme', scope: ['docs.read'] }
  revoked.push([await signed(overlong), '/v1/tenants/acme/documents'])
  await server.api.post('/v1/tenants/acme/tokens/overlong/revoke', {}).then(done)
  const good = [await issue(document), head] as const
  await server.close()
  for (const [days, ofGood] of [
    [31, 200],
    [89, 200],
    [91, 401],
  ] as const) {
    const found = await statuses(t, days, { folder, env }, [...revoked, good])
    t.same(found, [...revoked.map(() => 401), ofGood], `day ${days}`)
  }
})

t.test('a token of another issuer stays revoked however long its lifetime', async (t) => {
  const folder = scratchFolder(t, 'data')
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const tokenPublicKey = join(scratchFolder(t), 'public.pem')
  writeFileSync(tokenPublicKey, publicKey.export({ type: 'spki', format: 'pem' }))
  const options = { folder, settings: { tokenPublicKey } }
  const server = await runServer(t, options)
  await server.upload(page)
  const years = { exp: nowSeconds() + 10 * days90, tenant_id: 'acme', scope: ['docs.read'] }
  const sign = (jti: string) =>
    new SignJWT(claims({ ...years, jti })).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey)
  const tokens: (readonly [string, string])[] = []
  for (const jti of ['one', 'two', 'good']) tokens.push([await sign(jti), '/v1/tenants/acme/documents'])
  await server.api.post('/v1/tenants/acme/tokens/one/revoke', {}).then(done)
  await server.api.post('/v1/tenants/acme/tokens/two/revoke', { expiresAtSeconds: 1 }).then(done)
  await server.close()
  t.same(await statuses(t, 800, options, tokens), [401, 401, 200])
})

t.test('a revocation that an earlier version stored with a shorter expiry lasts as long', async (t) => {
  const folder = scratchFolder(t, 'data')
  const env = { STEWARD_SIGNING_SECRET: signingSecret }
  const server = await runServer(t, { folder, env })
  const docId = await server.upload(page)
  const request = { kind: 'doc', sub: 'ada', docId, scope: ['doc.open'], expiresIn: days90 }
  const issued = await server.api.post('/v1/tenants/acme/tokens', request).then(done)
  await server.close()
  const storage = await openStorage({ folder })
  const { tables } = storage
  const createdAt = Date.now()
  for await (const { key } of tables.tenants.range([])) {
    await transact(storage, async (transaction) => {
      const slot = tables.revocations.at([key[0], issued.word('/jti')])
      transaction.put(slot, { reason: null, expiresAt: createdAt + 30 * day, createdAt })
    })
  }
  await storage.close()
  const token = [issued.word('/token'), `/v1/docs/${docId}/head`] as const
  for (const days of [31, 89]) t.same(await statuses(t, days, { folder, env }, [token]), [401], `day ${days}`)
  await expire(t, folder, 92 * day)
  const after = await openStorage({ folder })
  for await (const _ of after.tables.revocations.range([])) t.fail('The revocation is still stored')
  await after.close()
})
