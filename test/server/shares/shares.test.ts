// Shares: management of grants by their tenant, and sessions for browsers, with the order of all checks.
import { decodeJwt } from 'jose'
import t from 'tap'
import { limits } from '../../../server/limits.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import type { Answer } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api, clock } = server
const docId = await server.upload(onePage('0 0 100 100 re f'), { docId: 'report' })
const second = await server.upload(onePage('0 0 50 50 re f'), { docId: 'minutes' })
await server.upload(onePage('0 0 50 50 re f'), { tenantId: 'other', docId: 'others' })
const shares = '/v1/tenants/acme/shares'
const anyone = api.as(undefined)
const origin = 'https://app.example.com'

const share = async (more: object = {}): Promise<string> =>
  (await api.post(shares, { docId, scope: ['doc.open', 'doc.render'], ...more }).then(done)).word('/share/id')
const exchange = (shareToken: string, body: object = {}, headers: Readonly<Record<string, string>> = { origin }) =>
  anyone.post('/v1/share-sessions', { shareToken, ...body }, headers)
const outcome = ({ status, code }: Answer) => `${status} ${code}`
const unknownToken = `shr_${'x'.repeat(24)}`

t.test('a grant has the defaults of the contract, and never shows its passphrase', async (t) => {
  const answer = await api.post(shares, { docId, scope: ['doc.open'], password: 'open sesame' })
  t.equal(answer.status, 200)
  t.match(answer.json(), {
    share: {
      id: /^shr_[A-Za-z0-9_-]{24}$/,
      tenantId: 'acme',
      docId,
      layerName: 'default',
      scope: ['doc.open'],
      origins: null,
      passwordProtected: true,
      sessionTtlSeconds: 600,
      disabled: false,
      expiresAt: null,
      exchangeCount: 0,
      lastExchangedAt: null,
      createdBy: 'api',
    },
  })
  t.notMatch(answer.text, /scrypt|sesame|passwordHash/)
  const found = await api.get(`${shares}/${answer.word('/share/id')}`)
  t.strictSame(found.json(), answer.json())
})

t.test('a grant needs a document of the tenant, a valid scope and valid origins', async (t) => {
  const request = { docId, scope: ['doc.open'] }
  const outcomes = [
    [{ ...request, docId: 'nothing' }, '404 NotFound'],
    [{ ...request, docId: 'others' }, '404 NotFound'],
    [{ ...request, scope: ['doc.everything'] }, '400 InvalidArg'],
    [{ ...request, scope: [] }, '400 InvalidArg'],
    [{ ...request, origins: [] }, '400 InvalidArg'],
    [{ ...request, origins: ['https://example.com/path'] }, '400 InvalidArg'],
    [{ ...request, sessionTtlSeconds: 59 }, '400 InvalidArg'],
    [{ ...request, sessionTtlSeconds: 3601 }, '400 InvalidArg'],
    [{ ...request, password: '' }, '400 InvalidArg'],
    [{ ...request, password: 'x'.repeat(1025) }, '400 InvalidArg'],
  ] as const
  for (const [body, expected] of outcomes)
    t.equal(outcome(await api.post(shares, body)), expected, JSON.stringify(body).slice(0, 100))
})

t.test("another tenant's grant is not found, with any path and token", async (t) => {
  const id = await share()
  const backend = api.as(await server.tenantToken('other', ['shares.manage']))
  const path = `/v1/tenants/other/shares/${id}`
  for (const client of [api, backend]) {
    t.equal(outcome(await client.get(path)), '404 NotFound')
    t.equal(outcome(await client.patch(path, { disabled: true })), '404 NotFound')
    t.equal(outcome(await client.delete(path)), '404 NotFound')
  }
})

t.test('grants are listed newest first, of the tenant or of one document, page by page', async (t) => {
  const ids = [await share({ docId: second }), await share(), await share({ docId: second })].reverse()
  const all = listed(await api.get(shares))
  t.strictSame(all.slice(0, 3), ids)
  t.strictSame(listed(await api.get(`${shares}?docId=${second}`)), [ids[0], ids[2]])
  const first = await api.get(`${shares}?limit=2&docId=${second}`)
  t.equal(first.at('/nextCursor'), null)
  const page = await api.get(`${shares}?limit=1`)
  t.strictSame(listed(page), ids.slice(0, 1))
  t.strictSame(listed(await api.get(`${shares}?limit=2&cursor=${page.word('/nextCursor')}`)), ids.slice(1, 3))
  t.strictSame(listed(await api.get(`${shares}?docId=others`)), [], "another tenant's document has none here")
})

t.test('a session is a document token with the scope, layer, origins and lifetime of the grant', async (t) => {
  const origins = ['https://*.example.com']
  const id = await share({ layerName: 'draft', origins, sessionTtlSeconds: 60 })
  const answer = await exchange(id)
  t.equal(answer.status, 200)
  t.match(answer.json(), { docId, layerName: 'draft' })
  const token = answer.word('/token')
  const { iat = 0, exp = 0, ...claims } = decodeJwt(token)
  t.match(claims, {
    tenant_id: 'acme',
    doc_id: docId,
    layer_name: 'draft',
    scope: ['doc.open', 'doc.render'],
    origins,
  })
  t.equal(exp, answer.at('/expiresAt'))
  t.equal(exp - iat, 60)
  const viewer = api.as(token)
  t.equal((await viewer.get(`/v1/docs/${docId}/head`, { origin })).status, 200)
  t.equal((await viewer.get(`/v1/docs/${docId}/head`, { origin: 'https://evil.test' })).status, 403)
  t.equal((await viewer.get(`/v1/docs/${docId}/layers/default/manifest`, { origin })).status, 403, 'another layer')
  t.equal((await viewer.get(`/v1/docs/${docId}/layers/draft/download`, { origin })).status, 403, 'outside the scope')
  const { sub } = decodeJwt((await exchange(id)).word('/token'))
  t.not(sub, claims.sub, 'every exchange is somebody of its own')
})

t.test('exchanges are counted, each as one view of the month', async (t) => {
  const id = await share()
  const views = async () => Number((await api.get('/v1/tenants/acme/usage')).at('/metrics/pdf.views'))
  const before = await views()
  const tokens = await Promise.all([exchange(id), exchange(id), exchange(id)])
  for (const session of tokens) {
    await api.as(session.word('/token')).get(`/v1/docs/${docId}/layers/default/manifest`).then(done)
  }
  t.equal((await views()) - before, 3, 'a manifest read of a session is not counted again')
  const { exchangeCount, lastExchangedAt } = Object((await api.get(`${shares}/${id}`)).at('/share'))
  t.equal(exchangeCount, 3)
  t.ok(Math.abs(Number(lastExchangedAt) - clock.now()) < 60_000)
})

t.test('checks have the order of the contract: the first failing check is reported', async (t) => {
  const origins = ['https://elsewhere.example']
  const everything = { origins, password: 'right', expiresAt: clock.now() + 60_000 }
  const id = await share(everything)
  t.equal(outcome(await exchange(id, {}, {})), '403 OriginRequired', 'a missing Origin is checked first')
  t.equal(outcome(await exchange(unknownToken, {}, {})), '403 OriginRequired', 'also for an unknown share')
  t.equal(outcome(await exchange(id)), '403 OriginNotAllowed', 'origin before passphrase')
  clock.advance(1000)
  await api.patch(`${shares}/${id}`, { expiresAt: clock.now() - 500 }).then(done)
  t.equal(outcome(await exchange(id)), '410 ShareExpired', 'expiry before origin')
  await api.patch(`${shares}/${id}`, { disabled: true }).then(done)
  t.equal(outcome(await exchange(id)), '404 NotFound', 'disabled before expiry')
})

t.test('responses for unknown, malformed, disabled, deleted and suspended shares are identical', async (t) => {
  const disabled = await share({ password: 'secret' })
  await api.patch(`${shares}/${disabled}`, { disabled: true }).then(done)
  const deleted = await share()
  t.equal((await api.delete(`${shares}/${deleted}`)).status, 204)
  const otherDocument = await server.upload(onePage('0 0 1 1 re f'), { docId: 'short-lived' })
  const orphaned = await share({ docId: otherDocument })
  await api.delete(`/v1/tenants/acme/documents/${otherDocument}`).then(done)
  const suspended = (await api.post('/v1/tenants/other/shares', { docId: 'others', scope: ['doc.open'] })).word(
    '/share/id',
  )
  await api.post('/v1/tenants/other/suspend').then(done)
  const { text, status } = await exchange(unknownToken)
  t.equal(status, 404)
  for (const token of [disabled, deleted, orphaned, suspended, 'no token at all', '']) {
    const answer = await exchange(token, { password: 'secret' })
    t.equal(answer.text, text)
    t.equal(answer.status, 404)
  }
  await api.post('/v1/tenants/other/resume').then(done)
  t.equal((await exchange(suspended)).status, 200, 'shares of a resumed tenant work again')
})

t.test('a missing and a wrong passphrase are answered alike; the right one is accepted in NFC and NFD', async (t) => {
  const id = await share({ password: 'caf\u00e9' })
  const none = await exchange(id)
  t.equal(outcome(none), '422 SharePasswordRequired')
  t.equal((await exchange(id, { password: 'wrong' })).text, none.text)
  t.equal((await exchange(id, { password: 'cafe\u0301' })).status, 200)
  await api.patch(`${shares}/${id}`, { password: null }).then(done)
  t.equal((await exchange(id)).status, 200, 'null clears it')
})

t.test('attempts are limited per share and address, before any hash is computed', async (t) => {
  const id = await share({ password: 'right' })
  const guesses = Array.from({ length: limits.shareAttemptsPerMinute + 20 }, () => exchange(id, { password: 'wrong' }))
  const outcomes = (await Promise.all(guesses)).map(outcome).sort()
  t.equal(outcomes.filter((one) => one === '422 SharePasswordRequired').length, limits.shareAttemptsPerMinute)
  t.equal(outcomes.filter((one) => one === '429 TooManyRequests').length, 20)
  const late = await exchange(id, { password: 'right' })
  t.equal(outcome(late), '429 TooManyRequests', 'also with the right passphrase')
  t.ok(Number(late.headers.get('retry-after')) >= 1)
  clock.advance(61_000)
  t.equal((await exchange(id, { password: 'right' })).status, 200)
})

t.test('revoking a grant stops exchanges at once; existing sessions are valid until they expire', async (t) => {
  const id = await share()
  const viewer = api.as((await exchange(id).then(done)).word('/token'))
  await api.delete(`${shares}/${id}`).then(done)
  t.equal(outcome(await exchange(id)), '404 NotFound')
  t.equal((await viewer.get(`/v1/docs/${docId}/head`)).status, 200)
  clock.advance(601_000)
  t.equal((await viewer.get(`/v1/docs/${docId}/head`)).status, 401)
})

t.test('a grant expires at its time', async (t) => {
  const id = await share({ expiresAt: clock.now() + 60_000 })
  const session = await exchange(id).then(done)
  t.ok(Number(session.at('/expiresAt')) <= (clock.now() + 60_000) / 1000, 'no session outlives its share')
  clock.advance(60_000)
  t.equal(outcome(await exchange(id)), '410 ShareExpired')
})

t.test('a misspelt member is refused, instead of creating a share with fewer restrictions', async (t) => {
  const before = (await api.get(shares)).text
  const cases = [
    [{ origin: ['https://a.example'] }, /body \/origin is unknown; did you mean "origins"/],
    [{ passphrase: 'geheim' }, /\/passphrase is unknown; did you mean "password"/],
    [{ expiresat: clock.now() + 1e6 }, /\/expiresat is unknown; did you mean "expiresAt"/],
    [{ origins: ['app.example.com'] }, /must look like "https:\/\/app\.example\.com"/],
    [{ docId: 'my report' }, /docId must look like "report-2026"/],
  ] as const
  for (const [wrong, reported] of cases) {
    const answer = await api.post(shares, { docId, scope: ['doc.open'], ...wrong })
    t.equal(outcome(answer), '400 InvalidArg', JSON.stringify(wrong))
    t.match(answer.word('/error/message'), reported)
  }
  t.equal((await api.get(shares)).text, before)
  const id = await share()
  t.equal(outcome(await api.patch(`${shares}/${id}`, { Disabled: true })), '400 InvalidArg')
  t.equal(
    outcome(await anyone.post('/v1/share-sessions', { shareToken: id, pasword: 'x' }, { origin })),
    '400 InvalidArg',
  )
})

t.test('null equals absent when a share is created', async (t) => {
  const answer = await api.post(shares, { docId, scope: ['doc.open'], origins: null, password: null, expiresAt: null })
  t.match(answer.at('/share'), { origins: null, passwordProtected: false, expiresAt: null })
})

t.test('expiresAt must be in the future, so that seconds instead of milliseconds are refused', async (t) => {
  const inSeconds = { expiresAt: Math.floor(clock.now() / 1000) + 3600 }
  const made = await api.post(shares, { docId, scope: ['doc.open'], ...inSeconds })
  t.equal(outcome(made), '400 InvalidArg')
  t.match(made.word('/error/message'), /1970-01-\d\d.*milliseconds/)
  t.equal(outcome(await api.post(shares, { docId, scope: ['doc.open'], expiresAt: clock.now() - 1 })), '400 InvalidArg')
  const id = await share()
  t.equal(outcome(await api.patch(`${shares}/${id}`, inSeconds)), '400 InvalidArg')
  t.equal((await api.get(`${shares}/${id}`)).at('/share/expiresAt'), null)
})

t.test('members absent from an update stay unchanged', async (t) => {
  const id = await share({ origins: ['https://a.example'], sessionTtlSeconds: 90, password: 'x' })
  const before = Object((await api.get(`${shares}/${id}`)).at('/share'))
  const after = (await api.patch(`${shares}/${id}`, { scope: ['doc.open'] })).at('/share')
  t.match(after, { ...before, scope: ['doc.open'], updatedAt: Number })
  t.match((await api.patch(`${shares}/${id}`, { origins: null })).at('/share'), {
    origins: null,
    passwordProtected: true,
  })
  t.equal(outcome(await api.patch(`${shares}/${id}`, { scope: ['nonsense'] })), '400 InvalidArg')
})

t.test('CORS preflights of the exchange and of document routes are answered', async (t) => {
  const wanted =
    'authorization,content-type,idempotency-key,last-event-id,x-engine-session-id,x-fern-language,x-document-password'
  for (const path of ['/v1/share-sessions', `/v1/docs/${docId}/layers/default/manifest`]) {
    const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': wanted }
    const answer = await anyone.send(path, { method: 'OPTIONS', headers })
    t.equal(answer.status, 204)
    t.equal(answer.headers.get('access-control-allow-origin'), origin)
    t.match(answer.headers.get('access-control-allow-methods'), /POST/)
    for (const name of wanted.split(','))
      t.match(answer.headers.get('access-control-allow-headers')?.toLowerCase(), name)
    t.equal(answer.headers.get('access-control-allow-credentials'), null, 'cookies are not used')
  }
  const refused = await exchange(unknownToken)
  t.equal(refused.headers.get('access-control-allow-origin'), origin, 'scripts can read the refusal')
  t.match(refused.headers.get('access-control-expose-headers'), /Retry-After/)
})

t.test('the log contains no secrets of shares', async (t) => {
  t.notMatch(server.log(), /sesame|right|secret|scrypt\$|eyJ/)
})

function listed(answer: Answer): readonly unknown[] {
  const found = answer.at('/shares')
  return (Array.isArray(found) ? found : []).map(({ id }) => id)
}
