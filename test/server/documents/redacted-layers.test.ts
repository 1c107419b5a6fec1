// B8: a caller that may read only a redacted layer cannot find removed content: not in the download, in versions that the
// layer was made of, or in replays; nor what edits after the redaction removed, in any file that leaves the server.
import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { systemClock } from '../../../core/ports/clock.js'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import { Housekeeping } from '../../../server/expiry/housekeeping.js'
import { scratchFolder } from '../../cli/scratch.js'
import { passwords } from '../../support/pdf/bases.js'
import { named, numbered } from '../../support/pdf/form-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage, rawPdf } from '../../support/pdf/raw-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'
import { wordsOf } from '../../support/words-in-folder.js'
import { change, layerPath, outcomes, titled, titleOf } from '../changes/support/changing.js'
import { cancel, complete, field, popplerVerdicts, prepare } from '../signatures/support/signing.js'
import { EventReader } from '../support/events.js'
import { done, runServer } from '../support/running-server.js'
import { openScene } from '../support/scene.js'

const folder = scratchFolder(t, 'data')
const server = await runServer(t, { folder })
const { api } = server
const page = numbered(3)
const box = { x: 0, y: 0, width: 300, height: 100 }

t.test('reads and downloads of a redacted layer contain nothing of removed content', async (t) => {
  const content = 'BT /F1 20 Tf 20 150 Td (secret) Tj ET BT /F1 20 Tf 20 50 Td (public) Tj ET'
  const docId = await server.upload(onePage(content, { resources: helvetica }))
  const layer = { docId, layerName: 'redacted' }
  const path = layerPath(layer)
  const token = await server.documentToken(docId, ['*'], { layerName: 'redacted' })
  const reader = api.as(token)
  const sha = (await reader.get(`${path}/manifest`).then(done)).word('/baseSha')
  t.equal((await reader.get(`/v1/docs/${docId}/versions/download/${sha}`)).status, 200, 'before')
  const data = { subtype: 'redact', rect: box, contents: 'take secret out' }
  const marked = await change(reader, layer, { opId: 'mark', ops: [{ type: 'annotations.create', page, data }] })
  t.same(outcomes(marked), ['applied'], marked.text)
  const picture = (await reader.get(`${path}/render/pages/obj:3/data`).then(done)).bytes
  done(await reader.post(`${path}/redactions/apply`, { pages: [page] }))

  const manifest = await reader.get(`${path}/manifest`).then(done)
  t.not(manifest.at('/baseSha'), sha, 'the layer has a base of its own')
  t.equal(manifest.at('/working'), false, 'the working copy contains everything before the redaction')
  t.match((await reader.get(`${path}/text/pages/obj:3/data`).then(done)).at('/text'), /^\s*public\s*$/)
  t.notOk((await reader.get(`${path}/render/pages/obj:3/data`).then(done)).bytes.equals(picture))
  const file = await reader.get(`${path}/download`).then(done)
  t.equal(file.headers.get('content-length'), String(manifest.at('/baseByteLength')))
  t.notMatch(file.bytes.toString('latin1'), /secret/)
  for (const version of [`download/${sha}`, `revisions/${sha}/0`]) {
    const answer = await reader.get(`/v1/docs/${docId}/versions/${version}`)
    t.equal(`${answer.status} ${answer.code}`, '403 Forbidden', version)
    t.equal((await api.get(`/v1/docs/${docId}/versions/${version}`)).status, 200, 'allowed for the API token')
  }
  const events = await EventReader.open(reader, `${path}/events`, { 'last-event-id': '0' })
  const [before] = await events.take(1)
  await events.close()
  t.match(before?.data, { withheld: true, payload: { meta: { cacheDelta: Object } } })
  t.notMatch(JSON.stringify(before), /take secret out/)
  const other = { docId, layerName: 'other' }
  t.match((await api.get(`${layerPath(other)}/text/pages/obj:3/data`).then(done)).at('/text'), /secret/)
})

/** Values of the upload, each of which an edit replaces or removes. */
const former = {
  title: 'Former-title',
  custom: 'Former-custom',
  note: 'Former-note',
  removed: 'Former-removed',
  value: 'Former-value',
  field: 'Former-field',
  tooltip: 'Former-tooltip',
  page: 'Former-page',
  file: 'Former-file',
} as const
const words = Object.values(former)
const widget = (top: number) => `/Type/Annot/Subtype/Widget/F 4/P 3 0 R/Rect[20 ${top - 20} 90 ${top}]`
const upload = rawPdf(
  {
    1: `<</Type/Catalog/Pages 2 0 R/StructTreeRoot 8 0 R/Names<</Pages<</Names[(${former.page})3 0 R]>>>>/AcroForm<</Fields[14 0 R 15 0 R]/DA(/Helv 12 Tf 0 g)>>>>`,
    2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
    3: `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[11 0 R 12 0 R 13 0 R 14 0 R 15 0 R]/Resources<<${helvetica}>>>>`,
    4: { body: '<<>>', stream: 'BT /F1 20 Tf 20 150 Td (redacted) Tj ET' },
    7: `<</Title(${former.title})/Project(${former.custom})>>`,
    8: '<</Type/StructTreeRoot/K 9 0 R>>',
    // The structure goes on naming an annotation that is removed.
    9: '<</Type/StructElem/S/Annot/P 8 0 R/K<</Type/OBJR/Obj 12 0 R/Pg 3 0 R>>>>',
    11: `<</Type/Annot/Subtype/Square/P 3 0 R/Rect[150 20 180 50]/Contents(${former.note})>>`,
    12: `<</Type/Annot/Subtype/FreeText/P 3 0 R/Rect[200 20 280 50]/DA(/Helv 12 Tf 0 g)/StructParent 0/Contents(${former.removed})>>`,
    13: '<</Type/Annot/Subtype/FileAttachment/P 3 0 R/Rect[200 60 220 80]/FS 16 0 R>>',
    14: `<<${widget(40)}/FT/Tx/T(value)/V(${former.value})/DV(${former.value})>>`,
    15: `<<${widget(80)}/FT/Tx/T(${former.field})/TU(${former.tooltip})>>`,
    16: '<</Type/Filespec/F(a.txt)/UF(a.txt)/EF<</F 17 0 R>>>>',
    17: { body: '<</Type/EmbeddedFile>>', stream: former.file },
  },
  { trailer: '/Info 7 0 R' },
)
const ref = (objectNumber: number) => ({ ...numbered(objectNumber), page })
const edits: readonly object[] = [
  titled('Later-title'),
  { type: 'metadata.updateCustom', patch: { Project: 'Later-custom' } },
  { type: 'annotations.update', ref: ref(11), patch: { contents: 'Later-note' } },
  { type: 'annotations.delete', ref: ref(12) },
  { type: 'annotations.delete', ref: ref(13) },
  { type: 'forms.setValue', field: named('value'), value: { value: 'Later-value' } },
  { type: 'forms.update', field: named('value'), patch: { defaultValue: 'Later-value' } },
  { type: 'forms.update', field: named(former.field), patch: { name: 'Later-field', alternateName: null } },
]

/** Returns the former values that are in any byte of the file or of its inflated streams, earlier revisions included. */
function formerIn(file: Buffer): readonly string[] {
  const text = file.toString('latin1')
  const streams = [...text.matchAll(/stream\r?\n/g)].flatMap(({ 0: begin, index }) => {
    try {
      return [inflateSync(file.subarray(index + begin.length))]
    } catch {
      return []
    }
  })
  return wordsOf(Buffer.concat([file, ...streams]), words)
}

function lacks(t: Test, file: Buffer, what: string): void {
  t.ok(file.subarray(0, 5).equals(Buffer.from('%PDF-')), what)
  t.same(formerIn(file), [], what)
}

t.test('what edits after a redaction removed is in no byte of any file that leaves the server', async (t) => {
  const docId = await server.upload(upload)
  const legal = { api, docId, layerName: 'legal' }
  const path = layerPath(legal)
  const apply = async (opId: string, ...ops: readonly object[]) => {
    const answer = await change(api, legal, { opId, ops })
    t.same(outcomes(answer), ['applied'], answer.text)
  }
  const rect = { x: 0, y: 0, width: 300, height: 100 }
  await apply('mark', { type: 'annotations.create', page, data: { subtype: 'redact', rect } })
  done(await api.post(`${path}/redactions/apply`, {}))
  const bytesOf = async (from: string) => (await api.get(from).then(done)).bytes
  t.same(formerIn(await bytesOf(`${path}/download`)), words, 'a redaction of other content leaves them')
  const others = { docId, layerName: 'other' }
  const own = { type: 'metadata.update', patch: { author: 'Ada' } }
  t.same(outcomes(await change(api, others, { opId: 'own', ops: [own] })), ['applied'])

  for (const [index, edit] of edits.entries()) await apply(`edit-${index}`, edit)
  done(await api.post(`${path}/pages/names`, { name: 'Later-page', page, replace: former.page }))
  const version = Number((await api.get(`${path}/manifest`).then(done)).at('/docVersion'))
  const downloads = ['', '?mode=incremental', '?mode=rewrite', `@docVersion=${version}`]
  for (const mode of downloads) lacks(t, await bytesOf(`${path}/download${mode}`), `download${mode}`)
  lacks(t, (await api.post(`${path}/pages/extract`, { pages: [page] }).then(done)).bytes, 'extract')

  const given = await prepare(legal, field('f')).then(done)
  t.match((await cancel(legal, given)).json(), { status: 'cancelled' })
  t.same(outcomes(await change(api, legal, { opId: 'undo', undoOf: 'edit-0' })), ['applied'])
  t.equal(await titleOf(api, legal), former.title, 'a cancelled signing takes no undo away')
  t.same(outcomes(await change(api, legal, { opId: 'undo-2', undoOf: 'edit-3' })), ['applied'])
  t.same(outcomes(await change(api, legal, { opId: 'redo', undoOf: 'undo' }, { opId: 'redo-2', undoOf: 'undo-2' })), [
    'applied',
    'applied',
  ])

  const prepared = await prepare(legal, field('f')).then(done)
  t.equal((await prepare(legal, field('f')).then(done)).text, prepared.text)
  const sha = (await complete(legal, prepared).then(done)).word('/version/sha256')
  const signed = await bytesOf(`/v1/docs/${docId}/versions/download/${sha}`)
  if (!needs('pdfsig').skip) t.match(popplerVerdicts(t, signed), [{ isValid: true, isTotal: true }])
  if (!needs('qpdf').skip) judged('qpdf', ['--check', Workshop.of(t).source(signed).path])
  const later = ['Later-title', 'Later-custom', 'Later-note', 'Later-value', 'Later-field', 'Later-page']
  t.same(wordsOf(signed, later), later, 'the edits are in the signed file')
  lacks(t, signed, 'signed version')
  lacks(t, await bytesOf(`/v1/docs/${docId}/versions/revisions/${sha}/0`), 'revision')
  lacks(t, await bytesOf(`${path}/download`), 'signed layer')
  const merged = await bytesOf(`${layerPath(others)}/download`)
  t.ok(merged.length > signed.length && merged.includes('Ada'), 'the other layer is merged')
  lacks(t, merged, 'merged layer')
  lacks(t, await bytesOf(`${layerPath({ docId })}/download`), 'layer without edits')
})

t.test('nor is it in an encrypted file', needs('qpdf'), async (t) => {
  const workshop = Workshop.of(t)
  const [plain, locked] = [workshop.source(upload).path, workshop.path('locked.pdf')]
  judged('qpdf', ['--encrypt', '', passwords.owner, '256', '--', plain, locked])
  const legal = { api, docId: await server.upload(readFileSync(locked)), layerName: 'legal' }
  const [{ page: first }] = Object((await api.get(`${layerPath(legal)}/manifest`).then(done)).at('/pages'))
  const data = { subtype: 'redact', rect: { x: 0, y: 0, width: 300, height: 100 } }
  const mark = { type: 'annotations.create', page: first, data }
  t.same(outcomes(await change(api, legal, { opId: 'mark', ops: [mark] })), ['applied'])
  done(await api.post(`${layerPath(legal)}/redactions/apply`, {}))
  // Objects have other numbers here.
  const ops = edits.filter((edit) => !('ref' in edit))
  t.same(outcomes(await change(api, legal, { opId: 'edits', ops })), ['applied'])
  const prepared = await prepare(legal, field('f')).then(done)
  const sha = (await complete(legal, prepared).then(done)).word('/version/sha256')
  const signed = (await api.get(`/v1/docs/${legal.docId}/versions/download/${sha}`).then(done)).bytes
  if (!needs('pdfsig').skip) t.match(popplerVerdicts(t, signed), [{ isValid: true, isTotal: true }])
  // The first revision is what the signature is laid behind.
  const base = (await api.get(`/v1/docs/${legal.docId}/versions/revisions/${sha}/0`).then(done)).bytes
  for (const file of [signed, base]) {
    const { path } = workshop.source(file)
    const text = judged('qpdf', ['--decrypt', '--qdf', '--object-streams=disable', path, '-'])
    t.same(wordsOf(text, [former.title, former.custom, former.value, former.field, former.tooltip]), [])
  }
})

t.test(
  'a signature of a redacted layer leaves no file behind, whether completed, cancelled, open or expired',
  async (t) => {
    const docId = await server.upload(upload)
    const layer = { docId, layerName: 'legal' }
    const data = { subtype: 'redact', rect: { x: 0, y: 0, width: 300, height: 100 } }
    await change(api, layer, { opId: 'mark', ops: [{ type: 'annotations.create', page, data }] })
    done(await api.post(`${layerPath(layer)}/redactions/apply`, {}))
    await change(api, layer, { opId: 'edits', ops: edits })
    await prepare({ ...layer, api }, field('f')).then(done)
    await server.close()
    const check = () =>
      checkStorage({ folder, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
    const { blobs } = await check()
    const storage = await openScene(folder)
    const clock = { ...systemClock, now: () => systemClock.now() + 16 * 60 * 1000 }
    await new Housekeeping({ storage, clock, onFailure: (error) => t.fail(String(error)) }).expire()
    await storage.close()
    t.equal((await check()).blobs, blobs - 2, 'the section, and what it was laid behind')
  },
)
