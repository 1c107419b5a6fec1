// The log of reads: who saw what of a document, for tenants that switched it on.
import { Writable } from 'node:stream'
import t from 'tap'
import { operations } from '../../server/api/index.js'
import { readKindOf } from '../../server/api/note-read.js'
import { csvLine } from '../../server/documents/csv.js'
import { buildApp } from '../../server/lifecycle/app.js'
import { openDeployment } from '../../server/lifecycle/open-deployment.js'
import { readLogLimits } from '../../server/read-log/read-log.js'
import { readSettings } from '../../server/settings/settings.js'
import { transact } from '../../server/storage/transaction.js'
import { scratchFolder } from '../cli/scratch.js'
import { eventually } from '../support/eventually.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { builtThread } from '../support/worker-thread.js'
import { Client } from './support/client.js'
import { done, MovableClock, makers } from './support/running-server.js'

const clock = new MovableClock()
const config = { ...(await readSettings({ flags: {}, env: {} })), port: 0, threads: 1, data: scratchFolder(t, 'data') }
const logTo = new Writable({ write: (_chunk, _encoding, written) => written() })
const { deployment, apiToken, close } = await openDeployment(config, {
  env: {},
  logTo,
  thread: await builtThread(),
  clock,
})
const app = await buildApp(deployment, { logger: deployment.log, version: '0.0.0-test' })
t.teardown(async () => {
  await app.close()
  await close()
})
const api = new Client(await app.listen({ port: 0, host: '127.0.0.1' }), apiToken)
const server = { ...makers(api), deployment }
await api.post('/v1/tenants', { id: 'acme' }).then(done)
const switched = (auditReads: boolean) =>
  api.send('/v1/tenants/acme', { method: 'PATCH', json: { auditReads } }).then(done)

const page = onePage('BT /F1 12 Tf (secret words) Tj ET')

interface Entry {
  readonly id: number
  readonly kind: string
  readonly sub: string | null
  readonly share: string | null
  readonly address: string
  readonly count: number
  readonly pages: readonly number[]
  readonly layerName: string | null
  readonly ts: number
  readonly lastTs: number
}

async function reads(docId: string, query = ''): Promise<readonly Entry[]> {
  const answer = await api.get(`/v1/tenants/acme/documents/${docId}/reads${query}`).then(done)
  return (JSON.parse(answer.text) as { readonly entries: readonly Entry[] }).entries
}

async function asReader(docId: string, scope: readonly string[], sub = 'ada') {
  return api.as(await server.documentToken(docId, scope, { sub, expiresIn: 3600 }))
}

t.test('it is off until the tenant switches it on, and off again after', async (t) => {
  const docId = await server.upload(page)
  const reader = await asReader(docId, ['doc.open'])
  const look = () => reader.get(`/v1/docs/${docId}/layers/default/manifest`).then(done)
  await look()
  t.strictSame(await reads(docId), [])
  t.equal((await switched(true)).word('/tenant/id'), 'acme')
  t.match(JSON.parse((await api.get('/v1/tenants/acme')).text), { tenant: { auditReads: true } })
  await look()
  t.match(await reads(docId), [{ kind: 'opened', sub: 'ada', count: 1 }])
  await switched(false)
  await look()
  t.match(await reads(docId), [{ count: 1 }])
  await switched(true)
})

t.test('what a reader saw is named by kind, page, subject and address, and joined within minutes', async (t) => {
  const docId = await server.upload(page)
  const reader = await asReader(docId, ['doc.open', 'doc.render', 'doc.text.copy', 'doc.download', 'doc.print'])
  const layer = `/v1/docs/${docId}/layers/default`
  await reader.get(`${layer}/manifest`).then(done)
  for (let times = 0; times < 3; times++)
    await reader.get(`${layer}/render/pages/obj:3/data?viewport.kind=width&viewport.width=50`).then(done)
  await reader.get(`${layer}/text/pages/obj:3/data`).then(done)
  await reader.get(`${layer}/download`).then(done)
  await reader.send(`${layer}/printed`, { method: 'POST' }).then(done)
  t.equal((await reader.get(`${layer}/form`)).status, 403)
  const found = await reads(docId)
  t.strictSame(found.map(({ kind, count, pages }) => [kind, count, pages]).sort(), [
    ['downloaded', 1, []],
    ['opened', 1, []],
    ['printed', 1, []],
    ['shown', 3, [3]],
    ['text', 1, [3]],
  ])
  t.ok(
    found.every(
      ({ sub, address, share, layerName }) =>
        `${sub} ${address} ${share} ${layerName}` === 'ada 127.0.0.1 null default',
    ),
  )
  t.equal((await reads(docId, '?kind=shown')).length, 1)
  t.equal((await reads(docId, '?sub=bob')).length, 0)
  clock.advance(readLogLimits.joinedMs)
  await reader.get(`${layer}/manifest`).then(done)
  t.match(await reads(docId, '?kind=opened'), [{ count: 1 }, { count: 1 }])
  const before = await reads(docId)
  t.ok(before.every(({ ts, lastTs }) => ts <= lastTs))
  t.ok(
    before.every(({ id }, index) => index === 0 || id < (before[index - 1]?.id ?? 0)),
    'newest first',
  )
})

t.test('visitors of a share are known by the share, and a wrong passphrase is recorded', async (t) => {
  const docId = await server.upload(page)
  const made = await api
    .post('/v1/tenants/acme/shares', { docId, scope: ['doc.open'], password: 'open sesame' })
    .then(done)
  const shareToken = made.word('/share/id')
  const visitor = api.as(undefined)
  const enter = (password?: string) =>
    visitor.post(
      '/v1/share-sessions',
      { shareToken, ...(password ? { password } : {}) },
      { origin: 'https://a.example' },
    )
  t.equal((await enter()).status, 422)
  t.equal((await enter('wrong')).status, 422)
  const session = await enter('open sesame').then(done)
  await api.as(session.word('/token')).get(`/v1/docs/${docId}/layers/default/manifest`).then(done)
  const found = await reads(docId)
  t.match(found, [
    { kind: 'opened', sub: /^share-/, count: 1 },
    { kind: 'passphrase-refused', sub: null, count: 1, address: '127.0.0.1' },
  ])
  const [share] = found.map((entry) => entry.share)
  t.equal(share, shareToken.slice(0, readLogLimits.shareCharacters), 'enough to recognise it')
  t.notOk(JSON.stringify(found).includes(shareToken), 'and not to open it')
  t.notMatch(JSON.stringify(found), /sesame|wrong/)
})

t.test('every read of a document has a kind', async (t) => {
  const unread = operations
    .filter(({ plane, method }) => plane === 'document' && method === 'GET')
    .filter((operation) => readKindOf(operation) === undefined)
  t.strictSame(unread, [])
  const giving = operations.filter(
    ({ authority }) => authority.kind === 'document' && authority.capabilities.includes('doc.download'),
  )
  t.strictSame(
    giving.filter((operation) => readKindOf(operation) !== 'downloaded').map(({ name }) => name),
    [],
  )
})

t.test('it is exported as CSV and NDJSON, and so are the changes; no cell is a formula', async (t) => {
  const docId = await server.upload(page)
  const sub = '=HYPERLINK("https://evil.example","a")'
  const reader = await asReader(docId, ['doc.open', 'doc.pages.modify', 'doc.pages.assemble'], sub)
  await reader.get(`/v1/docs/${docId}/layers/default/manifest`).then(done)
  await api
    .post(`/v1/docs/${docId}/layers/default/pages/rotate`, {
      pages: [{ kind: 'objectNumber', objectNumber: 3 }],
      rotation: 90,
    })
    .then(done)
  const exported = async (query: string) =>
    api.get(`/v1/tenants/acme/documents/${docId}/audit/export?${query}`).then(done)
  const csv = await exported('format=csv&log=reads')
  t.match(csv.headers.get('content-type'), /^text\/csv/)
  t.match(csv.headers.get('content-disposition'), /attachment; filename="reads\.csv"/)
  const [head, line = ''] = csv.text.split('\r\n')
  t.equal(head, 'id,time,lastTime,kind,count,sub,share,address,layerName,pages')
  t.match(line, `,opened,1,"'=HYPERLINK(""https://evil.example"",""a"")",,127.0.0.1,default,`)
  const lines = (await exported('format=ndjson&log=reads')).text.trimEnd().split('\n')
  t.match(
    lines.map((one) => JSON.parse(one)),
    [{ kind: 'opened', sub, address: '127.0.0.1' }],
  )
  t.match(
    (await exported('format=csv')).text,
    /^id,time,sub,kind[^\n]*\r\n1,2\d{3}-[^\n]*,api,pages\.rotate,default,3,3,/,
  )
  t.match(JSON.parse((await exported('format=ndjson&log=changes')).text), { kind: 'pages.rotate', sub: 'api' })
})

t.test('no cell of CSV is a formula, whatever a spreadsheet passes over or takes for a separator', async (t) => {
  for (const [text, cell] of [
    ['=1', "'=1"],
    [' =1', `" '=1"`],
    ['\n=1', `"\n'=1"`],
    ['\u200b@x', "\u200b'@x"],
    ['\uff1d1', "'\uff1d1"],
    ['a;=1;-2', `"a;'=1;'-2"`],
    ['a\t+1', `"a\t'+1"`],
    ['a-1 = b', '"a-1 = b"'],
  ] as const)
    t.equal(csvLine([text]), `${cell}\r\n`)
  t.equal(csvLine([1, [3, 4], null]), '1,"3 4",\r\n')
})

t.test('the log of a document keeps a bounded number of rows, the newest', async (t) => {
  const docId = await server.upload(page)
  const layer = `/v1/docs/${docId}/layers/default/manifest`
  const reader = await asReader(docId, ['doc.open'])
  await reader.get(layer).then(done)
  await reads(docId)
  // As if all but the last rows had been written.
  const { tables } = server.deployment
  const { tenant, document } = (await tables.documentIds.get([docId])) ?? { tenant: '', document: '' }
  await transact(server.deployment, async (transaction) => {
    const slot = tables.readLogs.at([tenant, document])
    await transaction.read(slot)
    transaction.put(slot, { next: readLogLimits.rowsMax + 1 })
  })
  t.equal((await reads(docId)).length, 1)
  clock.advance(readLogLimits.joinedMs)
  await reader.get(layer).then(done)
  t.match(await reads(docId), [{ id: readLogLimits.rowsMax + 1 }], 'the first has made room')
})

t.test('it is erased with its document, and with its tenant', async (t) => {
  const docId = await server.upload(page)
  const reader = await asReader(docId, ['doc.open'])
  await reader.get(`/v1/docs/${docId}/layers/default/manifest`).then(done)
  t.equal((await reads(docId)).length, 1)
  const { tables } = server.deployment
  const { tenant, document } = (await tables.documentIds.get([docId])) ?? { tenant: '', document: '' }
  const stored = async (...place: readonly [string] | readonly [string, string]) => {
    let count = 0
    for await (const _ of tables.reads.range(place)) count += 1
    return count
  }
  t.equal(await stored(tenant, document), 1)
  // A read in the last second, whose row is not written yet.
  await reader.get(`/v1/docs/${docId}/layers/default/layout`)
  await api.send(`/v1/tenants/acme/documents/${docId}`, { method: 'DELETE' }).then(done)
  await server.deployment.readLog.flush()
  await eventually(async () => (await stored(tenant, document)) === 0)
  t.ok((await stored(tenant)) > 0)
  await api.send('/v1/tenants/acme', { method: 'DELETE' }).then(done)
  await eventually(async () => (await stored(tenant)) === 0)
})
