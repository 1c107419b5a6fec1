// Updates of widgets and fields, and their undo: appearance, event scripts, order, and references.
import t from 'tap'
import { limits } from '../../../workers/limits.js'
import { type FormLayer, formLayer, mostDifferent } from '../../support/pdf/form-layer.js'
import { formPages, formPdf, named, numbered, widgetOn } from '../../support/pdf/form-pdf.js'
import { needs } from '../../support/pdf/judges.js'
import type { Pixels } from '../../support/pdf/pictures.js'
import { onePage, rawPdf } from '../../support/pdf/raw-pdf.js'

const first = numbered(formPages.first)
const place = (y: number, rest: object = {}) => ({
  page: first,
  rect: { x: 250, y, width: 180, height: 24 },
  color: '#000000',
  ...rest,
})

const updateOf = (patch: object, widget = 10) => ({ type: 'forms.updateWidget', widget: widgetOn(3, widget), patch })

t.test(
  'an updated widget is redrawn with its new style and position, and undo restores each member',
  needs('pdftoppm', 'qpdf', 'pdftotext'),
  async (t) => {
    const layer = formLayer(t, formPdf())
    await layer.apply({ type: 'forms.setValue', field: named('plain'), value: { value: 'Look' } })
    const before = await layer.pictures()
    const look = {
      rect: { x: 250, y: 600, width: 150, height: 40 },
      color: '#00ff00',
      interiorColor: '#ffff00',
      strokeWidth: 3,
      borderStyle: 'beveled',
      fontFamily: 'courier',
      fontSize: 18,
      fontColor: '#0000ff',
      textAlign: 'right',
      contents: 'Note',
      hidden: false,
      noRotate: true,
    }
    const one = await layer.apply(updateOf(look))
    t.match(one.item, { widget: look, appearance: { action: 'regenerated', changed: true } })
    t.ok(mostDifferent(before, await layer.pictures()) > 0.1)
    t.match((await layer.apply(updateOf({}))).changed, { images: { length: 0 }, effects: { pages: { length: 0 } } })
    t.match((await layer.apply(updateOf({ subject: 'S' }))).item, {
      appearance: { action: 'preserved', changed: false },
    })
    await layer.apply(updateOf({ strokeWidth: 1 }))
    t.same((await layer.undo(one)).item['skipped'], ['strokeWidth'])
    t.match(layer.form().widgets[0], {
      fontFamily: 'helvetica',
      interiorColor: null,
      borderStyle: 'solid',
      noRotate: false,
      rect: { x: 20 },
    })
    t.equal(mostDifferent(before, await layer.pictures()), 0)
    await layer.apply(updateOf({ rotation: 90 }))
    const { box, rect } = layer.form().widgets[0] ?? {}
    t.match(
      [box, rect],
      [
        { width: 220, height: 24 },
        { width: 24, height: 220 },
      ],
      'a rotation keeps the centre of the box',
    )
    const long = 'a'.repeat(limits.writtenTextCharactersMax + 1)
    await layer.refused('InvalidArg', /contents has more than/, updateOf({ contents: long }))
    await layer.refused('InvalidArg', /push buttons/, updateOf({ caption: 'Go' }))
    t.match((await layer.apply(updateOf({ caption: 'Go' }, 23))).item, { widget: { caption: 'Go' } })
    t.match(layer.text(), /Go/)
  },
)

t.test('event scripts can be written and removed; other actions only kept or removed', async (t) => {
  const layer = formLayer(t, formPdf())
  const tree = (type: string, subtype: string) => ({
    root: { type, subtype, script: '1', next: [] },
    incomplete: false,
    warningFlags: 0,
    warnings: [],
  })
  const one = await layer.apply(updateOf({ actions: { focus: tree('javascript', 'JavaScript') } }))
  t.match(one.item, { widget: { actions: { focus: { root: { script: '1' } } } } })
  await layer.refused('InvalidArg', /only scripts/, updateOf({ actions: { blur: tree('launch', 'Launch') } }))
  await layer.undo(one)
  t.equal(layer.form().widgets[0]?.actions, null)
})

const acting = (): Buffer =>
  rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R]>>>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
    3: '<</Type/Page/Parent 2 0 R/Annots[10 0 R]>>',
    10: '<</Type/Annot/Subtype/Widget/Rect[10 10 60 30]/P 3 0 R/FT/Btn/Ff 65536/T(go)/A<</S/URI/URI(https://example.com)>>/AA<</Fo 11 0 R/Bl<</S/JavaScript/JS(1)>>>>>>',
    11: '<</S/SubmitForm/F<</FS/URL/F(https://example.com/submit)>>>>',
  })

t.test('an undo restores actions that reads show only partly, and removes the script that replaced them', async (t) => {
  const layer = formLayer(t, acting())
  const script = { root: { type: 'javascript', subtype: 'JavaScript', script: '2', next: [] }, incomplete: false }
  const tree = { ...script, warningFlags: 0, warnings: [] }
  const actions = () => layer.form().widgets[0]?.actions
  const before = actions()
  const widget = () => layer.layer.open(({ pdf }) => pdf.newIndirect(10).resolve().toString(true, true))
  const edits = () => layer.layer.section().toString('latin1')
  const gone = await layer.apply(updateOf({ actions: null }))
  t.equal(actions(), null)
  const back = await layer.undo(gone)
  t.same(back.item['skipped'], undefined)
  t.same(actions(), before)
  t.match(await widget(), /11 0 R/, 'the very object')
  t.match(edits(), /example\.com/)
  const again = await layer.undo(back)
  t.equal(actions(), null)
  t.notMatch(edits(), /example\.com/, 'what was taken out is not sent')
  await layer.undo(again)
  t.same(actions(), before)

  const other = formLayer(t, acting())
  const replaced = await other.apply(updateOf({ actions: { activate: tree, focus: tree, mouseUp: tree } }))
  t.match(replaced.item, { widget: { actions: { activate: { root: { script: '2' } }, mouseUp: {} } } })
  await other.undo(replaced)
  t.same(other.form().widgets[0]?.actions, before, 'also the event that had none')
})

const numbersOn = (layer: FormLayer, page: number) =>
  layer
    .form()
    .widgets.flatMap(({ ref }) =>
      ref.kind === 'objectNumber' && ref.page.objectNumber === page ? [ref.objectNumber] : [],
    )

t.test('widgets of a page and calculations can be reordered', async (t) => {
  const layer = formLayer(t, formPdf())
  const moved = await layer.apply({
    type: 'forms.reorderWidgets',
    page: numbered(4),
    widgets: [widgetOn(4, 58)],
    position: { before: widgetOn(4, 53) },
  })
  t.same(numbersOn(layer, 4), [45, 58, 53])
  t.match(moved.item, {
    page: numbered(4),
    order: [widgetOn(4, 45), widgetOn(4, 58), widgetOn(4, 53)],
    meta: {
      affectedPages: [numbered(4)],
      changedFields: { length: 0 },
      changedWidgets: [
        { ref: widgetOn(4, 58), objectNumber: 58, page: numbered(4) },
        { ref: widgetOn(4, 53), objectNumber: 53, page: numbered(4) },
      ],
    },
  })
  await layer.undo(moved)
  t.same(numbersOn(layer, 4), [45, 53, 58])
  const order = await layer.apply({ type: 'forms.reorderCalculations', fields: [named('taxed')], position: 'start' })
  t.match(order.item, {
    calculationOrder: [numbered(28), numbered(27)],
    meta: { changedFields: [numbered(28), numbered(27)], changedWidgets: { length: 0 } },
  })
  await layer.undo(order)
  t.same(layer.form().calculationOrder, [numbered(27), numbered(28)])
  await layer.refused('NotFound', /obj:10/, {
    type: 'forms.reorderCalculations',
    fields: [named('plain')],
    position: 'end',
  })
})

t.test(
  'the text shown by a field and its visibility can be set without changing its value',
  needs('qpdf', 'pdftotext'),
  async (t) => {
    const layer = formLayer(t, formPdf())
    const field = named('plain')
    await layer.apply({ type: 'forms.setValue', field, value: { value: 'Value' } })
    const other = await layer.apply({ type: 'forms.setAppearanceText', field, text: 'Shown' })
    t.match(layer.field('plain'), { value: 'Value' })
    t.match(layer.text(), /Shown/)
    t.notMatch(layer.text(), /Value/)
    const back = await layer.undo(other)
    t.match(layer.text(), /Value/)
    await layer.undo(back)
    t.match(layer.text(), /Shown/)
    await layer.apply({ type: 'forms.setValue', field, value: { value: 'Value' } })
    t.match(layer.text(), /Value/, 'setting the value shows it again')
    const hidden = await layer.apply({ type: 'forms.setDisplay', field, display: 'hidden', expect: 'visible' })
    t.match(layer.form().widgets[0], { hidden: true, print: false })
    t.notMatch(layer.text(), /Value/)
    await layer.undo(hidden)
    t.match(layer.form().widgets[0], { hidden: false, print: true })
    await layer.refused('InvalidArg', /shows no text/, {
      type: 'forms.setAppearanceText',
      field: named('check'),
      text: 'x',
    })
  },
)

t.test('the appearance of a signature field can be a page of a PDF', needs('qpdf', 'pdftotext'), async (t) => {
  const layer = formLayer(t, formPdf())
  const drawing = onePage('BT /F1 40 Tf 20 80 Td (Signed here) Tj ET', {
    resources: '/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>',
  })
  const op = { type: 'forms.setSignatureAppearance', field: named('sign'), appearance: { pdf: 'ink' } }
  const made = await layer.change({ ops: [op], resources: { ink: { bytes: drawing } } })
  t.match(layer.text(), /Signed +here/)
  await layer.undo(made)
  t.notMatch(layer.text(), /Signed +here/)
  await layer.refused('InvalidArg', /resource:ink/, op)
})

/** Centre of the pixels of a colour, and their number. */
function spotOf({ width, rgba }: Pixels, isIts: (red: number, green: number, blue: number) => boolean) {
  let [x, y, count] = [0, 0, 0]
  for (let at = 0; at < rgba.length; at += 4) {
    if (!isIts(rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0)) continue
    x += (at / 4) % width
    y += Math.floor(at / 4 / width)
    count++
  }
  return { x: x / count, y: y / count, count }
}

for (const [turn, rect, scale] of [
  [0, '[100 50 200 100]', 1],
  [90, '[100 50 150 150]', 1],
  [180, '[100 50 200 100]', 1],
  [270, '[100 50 150 150]', 1],
  [90, '[100 50 180 110]', 0.6],
] as const) {
  t.test(
    `a seal stands upright and unsqueezed in the field ${rect} with /MK /R ${turn}`,
    needs('pdftoppm'),
    async (t) => {
      const pdf = rawPdf({
        1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R]>>>>',
        2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>',
        3: `<</Type/Page/Parent 2 0 R/Rotate ${turn}/Annots[10 0 R]>>`,
        10: `<</Type/Annot/Subtype/Widget/F 4/FT/Sig/T(sig)/Rect${rect}/MK<</R ${turn}>>/P 3 0 R>>`,
      })
      // Red at the lower left, blue at the upper right: their centres are 80 apart across, 30 up.
      const seal = onePage('1 0 0 rg 0 0 20 20 re f 0 0 1 rg 80 30 20 20 re f', { size: [100, 50] })
      const layer = formLayer(t, pdf)
      const op = { type: 'forms.setSignatureAppearance', field: named('sig'), appearance: { pdf: 'seal' } }
      await layer.change({ ops: [op], resources: { seal: { bytes: seal } } })
      const [picture] = await layer.pictures()
      if (picture === undefined) throw new Error('There is no page')
      const red = spotOf(picture, (r, g, b) => r > 200 && g < 60 && b < 60)
      const blue = spotOf(picture, (r, g, b) => b > 200 && g < 60 && r < 60)
      // Pictures have 36 pixels for 72 points.
      const near = (found: number, wanted: number) => Math.abs(found - wanted * scale) < 1.5
      t.ok(near(blue.x - red.x, 40), `${blue.x - red.x} across`)
      t.ok(near(red.y - blue.y, 15), `${red.y - blue.y} up`)
    },
  )
}

const actingOnFields = (): Buffer =>
  rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R 11 0 R]/CO[10 0 R]>>>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
    3: '<</Type/Page/Parent 2 0 R/Annots[10 0 R 11 0 R]>>',
    10: '<</Type/Annot/Subtype/Widget/Rect[10 10 60 30]/P 3 0 R/FT/Tx/T(text)/V(Ada)/Q 1/AA<</C<</S/JavaScript/JS(1)>>/Fo<</S/JavaScript/JS(2)>>>>>>',
    11: '<</Type/Annot/Subtype/Widget/Rect[70 10 99 30]/P 3 0 R/FT/Btn/Ff 65536/T(go)/A<</S/ResetForm/Fields[10 0 R]/Next<</S/Hide/T 10 0 R>>>>>>',
  })

t.test(
  'a merged widget that is split from its field keeps its object number, and the field can be found by its former ref',
  async (t) => {
    const layer = formLayer(t, actingOnFields())
    const snapshot = layer.form()
    const field = numbered(10)
    const filled = await layer.apply({ type: 'forms.setValue', field, value: { value: 'Bob' } })
    const look = await layer.apply(updateOf({ color: '#ff0000' }))
    const placement = { page: first, rect: { x: 10, y: 10, width: 50, height: 20 } }
    const added = await layer.apply({ type: 'forms.addWidget', field, placement })
    const { ref, widgets } = layer.field('text')
    t.match(widgets, [{ objectNumber: 10 }, {}], 'the widget that was there')
    t.not(ref.kind === 'objectNumber' && ref.objectNumber, 10, 'the field has another number')
    t.match(added.item, { field: { ref }, widgets: [{ field: ref }, { field: ref }], meta: { changedFields: [ref] } })
    const changedWidgets = widgets.map(({ objectNumber }) => ({ ref: widgetOn(3, objectNumber), objectNumber }))
    t.match(added.item.meta, { changedWidgets }, 'each names the field by another number now')
    t.same(layer.form().calculationOrder, [ref])
    const edits = layer.layer.section().toString('latin1')
    const number = ref.kind === 'objectNumber' ? ref.objectNumber : 0
    t.match(edits, new RegExp(`/ResetForm/Fields\\[${number} 0 R\\]`), 'actions name it by the new one')
    await layer.apply({ type: 'forms.setValue', field, value: { value: 'Cid' } })
    t.match(layer.field('text'), { value: 'Cid' }, 'whoever knows it by the former one finds it')
    const back = await layer.undo(added)
    t.match(back.item, { type: 'forms.deleteWidget', field: { ref: field }, meta: { changedFields: [field] } })
    t.match(layer.field('text'), { ref: field, value: 'Cid', widgets: [{ objectNumber: 10 }] }, 'one object again')
    await layer.undo(look)
    t.match((await layer.undo(filled)).item, { type: 'skipped' })
    await layer.apply({ type: 'forms.setValue', field, value: { value: 'Bob' } })
    await layer.undo(filled)
    t.same(layer.form().fields, snapshot.fields)
    await layer.undo(back)
    t.match(layer.field('text').widgets, [{ objectNumber: 10 }, {}])
    t.same(layer.field('text').ref, ref, 'the number it had while it was parted')
  },
)

t.test('a change made before a widget was added can be undone while the widget exists', async (t) => {
  const layer = formLayer(t, actingOnFields())
  const value = await layer.apply({ type: 'forms.setValue', field: named('text'), value: { value: 'Bob' } })
  const look = await layer.apply(updateOf({ color: '#ff0000' }))
  await layer.apply({ type: 'forms.addWidget', field: named('text'), placement: place(100) })
  t.notOk((await layer.undo(look)).item['skipped'])
  t.match((await layer.undo(value)).item, { type: 'forms.setValue', field: { value: 'Ada' } })
})

t.test(
  'a field whose only widget was removed keeps its new object number, and the restored widget its own',
  async (t) => {
    const layer = formLayer(t, actingOnFields())
    const snapshot = layer.form()
    const removed = await layer.apply({ type: 'forms.removeWidget', field: named('text'), widget: widgetOn(3, 10) })
    t.match(removed.item, {
      field: { name: 'text', value: 'Ada', widgets: { length: 0 } },
      meta: { changedWidgets: [{ objectNumber: 10 }] },
    })
    await layer.undo(removed)
    t.same(layer.form(), snapshot)
  },
)

t.test('a widget and its field, removed one after the other, are restored in any order', async (t) => {
  for (const order of ['the widget first', 'the field first']) {
    const layer = formLayer(t, formPdf())
    const snapshot = layer.form()
    const widget = await layer.apply({ type: 'forms.deleteWidget', widget: widgetOn(3, 52) })
    const field = await layer.apply({ type: 'forms.delete', field: named('color') })
    if (order === 'the widget first') {
      t.match((await layer.undo(widget)).item, { type: 'forms.restoreWidget', field: { name: 'color' } }, order)
      t.match(layer.field('color'), { origin: 'acroform', widgets: [{ objectNumber: 52, exportValue: 'green' }] })
      t.match((await layer.undo(field)).item, { type: 'forms.restore', field: { name: 'color' } }, order)
    } else for (const one of [field, widget]) await layer.undo(one)
    t.same(layer.form(), snapshot, order)
    for (const one of [field, widget]) t.match((await layer.undo(one)).item, { type: 'skipped' }, 'once')
  }
})
