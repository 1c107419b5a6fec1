// Damaged files refer to objects that are lost. What a layer adds must not take their places.
import t from 'tap'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'
import { change, layerPath, outcomes } from '../changes/support/changing.js'
import { done, runServer } from '../support/running-server.js'

t.test('new objects take no number that a repaired file refers to', needs('qpdf'), async (t) => {
  const { api, upload } = await runServer(t)
  const whole = onePage('', { page: '/PieceInfo 6 0 R/Thumb 9 0 R' }).toString('latin1')
  const docId = await upload(Buffer.from(whole.slice(0, whole.indexOf('xref\n')), 'latin1'))
  const square = {
    type: 'annotations.create',
    page: { kind: 'objectNumber', objectNumber: 3 },
    data: { subtype: 'square', box: { x: 10, y: 10, width: 20, height: 20 } },
  }
  t.same(outcomes(await change(api, { docId }, { opId: 'a', ops: [square, square, square] })), ['applied'])
  const { path } = Workshop.of(t).source((await api.get(`${layerPath({ docId })}/download`).then(done)).bytes)
  for (const number of [6, 9])
    t.equal(
      judged('qpdf', [`--show-object=${number}`, path])
        .toString()
        .trim(),
      'null',
    )
  t.match(judged('qpdf', ['--show-object=10', path]).toString(), /Square/)
})
