// Fields with standard scripts are calculated, formatted and checked; other scripts are not run, and are reported.
import t from 'tap'
import { standardCall } from '../../../workers/forms/scripts/standard-call.js'
import { formLayer } from '../../support/pdf/form-layer.js'
import { formPdf, named, numbered } from '../../support/pdf/form-pdf.js'
import { needs } from '../../support/pdf/judges.js'

const set = (name: string, value: string | null) => ({ type: 'forms.setValue', field: named(name), value: { value } })

t.test(
  'a product is recalculated and formatted when its operands change, and restored by undo',
  needs('qpdf', 'pdftotext'),
  async (t) => {
    const layer = formLayer(t, formPdf())
    const price = await layer.apply(set('price', '1234.5'))
    t.match(price.item, {
      meta: { changedFields: [numbered(25), numbered(27)] },
      calculations: { left: [numbered(28)] },
    })
    t.match(layer.field('total'), { value: '0' })
    const count = await layer.apply(set('count', '3'))
    t.match(layer.field('total'), { value: '3703.5' })
    const text = layer.text()
    t.match(text, /1\.234,50 EUR/)
    t.match(text, /3\.703,50 EUR/)
    await layer.undo(price)
    t.match(layer.field('total'), { value: '0' }, 'calculated anew, because it was changed since')
    await layer.undo(count)
    t.match(layer.field('total'), { value: '', valueEntry: { kind: 'none' } })
  },
)

t.test('a value outside the range, or one that is not a number or date, is refused', async (t) => {
  const layer = formLayer(t, formPdf())
  await layer.refused('InvalidArg', /from 1 to 9/, set('count', '10'))
  await layer.refused('InvalidArg', /must be a number/, set('price', 'much'))
  await layer.refused('InvalidArg', /a date like d mmm yyyy/, set('day', '31 Feb 2026'))
  await layer.apply(set('day', '2026-02-28'), set('count', null))
})

t.test('dates are shown in the format of the field', needs('qpdf', 'pdftotext'), async (t) => {
  const layer = formLayer(t, formPdf())
  await layer.apply(set('day', '2026-02-28'))
  t.match(layer.field('day'), { value: '2026-02-28' })
  t.match(layer.text(), /28 Feb 2026/)
})

t.test('a script is recognised only if it is a single call with literal arguments', async (t) => {
  t.same(standardCall('/* x */ AFSimple_Calculate("SUM", new Array("a", \'b\\u0041\'));'), {
    name: 'AFSimple_Calculate',
    values: ['SUM', ['a', 'bA']],
  })
  t.same(standardCall('AFRange_Validate(true, -1.5, false, 9)')?.values, [true, -1.5, false, 9])
  const programs = [
    'event.value = 1',
    'a(); b()',
    'f(g())',
    'f(1 + 1)',
    'f(toString)',
    'f([[1]])',
    'f(',
    '',
    'new Array(1)(2)',
  ]
  for (const program of programs) t.equal(standardCall(program), undefined, program)
  t.equal(standardCall(`f(${'1,'.repeat(15_000)}1)`), undefined)
})
