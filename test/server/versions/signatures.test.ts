// Signatures of layers and versions over HTTP, with their contents and digests, judged by openssl.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { SignatureSnapshot } from '../../../workers/contract/signatures/signature-snapshot.js'
import { encryptedPdf, schemes } from '../../support/pdf/encrypted-pdf.js'
import { needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { docMdp, signedPdf, withRevision } from '../../support/pdf/signed-pdf.js'
import { strictly } from '../../support/pdf/strictly.js'
import { done, runServer } from '../support/running-server.js'
import { sha256Of } from '../support/uploads.js'

const server = await runServer(t)
const { api } = server
const isSnapshot = strictly(SignatureSnapshot)
const certified = signedPdf({ catalog: '/Perms<</DocMDP 6 0 R>>', signature: docMdp(3) })
const later = withRevision(certified, { 8: '(later)' })
const docId = await server.upload(later, { docId: 'certified' })
const sha = sha256Of(later)
const versions = `/v1/docs/${docId}/versions`
const layer = `/v1/docs/${docId}/layers/default`
const key = (name: string) =>
  Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '.').replaceAll('=', '')
const approval = `${versions}/signatures/${sha}/${key('approval')}`

t.test('a layer without edits lists the signatures of its version', async (t) => {
  const ofVersion = await api.get(`${versions}/signatures/${sha}`).then(done)
  t.ok(isSnapshot().Check(ofVersion.json()))
  t.match(ofVersion.json(), {
    chainValid: true,
    revisions: [
      { end: certified.length, signatureIndex: 0 },
      { end: later.length, signatureIndex: null },
    ],
    signatures: [{ fieldName: 'approval', coverage: 'whole-revision', docMdp: 3 }],
    protection: { enforced: 'annotate', certification: { permission: 3 } },
  })
  t.same((await api.get(`${layer}/signatures`).then(done)).json(), ofVersion.json())
})

t.test('edits of a layer are the last revision of its list, not of that of the version', async (t) => {
  await api.post(`${layer}/pages/obj:3/annotations`, {
    data: { subtype: 'highlight', rect: { x: 10, y: 10, width: 50, height: 20 }, quads: [] },
  })
  const created = await api.post(`${layer}/changes`, { changes: [] })
  t.ok(created.status < 500)
  const list = await api.get(`${layer}/signatures`).then(done)
  const { bytes } = await api.get(`${layer}/download`).then(done)
  const revisions = Object(list.json()).revisions
  t.equal(revisions.at(-1).end, bytes.length, 'the last revision ends with the download')
  t.match(list.at('/signatures/0'), { coverage: 'whole-revision', revisionIndex: 0 })
  t.equal(
    Object(
      await api
        .get(`${versions}/signatures/${sha}`)
        .then(done)
        .then((answer) => answer.json()),
    ).revisions.length,
    2,
  )
})

t.test('a revision is sent byte for byte, and no other exists', async (t) => {
  t.same((await api.get(`${versions}/revisions/${sha}/0`).then(done)).bytes, certified)
  t.same((await api.get(`${versions}/revisions/${sha}/1`).then(done)).bytes, later)
  t.equal((await api.get(`${versions}/revisions/${sha}/2`)).code, 'NotFound')
})

t.test('contents and digest are what openssl verifies', async (t) => {
  const contents = await api.get(`${approval}/contents`).then(done)
  t.equal(contents.headers.get('content-type'), 'application/pkcs7-signature')
  t.match(contents.headers.get('cache-control'), /immutable/)
  const hole = certified.indexOf('/Contents<') + '/Contents'.length
  const end = certified.indexOf('>', hole) + 1
  const signedBytes = Buffer.concat([certified.subarray(0, hole), certified.subarray(end)])
  const folder = t.testdir({})
  writeFileSync(join(folder, 'signed'), signedBytes)
  writeFileSync(join(folder, 'cms.der'), contents.bytes)
  const files = ['-inform', 'DER', '-in', join(folder, 'cms.der'), '-content', join(folder, 'signed')]
  const { status, stderr } = spawnSync('openssl', [
    'cms',
    '-verify',
    '-binary',
    '-noverify',
    '-out',
    '/dev/null',
    ...files,
  ])
  t.equal(status, 0, stderr.toString())
  for (const algorithm of ['sha1', 'sha256', 'sha384', 'sha512']) {
    const digest = await api.get(`${approval}/digest/${algorithm}`).then(done)
    t.same(digest.bytes, createHash(algorithm).update(signedBytes).digest(), algorithm)
  }
})

t.test('missing fields and versions, and malformed field keys, are refused', async (t) => {
  const of = (field: string) => `${versions}/signatures/${sha}/${field}/contents`
  t.equal((await api.get(of(key('name')))).code, 'NotFound', 'a field of another kind')
  t.equal((await api.get(of(key('nobody')))).code, 'NotFound')
  t.equal((await api.get(of('abcde'))).code, 'InvalidArg', 'a length that base64 does not have')
  t.equal((await api.get(of('..8'))).code, 'InvalidArg', 'no UTF-8')
  t.equal((await api.get(of('a_b'))).code, 'InvalidArg')
  t.equal((await api.get(`${approval}/digest/md5`)).code, 'InvalidArg')
  t.equal((await api.get(`${versions}/signatures/${'0'.repeat(64)}`)).code, 'NotFound')
  const token = await server.documentToken(docId, ['doc.open'])
  t.equal((await api.as(token).get(`${versions}/signatures/${sha}`)).code, 'Forbidden', 'without doc.forms.read')
})

t.test('a locked file needs its password', needs('qpdf'), async (t) => {
  const scheme = schemes.find(({ name }) => name === 'AES, 256 bits')
  if (scheme === undefined) throw new Error('There is no such scheme')
  const bytes = encryptedPdf(onePage(''), scheme)
  const locked = await server.upload(bytes, { docId: 'locked' })
  const path = `/v1/docs/${locked}/versions/signatures/${sha256Of(bytes)}`
  t.equal((await api.get(path)).code, 'DocPasswordRequired')
  const password = (text: string) => ({ 'x-document-password': Buffer.from(text).toString('base64') })
  t.equal((await api.get(path, password('wrong'))).code, 'DocPasswordIncorrect')
  const opened = await api.get(path, password(scheme.user)).then(done)
  t.match(opened.json(), { chainValid: true, signatures: { length: 0 }, protection: { enforced: null } })
  t.equal((await api.get(path)).code, 'DocPasswordRequired', 'also when the answer is cached')
})

t.test('a damaged file has one revision, and its uploaded bytes decide what is protected', async (t) => {
  const damaged = Buffer.concat([certified, Buffer.from('more')])
  const id = await server.upload(damaged, { docId: 'damaged' })
  const path = `/v1/docs/${id}/versions`
  const list = await api.get(`${path}/signatures/${sha256Of(damaged)}`).then(done)
  t.match(list.json(), { chainValid: false, signatures: { length: 0 }, protection: { enforced: 'none' } })
  t.same((await api.get(`${path}/revisions/${sha256Of(damaged)}/0`).then(done)).bytes, damaged)
  t.equal((await api.get(`${path}/revisions/${sha256Of(damaged)}/1`)).code, 'NotFound')
})
