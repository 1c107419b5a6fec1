// Analysis of changes over HTTP: responses for layers and versions, and their caching.
import t from 'tap'
import { formPdf, named } from '../../support/pdf/form-pdf.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes } from '../changes/support/changing.js'
import { done, runServer } from '../support/running-server.js'
import { field, sign } from './support/signing.js'

/** Version of the rules, which answers carry: whoever changes a rule increments it, here too. */
const policyVersion = 3
const { api, upload } = await runServer(t)
const page = { kind: 'objectNumber', objectNumber: 3 }
const square = {
  type: 'annotations.create',
  page,
  data: { subtype: 'square', box: { x: 1, y: 2, width: 3, height: 4 } },
}
const value = { type: 'forms.setValue', field: named('plain'), value: { value: 'filled' } }
const remove = { type: 'forms.delete', field: named('multi') }

async function signed(certify?: object) {
  const docId = await upload(formPdf())
  const client = { api, docId }
  const completed = await sign(client, { ...field('sign'), ...certify })
  const ofLayer = (query: string) => api.get(`${layerPath(client)}/signatures/analysis?${query}`)
  const sha = completed.word('/version/sha256')
  const ofVersion = (query: string) => api.get(`/v1/docs/${docId}/versions/analysis/${sha}?${query}`)
  const edit = async (opId: string, op: object) =>
    t.same(outcomes(await change(api, client, { opId, ops: [op] })), ['applied'])
  return { docId, client, ofLayer, ofVersion, edit }
}

t.test('a layer is judged with its edits as the last revision, and anew after each', async (t) => {
  const { ofLayer, edit } = await signed()
  const first = 'since.signature=0'
  const verdicts: unknown[] = []
  const note = async () => {
    const answer = await ofLayer(first).then(done)
    t.ok(answer.bytes.equals((await ofLayer(first)).bytes), 'the same again')
    t.equal(answer.headers.get('cache-control'), 'no-store')
    verdicts.push([answer.at('/verdict'), answer.at('/later/revisionCount'), answer.at('/basis/editsVersion')])
  }
  await note()
  await edit('square', square)
  await note()
  await edit('value', value)
  await note()
  t.match((await ofLayer(`${first}&level=fill`)).json(), { mode: 'exploratory', verdict: 'forbidden' })
  const whole = (await ofLayer(`${first}&detail=full`)).json()
  t.ok(Object(whole).current.findings.every((one: { verdict: string }) => one.verdict === 'permitted'))
  await edit('remove', remove)
  await note()
  t.same(verdicts, [
    ['unchanged', 0, 1],
    ['permitted', 1, 2],
    ['permitted', 1, 3],
    ['forbidden', 1, 4],
  ])
})

t.test('what an office program refers to in the trailer stays undefined when a document is signed again', async (t) => {
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 90 90]>>'
  const objects = { 1: '<</Type/Catalog/Pages 2 0 R>>', 2: '<</Type/Pages/Kids[3 0 R]/Count 1>>', 3: page }
  const docId = await upload(rawPdf(objects, { trailer: '/AdditionalStreams[/office 4 0 R]' }))
  const client = { api, docId }
  await sign(client, field('first'))
  await sign(client, field('second'))
  const analysis = await api.get(`${layerPath(client)}/signatures/analysis?since.signature=0`).then(done)
  t.equal(analysis.at('/verdict'), 'permitted')
})

t.test('a version is judged by its bytes, whatever the layers have', async (t) => {
  const { ofVersion, edit, client } = await signed()
  const query = 'since.signature=0'
  const before = await ofVersion(query).then(done)
  await edit('remove', remove)
  t.ok((await ofVersion(query)).bytes.equals(before.bytes))
  t.match(before.json(), { verdict: 'unchanged', policyVersion, basis: { editsVersion: 0, source: 'persisted' } })
  t.equal(before.headers.get('cache-control'), 'no-store', 'the next policy may judge otherwise')
  const ofPolicy = await ofVersion(`${query}&policy=${policyVersion}`).then(done)
  t.ok(ofPolicy.bytes.equals(before.bytes))
  t.equal(ofPolicy.headers.get('cache-control'), 'private, max-age=31536000, immutable')
  t.equal((await ofVersion(`${query}&policy=${policyVersion + 1}`)).status, 404)
  const upload = await ofVersion('since.revision=0&until=1').then(done)
  t.match(upload.json(), { since: { revisionIndex: 0, signatureIndex: null }, until: { revisionIndex: 1 } })
  for (const [query, status] of [
    ['', 400],
    ['since.signature=0&since.revision=0', 400],
    ['since.signature=9', 404],
    ['since.revision=9', 404],
    ['since.revision=1&until=0', 400],
    ['since.revision=0&until=9', 404],
    ['since.revision=0&level=all', 400],
    ['since.revision=-1', 400],
  ] as const) {
    t.equal((await ofVersion(query)).status, status, query)
  }
  t.equal((await api.get(`${layerPath(client)}/signatures/analysis?since.revision=0&until=1`)).status, 400)
})

t.test('what is pinned to a state of the layer is cached for ever, also by policy', async (t) => {
  const { client, docId, edit } = await signed()
  const layer = layerPath(client)
  const versionOf = async () => Number((await api.get(`${layer}/manifest`).then(done)).at('/docVersion'))
  const pinned = (version: number, policy = policyVersion) => [
    `${layer}/signatures@docVersion=${version}`,
    `${layer}/signatures/analysis@docVersion=${version},policy=${policy},since.signature=0`,
  ]
  const version = await versionOf()
  for (const path of pinned(version)) {
    const answer = await api.get(path).then(done)
    t.equal(answer.headers.get('cache-control'), 'private, max-age=31536000, immutable', path)
  }
  const whole = `${layer}/signatures/analysis@detail=full,docVersion=${version},level=fill,policy=${policyVersion},since.revision=0`
  t.match((await api.get(whole).then(done)).json(), { mode: 'exploratory', since: { revisionIndex: 0 } })
  await edit('square', square)
  const now = await versionOf()
  const [, ofNextPolicy = ''] = pinned(now, policyVersion + 1)
  for (const path of [...pinned(version), ofNextPolicy]) {
    const stale = await api.get(path)
    t.same([stale.status, stale.code, stale.headers.get('cache-control')], [404, 'NotFound', 'no-store'], path)
  }
  for (const path of pinned(now)) t.equal((await api.get(path)).status, 200, path)
  t.equal((await api.get(`${layer}/signatures/analysis@docVersion=${now},since.signature=0`)).status, 400)
  t.equal((await api.get(`${layer}/signatures/analysis@docVersion=${now},policy=${policyVersion}`)).status, 400)
  const ofBase = await api.get(`/v1/docs/${docId}/signatures@docVersion=${now}`)
  t.equal(ofBase.status, 404, 'a layer is what its signatures are of')
})
