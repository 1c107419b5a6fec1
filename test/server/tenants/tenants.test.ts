// Life cycle of tenants, and their usage.
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api, clock } = server
const pdf = onePage('0 0 100 100 re f')
const usageOf = async (tenantId: string, query = '') =>
  (await api.get(`/v1/tenants/${tenantId}/usage${query}`).then(done)).at('/metrics')

t.test('creating a tenant again returns the existing one unchanged', async (t) => {
  const first = await api.post('/v1/tenants', { id: 'twice', name: 'Twice' })
  t.equal(first.status, 200)
  t.match(first.json(), {
    created: true,
    tenant: { id: 'twice', name: 'Twice', status: 'active', autoProvisioned: false },
  })
  const second = await api.post('/v1/tenants', { id: 'twice', name: 'Another name' })
  t.strictSame(second.json(), { created: false, tenant: first.at('/tenant') })
  t.equal((await api.post('/v1/tenants', { id: 'nameless' })).at('/tenant/name'), 'nameless')
})

t.test('concurrent requests create one tenant', async (t) => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => api.post('/v1/tenants', { id: 'rush' })))
  t.strictSame(new Set(answers.map(({ status }) => status)), new Set([200]))
  t.equal(answers.filter((answer) => answer.at('/created') === true).length, 1)
})

t.test('a tenant id with other characters than letters, digits, _ and - is 400', async (t) => {
  for (const id of ['', 'a b', 'a/b', 'ü', 'a.b', 'x'.repeat(129), 7, null, undefined]) {
    const answer = await api.post('/v1/tenants', { id })
    t.equal(`${answer.status} ${answer.code}`, '400 InvalidArg', String(id))
  }
})

t.test('tenants are listed newest first, page by page, each once', async (t) => {
  for (const id of ['page-1', 'page-2', 'page-3', 'page-4', 'page-5']) await api.post('/v1/tenants', { id }).then(done)
  const all = idsOf((await api.get('/v1/tenants')).at('/tenants'))
  t.strictSame(all.slice(0, 5), ['page-5', 'page-4', 'page-3', 'page-2', 'page-1'])
  const seen: string[] = []
  let cursor: unknown = ''
  while (cursor !== null) {
    const page = await api.get(`/v1/tenants?limit=2${cursor ? `&cursor=${cursor}` : ''}`).then(done)
    const ids = idsOf(page.at('/tenants'))
    t.ok(ids.length === 2 || page.at('/nextCursor') === null, 'only the last page may be short')
    seen.push(...ids)
    cursor = page.at('/nextCursor')
  }
  t.strictSame(seen, all)
})

t.test('limits outside 1 to 200, and invalid cursors, are 400', async (t) => {
  for (const query of [
    'limit=0',
    'limit=201',
    'limit=-1',
    'limit=1.5',
    'limit=abc',
    'limit=',
    'limit=0x10',
    'cursor=',
    'cursor=%00',
    'limit=1&limit=2',
  ]) {
    const answer = await api.get(`/v1/tenants?${query}`)
    t.equal(`${answer.status} ${answer.code}`, '400 InvalidArg', query)
  }
  t.equal((await api.get('/v1/tenants?limit=200')).status, 200)
  const misspelt = await api.get('/v1/tenants?limi=1')
  t.equal(misspelt.status, 400)
  t.match(misspelt.word('/error/message'), /limi is unknown; did you mean "limit"/)
})

t.test('an unknown tenant is 404 for the API token', async (t) => {
  const calls = [
    api.get('/v1/tenants/nobody'),
    api.delete('/v1/tenants/nobody'),
    api.post('/v1/tenants/nobody/suspend'),
  ]
  for (const answer of await Promise.all(calls)) t.equal(`${answer.status} ${answer.code}`, '404 NotFound')
})

t.test(
  'tokens of a suspended tenant are refused from the next request on, and accepted again once it is resumed',
  async (t) => {
    const docId = await server.upload(pdf, { tenantId: 'pause' })
    const viewer = api.as(await server.documentToken(docId, ['*'], { tenantId: 'pause' }))
    const backend = api.as(await server.tenantToken('pause', ['*']))
    const statuses = async () => [
      (await viewer.get(`/v1/docs/${docId}/head`)).status,
      (await backend.get('/v1/tenants/pause/documents')).status,
      (await api.get(`/v1/docs/${docId}/head`)).status,
    ]
    t.strictSame(await statuses(), [200, 200, 200])
    t.equal((await api.post('/v1/tenants/pause/suspend', { reason: 'unpaid' })).status, 204)
    t.equal((await api.get('/v1/tenants/pause')).at('/tenant/status'), 'suspended')
    t.strictSame(await statuses(), [403, 403, 200])
    t.equal((await api.post('/v1/tenants/pause/resume')).status, 204)
    t.strictSame(await statuses(), [200, 200, 200])
  },
)

t.test('a POST without members accepts an empty body, {} and no content type alike', async (t) => {
  await api.post('/v1/tenants', { id: 'silent' }).then(done)
  const json = { 'content-type': 'application/json' }
  for (const operation of ['suspend', 'resume']) {
    for (const sent of [{}, { headers: json }, { json: {} }, { headers: json, body: '' }]) {
      t.equal((await api.send(`/v1/tenants/silent/${operation}`, { method: 'POST', ...sent })).status, 204)
    }
  }
  const long = await api.post('/v1/tenants/silent/suspend', { reason: 'x'.repeat(1025) })
  t.equal(`${long.status} ${long.code}`, '400 InvalidArg')
})

t.test(
  'a deleted tenant and its documents are gone at once, and its tokens are invalid for a new tenant with the same id',
  async (t) => {
    const docId = await server.upload(pdf, { tenantId: 'phoenix', docId: 'ashes' })
    const backend = api.as(await server.tenantToken('phoenix', ['*']))
    const viewer = api.as(await server.documentToken(docId, ['*'], { tenantId: 'phoenix' }))
    t.equal((await api.delete('/v1/tenants/phoenix')).status, 204)
    t.equal((await api.get('/v1/tenants/phoenix')).status, 404)
    t.equal((await api.get(`/v1/docs/${docId}/head`)).status, 404)
    t.equal((await backend.get('/v1/tenants/phoenix/documents')).status, 401)
    t.equal((await viewer.get(`/v1/docs/${docId}/head`)).status, 401)
    t.equal((await api.delete('/v1/tenants/phoenix')).status, 404)

    t.match((await api.post('/v1/tenants', { id: 'phoenix' })).json(), { created: true })
    t.equal((await backend.get('/v1/tenants/phoenix/documents')).status, 401, 'also within the same second')
    t.strictSame((await api.get('/v1/tenants/phoenix/documents')).at('/documents'), [])
    t.strictSame(await usageOf('phoenix'), { 'pdf.views': 0, 'pdf.uploads': 0, 'storage.bytes': 0 })
  },
)

t.test('tokens of a deleted document are invalid for a new document with the same id', async (t) => {
  await server.upload(pdf, { docId: 'again' })
  const viewer = api.as(await server.documentToken('again', ['*']))
  t.equal((await viewer.get('/v1/docs/again/head')).status, 200)
  await api.delete('/v1/tenants/acme/documents/again').then(done)
  t.equal((await viewer.get('/v1/docs/again/head')).status, 401)
  await server.upload(pdf, { docId: 'again' })
  t.equal((await viewer.get('/v1/docs/again/head')).status, 401, 'also within the same second')
})

t.test('usage counts uploads, bytes, and each token that reads once per month', async (t) => {
  const docId = await server.upload(pdf, { tenantId: 'counted' })
  const second = await server.upload(onePage('1 1 50 50 re f'), { tenantId: 'counted' })
  const sizes = pdf.length + onePage('1 1 50 50 re f').length
  t.strictSame(await usageOf('counted'), { 'pdf.views': 0, 'pdf.uploads': 2, 'storage.bytes': sizes })

  const manifest = `/v1/docs/${docId}/layers/default/manifest`
  const one = api.as(await server.documentToken(docId, ['*'], { tenantId: 'counted', expiresIn: 7_776_000 }))
  const other = api.as(await server.documentToken(docId, ['*'], { tenantId: 'counted' }))
  await Promise.all([one, one, one, other].map((viewer) => viewer.get(manifest).then(done)))
  await one.get(`/v1/docs/${docId}/head`).then(done)
  await api.get(manifest).then(done)
  t.strictSame(await usageOf('counted'), { 'pdf.views': 2, 'pdf.uploads': 2, 'storage.bytes': sizes })

  await api.delete(`/v1/tenants/counted/documents/${second}`).then(done)
  t.strictSame(await usageOf('counted'), { 'pdf.views': 2, 'pdf.uploads': 2, 'storage.bytes': pdf.length })

  const thisMonth = new Date(clock.now()).toISOString().slice(0, 7)
  clock.advance(32 * 24 * 60 * 60 * 1000)
  await one.get(manifest).then(done)
  t.strictSame(await usageOf('counted'), { 'pdf.views': 1, 'pdf.uploads': 0, 'storage.bytes': pdf.length })
  t.match(await usageOf('counted', `?period=${thisMonth}`), { 'pdf.views': 2, 'pdf.uploads': 2 })
})

t.test('usage contains its month, and an invalid month is 400', async (t) => {
  const backend = api.as(await server.tenantToken('acme', ['docs.read']))
  const february = await backend.get('/v1/tenants/acme/usage?period=2024-02')
  t.match(february.json(), {
    tenantId: 'acme',
    periodStart: '2024-02-01T00:00:00.000Z',
    periodEnd: '2024-03-01T00:00:00.000Z',
  })
  for (const period of ['2024-13', '2024-00', '2024', '24-02', '2024-2', '0050-01', '2024-02-01', '', '2999-01']) {
    const answer = await backend.get(`/v1/tenants/acme/usage?period=${period}`)
    t.equal(`${answer.status} ${answer.code}`, '400 InvalidArg', period)
  }
})

t.test('a deployment without licensing reports that', async (t) => {
  const answer = await api.get('/v1/deployment/license/status')
  t.equal(answer.status, 200)
  t.match(answer.json(), { license: { status: 'unlicensed' }, reporting: null, usage: null })
})

function idsOf(tenants: unknown): readonly string[] {
  return (Array.isArray(tenants) ? tenants : []).map(({ id }: { readonly id: string }) => id)
}
