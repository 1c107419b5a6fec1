// Unchanged members of a rewritten object are read as before.
import t from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { withClosestReals } from '../../../workers/objects/object-text.js'
import { layerOf } from '../../support/pdf/changing.js'
import { onePage } from '../../support/pdf/raw-pdf.js'

t.test('numbers of a page are unchanged after a rotation', async (t) => {
  const numbers = '594.95996 841.89 595.276 99.99999 -12.345678 123456.79 .1 7'
  const layer = layerOf(t, onePage('', { page: `/Kept[${numbers}]` }))
  await layer.apply({ type: 'pages.rotate', pages: [pageRef(3)], rotation: 90 })
  t.match(layer.section().toString('latin1'), `/Kept[${numbers}]`)
})

t.test('digits in strings and names are not rewritten', async (t) => {
  const text = '<</A(594.95999)/B<594.>/C594.95999 594.95999>>'
  t.equal(withClosestReals(text), '<</A(594.95999)/B<594.>/C594.95999 594.95996>>')
  t.equal(withClosestReals('[.1 -.000001 16777216 1234567.1]'), '[.1 -.000001 16777216 1234567.1]')
})
