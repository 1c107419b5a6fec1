// Fields with one-way references in damaged forms: widgets missing in the form, and kids without /Parent.
import t, { type Test } from 'tap'
import { type FormLayer, formLayer } from '../../support/pdf/form-layer.js'
import { named, numbered, widgetOn } from '../../support/pdf/form-pdf.js'
import { needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'

const widget = '/Type/Annot/Subtype/Widget/F 4/P 3 0 R'
const strays = (): Buffer =>
  onePage('', {
    page: '/Annots[10 0 R 11 0 R 13 0 R]',
    further: {
      10: `<<${widget}/FT/Tx/T(a.stray)/V(One)/Rect[10 100 90 120]>>`,
      11: `<<${widget}/T(kid)/Parent 12 0 R/V(Two)/Rect[10 70 90 90]>>`,
      12: '<</FT/Tx/T(above)>>',
      13: `<<${widget}/Parent 14 0 R/Rect[10 40 90 60]>>`,
      14: '<</FT/Tx/T(apart)/V(Three)>>',
    },
  })
const orphans = (): Buffer =>
  onePage('', {
    page: '/Annots[10 0 R 12 0 R 13 0 R]',
    further: {
      1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[11 0 R 14 0 R]/DA(/Helv 12 Tf 0 g)>>>>',
      10: `<<${widget}/FT/Tx/T(kid)/V(One)/Rect[10 100 90 120]>>`,
      11: '<</T(lost)/Kids[15 0 R]>>',
      12: `<<${widget}/Rect[10 70 90 90]>>`,
      13: `<<${widget}/Rect[10 40 90 60]>>`,
      14: '<</FT/Tx/T(shown)/V(Two)/Kids[12 0 R 13 0 R]>>',
      15: '<</T(inner)/Kids[10 0 R 16 0 R]>>',
      16: '<</T(other)/FT/Tx>>',
    },
  })

const partOfNames = (): Buffer =>
  onePage('', {
    page: '/Annots[10 0 R 12 0 R]',
    further: {
      1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[11 0 R 14 0 R]/DA(/Helv 12 Tf 0 g)>>>>',
      10: `<<${widget}/FT/Tx/T(kid)/V(One)/Rect[10 100 90 120]>>`,
      11: '<</T(lost)/Kids[10 0 R]>>',
      12: `<<${widget}/Rect[10 70 90 90]>>`,
      14: '<</FT/Tx/T(shown)/V(Two)/Kids[12 0 R]>>',
    },
  })

const namesIn = (layer: FormLayer): readonly unknown[] => layer.form().fields.map(({ name }) => name)
const originsIn = (layer: FormLayer): readonly unknown[] => layer.form().fields.map(({ origin }) => origin)

async function renamed(t: Test, layer: FormLayer, name: string): Promise<void> {
  const { fields } = layer.form()
  const done = await layer.apply({ type: 'forms.update', field: named(name), patch: { name: 'new.name' } })
  t.ok(namesIn(layer).includes('new.name'), 'the new name is listed')
  t.notOk(namesIn(layer).includes(name))
  const undone = await layer.undo(done)
  t.same(layer.form().fields, fields, 'the undo gives back all of the fields')
  await layer.undo(undone)
  t.ok(namesIn(layer).includes('new.name'), 'the change can be made again')
}

for (const name of ['a.stray', 'above.kid', 'apart']) {
  t.test(`${name}, which no form lists, can be renamed, and the rename undone`, needs('qpdf'), async (t) => {
    await renamed(t, formLayer(t, strays()), name)
  })
  t.test(
    `${name}, which no form lists, is added to the form when its only widget is removed`,
    needs('qpdf'),
    async (t) => {
      const layer = formLayer(t, strays())
      const { fields } = layer.form()
      const before = layer.field(name)
      const [shown] = before.widgets
      if (!shown?.ref) throw new Error('The field has no widget on a page')
      const op = { type: 'forms.removeWidget', field: before.ref, widget: shown.ref }
      const removed = await layer.apply(op)
      t.match(removed.item, { field: { name, widgets: { length: 0 }, origin: 'acroform' } })
      t.same(layer.field(name).widgets, [])
      const undone = await layer.undo(removed)
      t.same(layer.form().fields, fields)
      await layer.undo(undone)
      t.same(layer.field(name).widgets, [])
    },
  )
}

for (const name of ['lost.inner.kid', 'shown']) {
  t.test(`${name}, whose kids have no /Parent, can be renamed, and the rename undone`, needs('qpdf'), async (t) => {
    await renamed(t, formLayer(t, orphans()), name)
  })
}

t.test('a kid without /Parent can be deleted and restored', async (t) => {
  const layer = formLayer(t, orphans())
  const { fields } = layer.form()
  const deleted = await layer.apply({ type: 'forms.delete', field: named('lost.inner.kid') })
  t.same(namesIn(layer), ['lost.inner.other', 'shown'])
  await layer.undo(deleted)
  t.same(layer.form().fields, fields)
})

t.test('widgets of a kid without /Parent can be removed and added', async (t) => {
  const layer = formLayer(t, orphans())
  const { fields } = layer.form()
  const field = named('lost.inner.kid')
  const removed = await layer.apply({ type: 'forms.removeWidget', field, widget: widgetOn(3, 10) })
  t.same(layer.field('lost.inner.kid').widgets, [])
  await layer.undo(removed)
  t.same(layer.form().fields, fields)
  const placement = { page: numbered(3), rect: { x: 20, y: 20, width: 50, height: 20 } }
  const added = await layer.apply({ type: 'forms.addWidget', field, placement })
  t.equal(layer.field('lost.inner.kid').widgets.length, 2)
  await layer.undo(added)
  t.same(layer.form().fields, fields)
  t.same(originsIn(layer), ['acroform', 'acroform', 'acroform'])
})

t.test('an undo moves the last kid of a partial name back to its position in the form', async (t) => {
  const layer = formLayer(t, partOfNames())
  const { fields } = layer.form()
  const moved = await layer.apply({ type: 'forms.update', field: named('lost.kid'), patch: { name: 'moved' } })
  t.same(namesIn(layer), ['shown', 'moved'])
  const undone = await layer.undo(moved)
  t.same(layer.form().fields, fields)
  await layer.undo(await layer.undo(undone))
  t.same(layer.form().fields, fields)
})

t.test('an undo of a value leaves widgets without /Parent unchanged', async (t) => {
  const layer = formLayer(t, partOfNames())
  const { fields, widgets } = layer.form()
  const annotations = layer.layer.reads(t).annotations(3)
  const reset = await layer.apply({ type: 'forms.reset' })
  t.match(layer.field('shown'), { value: '' })
  const undone = await layer.undo(reset)
  t.same([layer.form().fields, layer.form().widgets], [fields, widgets])
  t.same(layer.layer.reads(t).annotations(3), annotations)
  await layer.undo(undone)
  t.match(layer.field('shown'), { value: '' })
})
