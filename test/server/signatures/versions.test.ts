// Lists of signatures, contents, digests and revisions of versions, compared with what openssl computes from the bytes.
import { createHash } from 'node:crypto'
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes, titled } from '../changes/support/changing.js'
import { done, runServer } from '../support/running-server.js'
import { cmsOver, complete, download, field, prepare, signedBytes } from './support/signing.js'

const { api, upload } = await runServer(t)

const token = (name: string): string =>
  Buffer.from(name, 'utf8').toString('base64').replaceAll('+', '-').replaceAll('/', '.').replaceAll('=', '')

t.test('a version lists its signatures, and sends their contents, digests and revisions', async (t) => {
  const name = 'Prüfer?.ä'
  const upload1 = onePage('% first')
  const docId = await upload(upload1)
  const fieldName = 'Approval ¿?'
  const prepared = await prepare({ api, docId }, field(fieldName)).then(done)
  const cms = cmsOver(prepared)
  const completed = await complete({ api, docId }, prepared, { cms }).then(done)
  const sha = completed.word('/version/sha256')
  const file = await download({ api, docId })
  const of = (path: string): string => `/v1/docs/${docId}/versions/${path}`
  const snapshot = await api.get(of(`signatures/${sha}`)).then(done)
  t.equal(snapshot.at('/chainValid'), true)
  t.match(snapshot.at('/signatures'), [
    { index: 0, fieldName, signed: true, coverage: 'whole-revision', revisionIndex: 1, kind: 'signature' },
  ])
  t.match(snapshot.at('/signatures/0'), completed.at('/signature') as object, 'as the completion answered')
  t.same(snapshot.at('/revisions/1/end'), file.length)
  t.match(snapshot.at('/signatures/0/verification'), {
    integrity: { verdict: 'intact', check: null },
    trust: { verdict: 'unknown' },
  })
  const contents = await api.get(of(`signatures/${sha}/${token(fieldName)}/contents`)).then(done)
  t.ok(contents.bytes.equals(Buffer.from(cms, 'base64')), 'the CMS as it was sent')
  const covered = signedBytes(file, completed.at('/signature/byteRange'))
  for (const algorithm of ['sha1', 'sha256', 'sha384', 'sha512']) {
    const digest = await api.get(of(`signatures/${sha}/${token(fieldName)}/digest/${algorithm}`)).then(done)
    t.ok(digest.bytes.equals(createHash(algorithm).update(covered).digest()), algorithm)
  }
  for (const [index, end] of [upload1.length, file.length].entries()) {
    const revision = await api.get(of(`revisions/${sha}/${index}`)).then(done)
    t.ok(revision.bytes.equals(file.subarray(0, end)), `revision ${index}`)
  }
  t.equal((await api.get(of(`revisions/${sha}/2`))).status, 404)
  t.equal((await api.get(of(`signatures/${sha}/${token(name)}/contents`))).status, 404)
  t.equal((await api.get(of(`signatures/${sha}/a/contents`))).status, 400, 'no token text has this length')
  t.equal((await api.get(of(`signatures/${sha}/${token(fieldName)}/digest/md5`))).status, 400)
})

t.test('the list of a layer has its edits as the last revision', async (t) => {
  const docId = await upload(onePage('% layer'))
  const prepared = await prepare({ api, docId }, field('approval')).then(done)
  await complete({ api, docId }, prepared).then(done)
  const list = () => api.get(`${layerPath({ docId })}/signatures`).then(done)
  t.equal((await list()).at('/revisions/2'), undefined)
  t.same(outcomes(await change(api, { docId }, { opId: 'edit', ops: [titled('Edited')] })), ['applied'])
  const edited = await list()
  t.equal(edited.at('/revisions/2/signatureIndex'), null)
  t.equal(edited.at('/revisions/2/end'), (await download({ api, docId })).length)
  t.equal(edited.at('/signatures/0/revisionIndex'), 1)
  t.equal(edited.at('/signatures/0/verification/integrity/verdict'), 'intact')
})
