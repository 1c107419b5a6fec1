// Secrets are never logged, in whatever part of a request they are and whatever error occurs.
import t from 'tap'
import { onePage } from '../support/pdf/raw-pdf.js'
import { runServer } from './support/running-server.js'

const server = await runServer(t, { settings: { logLevel: 'debug' } })
const docId = await server.upload(onePage('0 0 100 100 re f'), { docId: 'report' })
const marker = 'hunter2hunter2hunter2'
const encodedMarker = Buffer.from(marker).toString('base64')
const layer = `/v1/docs/${docId}/layers/default`
const origin = 'https://app.example.com'

t.test('a secret in any header, path, query or body is not in the log, however the request ends', async (t) => {
  const { api } = server
  const share = await api.post('/v1/tenants/acme/shares', { docId, scope: ['doc.open'], password: marker })
  const shareToken = share.word('/share/id')
  const statuses = await Promise.all(
    [
      api.get(`${layer}/manifest`, { 'x-document-password': encodedMarker }),
      api.get(`${layer}/manifest`, { 'x-document-password': `${marker}!` }),
      api.as(marker).get(`${layer}/manifest`),
      api.as(marker).get(`/v1/nothing/${marker}`),
      api.get(`/v1/docs/${marker}/head`),
      api.get(`/v1/tenants?cursor=${marker}&${marker}=${marker}`),
      api.get(`${layer}/render/pages/obj:3/data?${marker}=1`),
      api.get(`${layer}/manifest@${marker}`),
      api.get('/healthz', { cookie: marker, 'x-api-key': marker, 'user-agent': marker, referer: `https://${marker}` }),
      api.post('/v1/share-sessions', { shareToken, password: marker }, { origin }),
      api.post('/v1/share-sessions', { shareToken, password: `not ${marker}` }, { origin }),
      api.post('/v1/share-sessions', { shareToken: marker, password: marker }, { origin: `https://${marker}.example` }),
      api.send('/v1/tenants', { method: 'POST', body: `{"${marker}`, headers: { 'content-type': 'application/json' } }),
      api.send('/v1/tenants', { method: 'POST', body: marker, headers: { 'content-type': 'text/plain' } }),
      api.post('/v1/tenants/acme/tokens', { kind: 'doc', sub: marker, docId, scope: [marker], expiresIn: 60 }),
      api.post('/v1/tenants/acme/documents/import', {
        source: { kind: 'url', url: `https://u:${marker}@127.0.0.1/${marker}` },
      }),
      api.post('/v1/tenants/acme/documents/import', {
        source: { kind: 'url', url: `https://${marker}.invalid/${marker}` },
      }),
      api.send(`/v1/tenants/acme/documents/${docId}/upload-proxy`, {
        method: 'POST',
        body: marker,
        headers: { 'content-type': `multipart/form-data; boundary=${marker}` },
      }),
    ].map(async (answer) => (await answer).status),
  )
  t.ok(
    statuses.every((status) => status < 500 || status === 502),
    statuses.join(),
  )
  const lines = server.log()
  t.ok(lines.split('\n').length > statuses.length, 'at least one log line per response')
  t.notMatch(lines, new RegExp(marker, 'i'))
  t.notMatch(lines, encodedMarker)
  t.notMatch(lines, server.apiToken)
  t.notMatch(lines, shareToken)
  t.notMatch(lines, docId)
})

const logged = (): unknown[] =>
  server
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

t.test('log lines name client, tenant, subject and request', async (t) => {
  const ada = server.api.as(await server.documentToken(docId, ['*'], { sub: 'ada' }))
  for (const [client, subject] of [
    [ada, 'ada'],
    [server.api, 'api'],
  ] as const) {
    const { headers } = await client.get(`${layer}/manifest`)
    t.match(logged().at(-1), {
      msg: 'answered',
      operation: 'doc.manifest',
      address: '127.0.0.1',
      tenant: 'acme',
      subject,
      reqId: headers.get('x-request-id'),
    })
  }
  await server.api.as(undefined).get('/healthz')
  t.match(logged().at(-1), { msg: 'answered', operation: 'none', tenant: undefined, subject: undefined })
})

t.test('log lines contain operation, status and duration, and those of refusals the caller', async (t) => {
  await server.api.as(undefined).get(`${layer}/manifest`)
  const records = logged()
  t.match(records.at(-2), {
    audit: 'refusal',
    operation: 'doc.manifest',
    caller: 'unknown',
    code: 'Unauthenticated',
    status: 401,
  })
  t.match(records.at(-1), { msg: 'answered', operation: 'doc.manifest', status: 401, ms: Number, reqId: String })
})
