// A certification or lock made by this server limits every later change: ops and undos, of any credential, in every layer
// over the signed version. Manifest and list of signatures report it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { formPdf } from '../../support/pdf/form-pdf.js'
import { judged } from '../../support/pdf/judges.js'
import { onePage, rawPdf } from '../../support/pdf/raw-pdf.js'
import {
  docMdp,
  signatureDictionary,
  signedPdf,
  usageRights,
  withHybridUpdate,
  withRevision,
} from '../../support/pdf/signed-pdf.js'
import { change, changesIn, layerPath, outcomes, titled } from '../changes/support/changing.js'
import { done, runServer } from '../support/running-server.js'
import { signingSecret } from '../support/tokens.js'
import { field, sign } from './support/signing.js'

const { api, upload, documentToken } = await runServer(t, { env: { STEWARD_SIGNING_SECRET: signingSecret } })

const page = { kind: 'objectNumber', objectNumber: 3 }
const square = {
  type: 'annotations.create',
  page,
  data: { subtype: 'square', box: { x: 10, y: 10, width: 20, height: 20 } },
}
const freeText = {
  type: 'annotations.create',
  page,
  data: { subtype: 'free-text', box: { x: 10, y: 10, width: 80, height: 20 }, contents: 'Paid' },
}
const filled = { type: 'forms.setValue', field: { kind: 'fqn', name: 'plain' }, value: { value: 'x' } }
const filledPrice = { type: 'forms.setValue', field: { kind: 'fqn', name: 'price' }, value: { value: '2' } }

const otherText = { type: 'forms.setAppearanceText', field: { kind: 'fqn', name: 'plain' }, text: 'y' }

const refusal = 'ProtectedDocument'
const acts = { titled: titled('Other'), square, freeText, filled, otherText } as const

const permitted: Readonly<Record<1 | 2 | 3, readonly (keyof typeof acts)[]>> = {
  1: [],
  2: ['filled'],
  3: ['filled', 'square'],
}
const levels = { 1: 'lta', 2: 'fill', 3: 'annotate' } as const

for (const permission of [1, 2, 3] as const) {
  t.test(`a certification of level ${permission} decides what is written, whoever writes it`, async (t) => {
    const docId = await upload(formPdf())
    const before = await change(api, { docId, layerName: 'other' }, { opId: 'o', ops: [square] })
    t.same(outcomes(before), ['applied'], 'another layer has an edit')
    await sign({ api, docId }, { ...field('sign'), certify: { permission } })
    const token = api.as(await documentToken(docId, ['*']))
    for (const [who, client] of [
      ['the API token', api],
      ['a document token', token],
    ] as const) {
      for (const [name, op] of Object.entries(acts)) {
        const answer = await change(client, { docId }, { opId: `${who} ${name}`.replaceAll(' ', '-'), ops: [op] })
        const isPermitted = permitted[permission].some((one) => one === name)
        t.same(outcomes(answer), [isPermitted ? 'applied' : refusal], `${name} by ${who}`)
      }
    }
    const rotated = await api.post(`${layerPath({ docId })}/pages/rotate`, { pages: [page], rotation: 90 })
    t.equal(rotated.status, 403, 'a route of its own is refused with its status')
    t.equal(rotated.code, refusal)
    for (const layerName of ['default', 'new', 'other']) {
      const manifest = await api.get(`${layerPath({ docId, layerName })}/manifest`).then(done)
      t.match(manifest.at('/protection'), { enforced: levels[permission], certification: { permission } }, layerName)
      const answer = await change(api, { docId, layerName }, { opId: `t-${layerName}`, ops: [titled('Third')] })
      t.same(outcomes(answer), [refusal], `the layer ${layerName} is protected too`)
    }
    const analysis = await api
      .get(`${layerPath({ docId })}/signatures/analysis?since.signature=0&detail=full`)
      .then(done)
    t.equal(
      analysis.at('/verdict'),
      permission === 1 ? 'unchanged' : 'permitted',
      JSON.stringify(analysis.at('/current')),
    )
    const listed = await api.get(`${layerPath({ docId })}/signatures`).then(done)
    t.equal(listed.at('/protection/enforced'), levels[permission])
    t.equal(listed.at('/signatures/0/verification/integrity/verdict'), 'intact')
    t.equal(listed.at('/signatures/0/coverage'), 'whole-revision')
  })
}

t.test('inline annotations that a certification excludes stay as they are beside new ones', async (t) => {
  const link = '<</Type/Annot/Subtype/Link/Rect[10 10 40 40]/A<</S/URI/URI(https://a.example/)>>>>'
  const docId = await upload(onePage('% inline link', { page: `/Annots[${link}]` }))
  await sign({ api, docId }, { ...field('sign'), certify: { permission: 3 } })
  t.same(outcomes(await change(api, { docId }, { opId: 'square', ops: [square] })), ['applied'])
  const judged = await api.get(`${layerPath({ docId })}/signatures/analysis?since.signature=0`).then(done)
  t.equal(judged.at('/verdict'), 'permitted', judged.text)
  const { annotations } = Object((await api.get(`${layerPath({ docId })}/annotations/pages/obj:3/items`)).json())
  const { ref } = annotations.find((one: { readonly subtype: string }) => one.subtype === 'link')
  for (const op of [
    { type: 'annotations.update', ref, patch: { contents: 'Other' } },
    { type: 'annotations.delete', ref },
  ]) {
    t.same(outcomes(await change(api, { docId }, { opId: op.type, ops: [op] })), [refusal], op.type)
  }
})

t.test('a field that a signature locked is filled by nobody, and the others are', async (t) => {
  const docId = await upload(formPdf())
  await sign({ api, docId }, { ...field('sign'), lock: { action: 'include', fields: ['plain'] } })
  const answer = await change(api, { docId }, { opId: 'a', ops: [filled] }, { opId: 'b', ops: [filledPrice] })
  t.same(outcomes(answer), [refusal, 'applied'])
  t.match(changesIn(answer)[0], { error: { details: { field: 'plain' } } })
  t.same(
    outcomes(await change(api, { docId }, { opId: 'c', ops: [titled('Free')] })),
    ['applied'],
    'nothing else is locked',
  )
})

t.test(
  'filling a signed form that leaves drawing to readers draws nothing else, which no rule would permit',
  async (t) => {
    const docId = await upload(formPdf({ form: '/NeedAppearances true' }))
    const request = { ...field('sign'), certify: { permission: 2 }, lock: { action: 'include', fields: ['multi'] } }
    await sign({ api, docId }, request)
    t.same(outcomes(await change(api, { docId }, { opId: 'a', ops: [filled] })), ['applied'], 'beside a locked field')
    const analysis = await api.get(`${layerPath({ docId })}/signatures/analysis?since.signature=0`).then(done)
    t.equal(analysis.at('/verdict'), 'permitted', JSON.stringify(analysis.at('/current/primary')))
  },
)

t.test('the analysis forbids changes that no rule permits, even if the server accepted them', async (t) => {
  const docId = await upload(formPdf())
  const signed = await sign({ api, docId }, field('sign'))
  const sha = signed.word('/version/sha256')
  const turned = await api.post(`${layerPath({ docId })}/pages/rotate`, { pages: [page], rotation: 90 })
  t.equal(turned.status, 200, 'the document is signed, not certified')
  const analysis = await api.get(`${layerPath({ docId })}/signatures/analysis?since.signature=0`).then(done)
  t.equal(analysis.at('/verdict'), 'forbidden')
  t.equal(analysis.at('/mode'), 'authoritative')
  const version = (query: string) => api.get(`/v1/docs/${docId}/versions/analysis/${sha}?${query}`)
  t.equal(
    (await version('since.signature=0').then(done)).at('/verdict'),
    'unchanged',
    'the version is as it was signed',
  )
  t.equal((await version('since.revision=0&level=none').then(done)).at('/mode'), 'exploratory')
  t.equal((await version('since.revision=0&since.signature=0')).status, 400)
  t.equal((await version('')).status, 400)
  t.equal((await version('since.signature=7')).status, 404)
})

t.test(
  'the analysis of a version is one answer for every layer, and stays in caches only under its policy',
  async (t) => {
    const docId = await upload(formPdf())
    const signed = await sign({ api, docId }, field('sign'))
    const path = `/v1/docs/${docId}/versions/analysis/${signed.word('/version/sha256')}?since.signature=0`
    const first = await api.get(path).then(done)
    const policy = first.at('/policyVersion')
    await change(api, { docId, layerName: 'other' }, { opId: 'e', ops: [filled] })
    const again = await api.get(path).then(done)
    t.same(again.json(), first.json())
    t.equal(again.headers.get('etag'), first.headers.get('etag'))
    t.equal((await api.get(path, { 'if-none-match': first.headers.get('etag') ?? '' })).status, 304)
    t.equal(first.headers.get('cache-control'), 'no-store', 'another policy may judge otherwise')
    const named = await api.get(`${path}&policy=${policy}`).then(done)
    t.same(named.json(), first.json())
    t.match(named.headers.get('cache-control'), /immutable/)
    t.equal((await api.get(`${path}&policy=${Number(policy) + 1}`)).status, 404)
  },
)

t.test('the analysis of a layer follows its edits', async (t) => {
  const docId = await upload(formPdf())
  await sign({ api, docId }, field('sign'))
  const path = `${layerPath({ docId })}/signatures/analysis?since.signature=0&detail=full`
  const before = await api.get(path).then(done)
  await change(api, { docId }, { opId: 'fill', ops: [filled] })
  const after = await api.get(path).then(done)
  t.same([before.at('/verdict'), after.at('/verdict')], ['unchanged', 'permitted'])
  t.not(after.headers.get('etag'), before.headers.get('etag'))
  t.ok(Number(after.at('/basis/editsVersion')) > Number(before.at('/basis/editsVersion')))
  await change(api, { docId }, { opId: 'show', ops: [otherText] })
  t.equal((await api.get(path).then(done)).at('/verdict'), 'forbidden', 'a field shows another text than its value')
})

t.test('a refusal is stored, and an unsigned document shows no protection', async (t) => {
  const docId = await upload(onePage('% plain'))
  t.equal((await api.get(`${layerPath({ docId })}/manifest`).then(done)).at('/protection'), null)
  await sign({ api, docId }, { ...field('author'), certify: { permission: 1 } })
  const once = await change(api, { docId }, { opId: 'once', ops: [titled('A')] })
  const again = await change(api, { docId }, { opId: 'once', ops: [titled('A')] })
  t.same(changesIn(again), changesIn(once))
})

const fill = (docId: string, value: string) =>
  api.post(`${layerPath({ docId })}/form/fields/fqn:name/value`, { value: { value } })

/** No field has the signature. */
const objectsWithRights = {
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[7 0 R]>>/Perms<</UR3 6 0 R>>>>',
  2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[7 0 R]>>',
  6: signatureDictionary(usageRights),
  7: '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[10 10 90 30]/P 3 0 R/DA(/Helv 0 Tf 0 g)>>',
}
const withRights = rawPdf(objectsWithRights)
const damaged = (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('1')])

for (const [what, bytes] of [
  ['in a hybrid of Acrobat', withHybridUpdate(withRights, 8, 'between')],
  ['in a damaged file', damaged(withRights)],
] as const) {
  t.test(`usage rights restrict nobody, ${what}; the first change ends them and says so`, async (t) => {
    const docId = await upload(bytes)
    const filled = await fill(docId, 'Ada').then(done)
    t.equal(filled.at('/meta/usageRightsRemoved'), true)
    t.equal((await fill(docId, 'Bob').then(done)).at('/meta/usageRightsRemoved'), undefined, 'they are gone')
    const path = join(t.testdir(), 'file.pdf')
    writeFileSync(path, (await api.get(`${layerPath({ docId })}/download`).then(done)).bytes)
    const catalog = judged('qpdf', ['--show-object=1', path])
    t.notMatch(catalog, /UR3/)
    t.match(judged('qpdf', ['--show-object=7', path]), /Bob/)
    const signed = await sign({ api, docId }, { ...field('mine'), certify: { permission: 2 } })
    t.equal(signed.at('/protection/enforced'), 'fill', 'it is signed like any other')
    const other = await sign({ api, docId: await upload(bytes) }, field('mine'))
    t.equal(other.at('/meta/usageRightsRemoved'), true, 'so does a signature')
  })
}

t.test('more usage rights than anybody writes, in a damaged file, count as a signature', async (t) => {
  const more = Array.from({ length: 16 }, (_, index) => [8 + index, signatureDictionary(usageRights)])
  const docId = await upload(damaged(rawPdf({ ...objectsWithRights, ...Object.fromEntries(more) })))
  t.match((await fill(docId, 'Ada')).json(), { code: 'ProtectedDocument', details: { by: { source: 'unreadable' } } })
})

t.test('a refusal names the signature that forbids, by its field or its place', async (t) => {
  const certified = signedPdf({ catalog: '/Perms<</DocMDP 6 0 R>>', signature: docMdp(1) })
  const refused = await fill(await upload(certified), 'Ada')
  t.match(refused.json(), { message: /certification by the signature field "approval" permits no change/ })
  t.match(refused.json(), { details: { by: { source: 'certification', fieldName: 'approval', signatureIndex: 0 } } })
  const dropped = withRevision(certified, { 1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[7 0 R]>>>>' })
  t.match((await fill(await upload(dropped), 'Ada')).json(), { message: /"approval", which a later revision removed,/ })
  const at = certified.indexOf('/ByteRange')
  const unreadable = await fill(await upload(damaged(certified)), 'Ada')
  t.match(unreadable.json(), { message: new RegExp(`signature at byte ${at}`), details: { by: { offset: at } } })
  const locked = await upload(formPdf())
  await sign({ api, docId: locked }, { ...field('sign'), lock: { action: 'include', fields: ['plain'] } })
  const [answer] = changesIn(await change(api, { docId: locked }, { opId: 'a', ops: [filled] }))
  t.match(answer, { error: { message: /in the field "sign" has locked the field "plain"/ } })
})
