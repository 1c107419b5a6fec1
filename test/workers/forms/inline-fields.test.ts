// References to fields that are stored inline.
import t from 'tap'
import { formLayer } from '../../support/pdf/form-layer.js'
import { named, numbered } from '../../support/pdf/form-pdf.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'

const set = (name: string, value: string | null) => ({ type: 'forms.setValue', field: named(name), value: { value } })

t.test('an inline field has the same reference in every listing, also once it is an object', async (t) => {
  const layer = formLayer(
    t,
    rawPdf({
      1: '<</Type/Catalog/Pages 2 0 R>>',
      2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
      3: '<</Type/Page/Parent 2 0 R/Annots[<</Type/Annot/Subtype/Square/Rect[1 1 9 9]>><</Type/Annot/Subtype/Widget/Rect[20 20 40 40]/T(inline)/FT/Tx>>]>>',
    }),
  )
  const refs = () => [layer.field('inline').ref, layer.form().widgets[0]?.field]
  const ref = named('inline')
  t.same(refs(), [ref, ref])
  await layer.apply({
    type: 'annotations.update',
    ref: { kind: 'baseIndex', page: numbered(3), baseIndex: 0 },
    patch: { contents: 'Other' },
  })
  t.same(refs(), [ref, ref])
  await layer.apply(set('inline', 'Filled'))
  t.match(layer.field('inline'), { ref, value: 'Filled', widgets: [{ ref: { kind: 'baseIndex', baseIndex: 1 } }] })
  const renamed = await layer.apply({ type: 'forms.update', field: ref, patch: { name: 'other' } })
  t.match(renamed.item, { field: { name: 'other' } })
  await layer.undo(renamed)
  t.same(refs(), [ref, ref])
})
