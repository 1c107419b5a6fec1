// B8: a caller that may read only a redacted layer cannot find removed content: not in the download, in versions that the
// layer was made of, or in replays.
import t from 'tap'
import { numbered } from '../../support/pdf/form-pdf.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes } from '../changes/support/changing.js'
import { EventReader } from '../support/events.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
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
