// Unchanged members of a rewritten object are read as before.
import t from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { WrittenNumbers, withClosestReals, withWrittenDigits } from '../../../workers/objects/object-text.js'
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

t.test(
  'numbers keep the digits that they have in the file, each in its place, and a changed one gets none',
  async (t) => {
    const own = new WrittenNumbers(['41.732283', '100', '100.0000001', '191.6838761', '300.508110'])
    const text = '<</A 100/B 100/P 100 0 R/R[41.73228 300.50812 191.68387 41.7324](41.73228)/N/41.73228>>'
    t.equal(
      withWrittenDigits(text, own),
      '<</A 100/B 100.0000001/P 100 0 R/R[41.732283 300.508110 191.6838761 41.7324](41.73228)/N/41.73228>>',
    )
    t.equal(
      withWrittenDigits('[1.25 7]', new WrittenNumbers([]), () => new WrittenNumbers(['1.2500000001'])),
      '[1.2500000001 7]',
    )
  },
)
