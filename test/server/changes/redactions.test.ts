// Redaction over HTTP: required capability, response, and reads of the redacted layer and of other layers afterwards.
import t from 'tap'
import { opRoutes } from '../../../server/api/op-routes.js'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { strictly } from '../../support/pdf/strictly.js'
import { Workshop } from '../../support/pdf/workshop.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api } = server

const pdf = (): Buffer =>
  onePage('BT /F1 12 Tf 20 100 Td (Public Secretword words) Tj ET', {
    resources: helvetica,
    page: '/Annots[5 0 R]',
    further: { 5: '<</Type/Annot/Subtype/Redact/Rect[58 95 122 115]/IC[0 0 0]>>' },
  })

t.test(
  'a write from before a redaction is not repeated, and its replay is an error, not an incomplete response',
  async (t) => {
    const layer = `/v1/docs/${await server.upload(pdf())}/layers/default`
    const note = { subtype: 'text', rect: { x: 10, y: 10, width: 20, height: 20 }, contents: 'Secretword' }
    const write = () => api.post(`${layer}/annotations/pages/obj:3/items`, note, { 'idempotency-key': 'note' })
    const redact = () => api.post(`${layer}/redactions/apply`, { pages: [pageRef(3)] }, { 'idempotency-key': 'redact' })
    done(await write())
    const redacted = done(await redact())
    const again = await write()
    t.match([again.status, again.code, again.at('/details/reason')], [404, 'NotFound', 'withheld'])
    t.equal(again.headers.get('idempotency-replayed'), 'true')
    t.notMatch(again.text, 'Secretword')
    t.match(again.at('/details/meta'), { opId: 'note', affectedPages: [pageRef(3)] })
    t.equal(done(await api.get(`${layer}/manifest`)).at('/auditHead'), 2)
    const replayed = done(await redact())
    t.same(replayed.json(), redacted.json(), 'the redaction itself answers as it did')
  },
)

t.test(
  'marked content is permanently removed from the layer, and remains in others',
  needs('qpdf', 'pdftotext'),
  async (t) => {
    const docId = await server.upload(pdf())
    const layer = `/v1/docs/${docId}/layers/default`
    const textOf = async (path: string): Promise<string> => {
      const file = Workshop.of(t).source(done(await api.get(path)).bytes).path
      judged('qpdf', ['--check', file])
      return judged('pdftotext', [file, '-']).toString()
    }
    t.match(await textOf(`${layer}/download`), /Secretword/)
    const rotated = { changes: [{ opId: 'title', ops: [{ type: 'metadata.update', patch: { title: 'Kept' } }] }] }
    done(await api.post(`${layer}/changes`, rotated))

    const wrong = { pages: [pageRef(3)], annotations: [{ kind: 'objectNumber', page: pageRef(3), objectNumber: 5 }] }
    t.equal((await api.post(`${layer}/redactions/apply`, wrong)).code, 'InvalidArg')
    const answer = done(await api.post(`${layer}/redactions/apply`, { pages: [pageRef(3)] }))
    const operation = opRoutes.find(({ name }) => name === 'doc.redactions.apply')
    t.ok(operation !== undefined && strictly(operation.answer)().Check(answer.json()))
    t.match(answer.json(), {
      results: [{ page: pageRef(3), status: 'applied', removedAnnotationCount: 1 }],
      meta: { undoable: false, affectedPages: [pageRef(3)] },
    })

    const after = await textOf(`${layer}/download`)
    t.match(after, /Public/)
    t.notMatch(after, /Secretword/)
    t.match(await textOf(`/v1/docs/${docId}/layers/other/download`), /Secretword/)
    t.equal(done(await api.get(`${layer}/metadata`)).at('/title'), 'Kept', 'earlier edits are part of the new base')
    t.same(done(await api.get(`${layer}/annotations/pages/obj:3/items`)).at('/annotations'), [])
    const undo = done(await api.post(`${layer}/changes`, { changes: [{ opId: 'back', undoOf: 'title' }] }))
    t.equal(undo.at('/changes/0/error/code'), 'UndoUnavailable')

    done(await api.post(`${layer}/pages/rotate`, { pages: [pageRef(3)], rotation: 90 }))
    t.notMatch(await textOf(`${layer}/download`), /Secretword/, 'edits go on over it')
  },
)
