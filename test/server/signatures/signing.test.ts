// Signing over HTTP, judged by programs that know nothing of this server.
import t from 'tap'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'
import { testSigner } from '../../support/signing/test-signer.js'
import { layerPath } from '../changes/support/changing.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api } = server
const signer = testSigner()

t.test('a prepared signature, completed, is valid', needs('pdfsig', 'qpdf'), async (t) => {
  const docId = await server.upload(onePage('0 0 100 100 re f'))
  const path = layerPath({ docId })
  const prepared = await api.post(`${path}/signatures/prepare`, { field: { kind: 'fqn', name: 'approval' } }).then(done)
  const completed = await api
    .post(`${path}/signatures/${prepared.word('/signingId')}/complete`, {
      cms: signer.sign(prepared.word('/digest')),
      expectedVersion: prepared.at('/expectedVersion'),
    })
    .then(done)
  t.comment(completed.text)
  const { bytes } = await api.get(`${path}/download`).then(done)
  const file = Workshop.of(t).source(bytes).path
  const report = judged('pdfsig', [file]).toString()
  t.match(report, /Signature is Valid/)
  t.match(report, /Total document signed/)
  judged('qpdf', ['--check', file])
})
