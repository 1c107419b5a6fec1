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

t.test('an integer is written as it is, however near it is to the one before', async (t) => {
  const own = new WrittenNumbers(['16777216', '33554432', '67108864.5', '9007199254740991'])
  const text = '[16777218 33554433 16777216 67108864 9007199254740990]'
  t.equal(withWrittenDigits(text, own), '[16777218 33554433 16777216 67108864.5 9007199254740990]')
})

t.test('a flag of a field is set beside the highest ones', async (t) => {
  const further = {
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[9 0 R]>>>>',
    9: '<</T(a)/FT/Tx/Ff 33554432/MaxLen 8/Type/Annot/Subtype/Widget/Rect[1 1 90 20]/P 3 0 R>>',
  }
  const layer = layerOf(t, onePage('', { page: '/Annots[9 0 R]', further }))
  const field = { kind: 'objectNumber', objectNumber: 9 } as const
  await layer.apply({ type: 'forms.update', field, patch: { required: true } } as never)
  t.match(layer.section().toString('latin1'), '/Ff 33554434')
})
