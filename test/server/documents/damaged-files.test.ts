// Damaged stored files: a thumbnail is drawn again; an incomplete document is an error in every download and is reported by
// a backup, and is never sent with status 200.
import { readdirSync, rmSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { refuseDamaged } from '../../../server/documents/damaged-file.js'
import { scratchFolder } from '../../cli/scratch.js'
import { numbered } from '../../support/pdf/form-pdf.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes, titled } from '../changes/support/changing.js'
import { done, runServer } from '../support/running-server.js'

const folder = scratchFolder(t, 'data')
const server = await runServer(t, { folder })
const { api } = server
const pdf = onePage('BT /F1 20 Tf 20 150 Td (secret) Tj ET', { resources: helvetica })
const damaged = { status: 500, code: 'Unknown' }

/** Returns files of documents whose name contains this text. */
const blobs = (name: string): readonly string[] =>
  readdirSync(join(folder, 'blobs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes(name))
    .map((path) => join(folder, 'blobs', path))

async function refused(path: string): Promise<object> {
  const { status, code, ...answer } = await api.get(path)
  return { status, code, reason: answer.at('/details/reason') }
}

t.test('a missing or truncated thumbnail is drawn again, and does not block a backup', async (t) => {
  const docId = await server.upload(pdf, { docId: 'pictured' })
  const path = `/v1/tenants/acme/documents/${docId}/thumbnail`
  const { bytes } = done(await api.get(path))
  for (const damage of [(file: string) => rmSync(file), (file: string) => truncateSync(file, 20)]) {
    for (const file of blobs('thumbnail.webp')) damage(file)
    t.equal((await api.post('/v1/deployment/backup')).status, 200)
    const [one, other] = await Promise.all([api.get(path), api.get(path)])
    t.same([one?.status, other?.status], [200, 200])
    t.ok(one?.bytes.equals(bytes) && other?.bytes.equals(bytes), 'the same picture')
  }
})

t.test('a file whose length differs from the recorded one is not sent', async (t) => {
  const docId = await server.upload(pdf, { docId: 'invoice' })
  const [redacted, edited, untouched] = ['redacted', 'edited', 'untouched'].map((layerName) => ({ docId, layerName }))
  if (!redacted || !edited || !untouched) throw new Error('A layer is missing')
  const data = { subtype: 'redact', rect: { x: 0, y: 0, width: 300, height: 100 } }
  const marked = await change(api, redacted, {
    opId: 'mark',
    ops: [{ type: 'annotations.create', page: numbered(3), data }],
  })
  t.same(outcomes(marked), ['applied'])
  done(await api.post(`${layerPath(redacted)}/redactions/apply`, { pages: [numbered(3)] }))
  const sha = done(await api.get(`${layerPath(untouched)}/manifest`)).word('/baseSha')
  t.same(outcomes(await change(api, edited, { opId: 'edit', ops: [titled('Edited')] })), ['applied'])
  for (const layer of [redacted, edited, untouched]) done(await api.get(`${layerPath(layer)}/download`))

  const [base] = blobs('redacted-')
  if (base === undefined) throw new Error('The redacted layer has no base')
  truncateSync(base, 0)
  const expected = { ...damaged, reason: 'stored-file-damaged' }
  t.same(await refused(`${layerPath(redacted)}/download`), expected)
  const backup = await api.post('/v1/deployment/backup')
  t.match(backup.text, /invoice \(redacted-/, 'a backup names the document')
  t.equal(backup.status, 500)
  const upload = blobs('upload.pdf').find((path) => dirname(path) === dirname(base))
  if (upload === undefined) throw new Error('There is no upload')
  truncateSync(upload, pdf.length - 1)
  const paths = [
    `${layerPath(edited)}/download`,
    `${layerPath(untouched)}/download`,
    `/v1/docs/${docId}/versions/download/${sha}`,
  ]
  for (const path of paths) t.same(await refused(path), expected, path)
  t.match(await api.get(`/v1/tenants/acme/documents/${docId}/download`), damaged)
})

t.test('a recorded size of zero counts as damage, whatever the file contains', async (t) => {
  const blob = { tenant: 't', document: 'd', name: 'n' }
  t.throws(() => refuseDamaged(blob, 100, 0), damaged)
  t.throws(() => refuseDamaged(blob, 0, 0), damaged)
  t.throws(() => refuseDamaged(blob, undefined, 100), damaged)
  refuseDamaged(blob, 100, 100)
})

t.test('a lost file is told as damage, and named in the log; what does not need it goes on', async (t) => {
  const large = Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, key.repeat(30_000)]))
  for (const docId of ['edits-lost', 'file-lost']) {
    await server.upload(pdf, { docId })
    const ops = [{ type: 'metadata.updateCustom', patch: large }]
    t.same(outcomes(await change(api, { docId }, { opId: 'large', ops })), ['applied'])
  }
  await server.close()
  const [edits = '', others = ''] = [...blobs('.pack')].sort()
  const upload = blobs('upload.pdf').find((path) => dirname(path) === dirname(others)) ?? ''
  for (const path of [edits, upload]) rmSync(path)

  const again = await runServer(t, { folder })
  const expected = { ...damaged, reason: 'stored-file-damaged' }
  const answerTo = async (path: string) => {
    const answer = await again.api.get(path)
    return { status: answer.status, code: answer.code, reason: answer.at('/details/reason') }
  }
  const needs = {
    'edits-lost': ['metadata/custom', 'download', 'signatures'],
    'file-lost': ['metadata/custom', 'download', 'layout', 'annotations/items'],
  }
  for (const [docId, paths] of Object.entries(needs)) {
    for (const path of paths) t.same(await answerTo(`${layerPath({ docId })}/${path}`), expected, `${docId} ${path}`)
    const answer = await change(again.api, { docId }, { opId: 'later', ops: [titled('Later')] })
    t.match(answer.at('/changes/0/error'), { code: 'Unknown', details: { reason: 'stored-file-damaged' } }, answer.text)
    t.equal((await again.api.get(`${layerPath({ docId })}/manifest`)).status, 200)
  }
  for (const path of [edits, upload])
    t.match(again.log(), path.slice(join(folder, 'blobs/').length), 'the log names the file')
  t.notMatch(again.log(), 'a bug')
  t.match((await again.api.get('/metrics')).text, /event="file-damaged"\} 9$/m)
  done(await again.api.get(`${layerPath({ docId: 'edits-lost', layerName: 'other' })}/download`))
})
