// Issuing tokens with fewer rights, and revoking them.
import { decodeJwt, decodeProtectedHeader } from 'jose'
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api, clock } = server
const docId = await server.upload(onePage('0 0 100 100 re f'), { docId: 'report' })
await server.upload(onePage('0 0 100 100 re f'), { tenantId: 'other', docId: 'others' })
const tokens = '/v1/tenants/acme/tokens'
const request = { kind: 'doc', sub: 'ada', docId, scope: ['doc.open'], expiresIn: 60 }
const head = `/v1/docs/${docId}/head`

t.test('a document token has the requested claims and lifetime', async (t) => {
  const identity = { userId: 'ada', displayName: 'Ada', email: 'ada@example.com', groups: ['math'] }
  const answer = await api.post(tokens, {
    ...request,
    layerName: 'draft',
    identity,
    origins: ['https://*.example.com'],
  })
  t.equal(answer.status, 200)
  const token = answer.word('/token')
  t.match(decodeProtectedHeader(token), { alg: 'HS256' })
  t.match(decodeJwt(token), {
    sub: 'ada',
    tenant_id: 'acme',
    doc_id: docId,
    layer_name: 'draft',
    scope: ['doc.open'],
    identity,
    origins: ['https://*.example.com'],
    jti: answer.word('/jti'),
    exp: answer.at('/expiresAt'),
  })
  const { iat = 0, exp = 0 } = decodeJwt(token)
  t.equal(exp - iat, 60)
  const viewer = api.as(token)
  t.equal((await viewer.get(head)).status, 200)
  clock.advance(61_000)
  t.equal((await viewer.get(head)).status, 401)
})

t.test('flat members of a person are also in the claim identity, which clients read', async (t) => {
  const claimsOf = async (person: object) =>
    decodeJwt((await api.post(tokens, { ...request, ...person }).then(done)).word('/token'))
  const flat = { userId: 'ada', displayName: 'Ada', groupId: 'math', groups: ['math', 'code'] }
  t.match(await claimsOf(flat), {
    user_id: 'ada',
    display_name: 'Ada',
    group_id: 'math',
    groups: ['math', 'code'],
    identity: flat,
  })
  const both = await claimsOf({ userId: 'ada', groupId: 'math', identity: { userId: 'countess', title: 'Lady' } })
  t.same(both.identity, { userId: 'countess', groupId: 'math', title: 'Lady' })
  t.notOk('identity' in (await claimsOf({})))
})

t.test(
  'a tenant token with tokens.issue-doc can issue document tokens of its tenant, but no tenant tokens',
  async (t) => {
    const backend = api.as(await server.tenantToken('acme', ['tokens.issue-doc']))
    t.equal((await backend.post(tokens, request)).status, 200)
    const higher = await backend.post(tokens, { kind: 'tenant', sub: 'x', scope: ['docs.read'], expiresIn: 60 })
    t.equal(`${higher.status} ${higher.code}`, '403 Forbidden')
    const foreign = await backend.post(tokens, { ...request, docId: 'others' })
    t.equal(`${foreign.status} ${foreign.code}`, '404 NotFound', "another tenant's document is not found")
  },
)

t.test("a request that violates the contract gets 400 with the member's name", async (t) => {
  const tenant = { kind: 'tenant', sub: 'backend', scope: ['docs.read'], expiresIn: 60 }
  const wrong: readonly (readonly [body: object, member: RegExp])[] = [
    [{ ...request, expiresIn: 59 }, /expiresIn/],
    [{ ...request, expiresIn: 7_776_001 }, /expiresIn/],
    [{ ...request, expiresIn: '60' }, /expiresIn/],
    [{ ...request, sub: '' }, /sub/],
    [{ ...request, scope: [] }, /scope/],
    [{ ...request, scope: ['doc.everything'] }, /doc\.everything/],
    [{ ...request, scope: ['annotations:create:'] }, /annotations:create:/],
    [{ ...request, scope: ['docs.read'] }, /docs\.read/],
    [{ ...request, origins: ['example.com'] }, /origins/],
    [{ ...request, identity: { nickname: 'a' } }, /identity/],
    [{ ...request, groups: Array.from({ length: 65 }, String) }, /groups/],
    [{ ...tenant, scope: ['doc.open'] }, /scope/],
    [{ ...tenant, expiresIn: 1 }, /expiresIn/],
    [{ ...request, kind: 'admin' }, /kind/],
    [{ sub: 'ada' }, /kind/],
  ]
  for (const [body, member] of wrong) {
    const answer = await api.post(tokens, body)
    t.equal(`${answer.status} ${answer.code}`, '400 InvalidArg', JSON.stringify(body).slice(0, 120))
    t.match(answer.at('/error/message'), member)
  }
})

t.test('a token request with an unknown member is refused instead of issued without it', async (t) => {
  for (const name of ['tenant_id', 'doc_id', 'jti', 'admin', 'userid', 'layername']) {
    const answer = await api.post(tokens, { ...request, [name]: 'x' })
    t.equal(`${answer.status} ${answer.code}`, '400 InvalidArg')
    t.match(answer.word('/error/message'), `body /${name} is unknown`)
  }
  t.match((await api.post(tokens, { ...request, userid: 'x' })).word('/error/message'), /did you mean "userId"/)
})

t.test('a revoked token is refused with its next request; others of the same subject are not', async (t) => {
  const issued = await api.post(tokens, { ...request, expiresIn: 6000 }).then(done)
  const other = api.as(await server.documentToken(docId, ['doc.open'], { expiresIn: 6000 }))
  const viewer = api.as(issued.word('/token'))
  t.equal((await viewer.get(head)).status, 200)
  const backend = api.as(await server.tenantToken('acme', ['tokens.revoke']))
  t.equal((await backend.post(`${tokens}/${issued.word('/jti')}/revoke`, { reason: 'lost' })).status, 204)
  t.equal((await viewer.get(head)).status, 401)
  t.equal((await other.get(head)).status, 200)
  t.equal(
    (await backend.send(`${tokens}/${issued.word('/jti')}/revoke`, { method: 'POST' })).status,
    204,
    'a revocation is idempotent',
  )
})

t.test("revoking a jti of one tenant does nothing to another tenant's token of that jti", async (t) => {
  const issued = await api.post('/v1/tenants/other/tokens', { ...request, docId: 'others' }).then(done)
  await api.post(`${tokens}/${issued.word('/jti')}/revoke`).then(done)
  t.equal((await api.as(issued.word('/token')).get('/v1/docs/others/head')).status, 200)
})

t.test('a jti of 256 characters of any kind can be revoked; a longer one is 400', async (t) => {
  for (const jti of ['x'.repeat(256), 'a/b?c#d e', '𝕊ü\u0001', '%']) {
    t.equal((await api.post(`${tokens}/${encodeURIComponent(jti)}/revoke`)).status, 204, jti)
  }
  t.equal((await api.post(`${tokens}/${'x'.repeat(257)}/revoke`)).status, 400)
  t.equal((await api.post(`${tokens}/x/revoke`, { expiresAtSeconds: 0 })).status, 400)
})
