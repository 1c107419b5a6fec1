// Fields and widgets that are made, changed, ordered and deleted, and all of it taken back.
import t from 'tap'
import { type FormLayer, formLayer, mostDifferent } from '../../../support/pdf/form-layer.js'
import { formPages, formPdf, named, numbered, widgetOn } from '../../../support/pdf/form-pdf.js'
import { needs } from '../../../support/pdf/judges.js'
import { onePage, rawPdf } from '../../../support/pdf/raw-pdf.js'

const first = numbered(formPages.first)
const place = (y: number, rest: object = {}) => ({
  page: first,
  rect: { x: 250, y, width: 180, height: 24 },
  color: '#000000',
  ...rest,
})

const drafts: Readonly<Record<string, object>> = {
  text: {
    family: 'text',
    name: 'new.text',
    maxLength: 20,
    multiline: true,
    required: true,
    alternateName: 'Tip',
    widgets: [place(300, { fontFamily: 'times-bold', fontSize: 14, fontColor: '#ff0000' })],
  },
  checkbox: { family: 'checkbox', name: 'new.check', widgets: [place(330, { exportValue: 'On' })] },
  radio: {
    family: 'radio',
    name: 'new.radio',
    noToggleToOff: true,
    widgets: [place(360, { exportValue: 'a' }), place(390, { exportValue: 'b', page: numbered(formPages.second) })],
  },
  combobox: {
    family: 'combobox',
    name: 'new.combo',
    options: [{ label: 'Bee', value: 'b' }],
    defaultValue: 'b',
    widgets: [place(420)],
  },
  listbox: {
    family: 'listbox',
    name: 'new.list',
    multiSelect: true,
    options: [{ label: 'x', value: 'x' }],
    widgets: [place(450)],
  },
  signature: { family: 'signature', name: 'new.sign', widgets: [place(480)] },
}

t.test(
  'a field of each family is made with its members and widgets, filled, and taken back',
  needs('qpdf', 'pdftotext', 'pdftoppm'),
  async (t) => {
    const layer = formLayer(t, formPdf())
    const before = await layer.pictures()
    const fields = layer.form().fields
    const made = []
    for (const [family, draft] of Object.entries(drafts)) {
      const change = await layer.apply({ type: 'forms.create', draft })
      made.push(change)
      t.match(change.item, {
        type: 'forms.create',
        field: { family, origin: 'acroform' },
        widgets: [{ fieldFamily: family, color: '#000000' }],
      })
    }
    t.match(layer.field('new.text'), { multiline: true, required: true, maxLength: 20, alternateName: 'Tip' })
    t.match(layer.field('new.radio'), { noToggleToOff: true, widgets: [{ exportValue: 'a' }, { exportValue: 'b' }] })
    t.match(made[0]?.item['widgets'], [
      {
        fontFamily: 'times-bold',
        fontSize: 14,
        fontColor: '#ff0000',
        rect: { x: 250, y: 300, width: 180, height: 24 },
      },
    ])
    const filled = await layer.apply(
      { type: 'forms.setValue', field: named('new.text'), value: { value: 'Filled in' } },
      { type: 'forms.setValue', field: named('new.radio'), value: { value: 'b' } },
    )
    t.match(layer.text(), /Filled in/)
    const [text] = made
    if (text)
      t.match((await layer.undo(text)).item, { type: 'skipped', op: 'forms.delete' }, 'one that was filled since stays')
    await layer.undo(filled)
    for (const change of made.toReversed()) t.match((await layer.undo(change)).item, { type: 'forms.delete' })
    t.same(layer.form().fields, fields)
    t.equal(mostDifferent(before, await layer.pictures()), 0)
    layer.text()
  },
)

t.test('a document without a form gets one', needs('qpdf', 'pdftotext'), async (t) => {
  const layer = formLayer(t, onePage(''))
  t.equal(layer.form().formKind, 'none')
  await layer.apply({
    type: 'forms.create',
    draft: {
      family: 'text',
      name: 'a',
      widgets: [{ page: numbered(3), rect: { x: 10, y: 10, width: 100, height: 20 } }],
    },
  })
  await layer.apply({ type: 'forms.setValue', field: named('a'), value: { value: 'Hello' } })
  t.equal(layer.form().formKind, 'acroform')
  t.match(layer.text(), /Hello/)
})

t.test('names are taken once, and a field with a value has no fields under it', async (t) => {
  const layer = formLayer(t, formPdf())
  const draft = (name: string) => ({ type: 'forms.create', draft: { family: 'text', name } })
  await layer.refused('InvalidArg', /There is a field named "plain"/, draft('plain'))
  await layer.refused('InvalidArg', /There is a field named "person"/, draft('person'))
  await layer.refused('InvalidArg', /cannot have fields under it/, draft('plain.more'))
  await layer.refused('InvalidArg', /no name/, draft('a..b'))
  await layer.refused('ObjectNumberUnavailable', /900/, { ...draft('new'), objectNumber: 900 })
  await layer.refused('NotFound', /no page/, {
    type: 'forms.create',
    draft: { family: 'text', name: 'new', widgets: [{ ...place(1), page: numbered(99) }] },
  })
})

t.test('members of a field change and go back one by one', async (t) => {
  const layer = formLayer(t, formPdf())
  const patch = { readOnly: true, maxLength: 9, comb: true, alternateName: 'Tip', name: 'renamed', defaultValue: null }
  const one = await layer.apply({ type: 'forms.update', field: named('plain'), patch, expect: { readOnly: false } })
  t.match(one.item, {
    field: {
      ref: numbered(10),
      name: 'renamed',
      readOnly: true,
      maxLength: 9,
      comb: true,
      alternateName: 'Tip',
      defaultValue: '',
    },
  })
  await layer.apply({ type: 'forms.update', field: numbered(10), patch: { maxLength: 5, name: 'person.plain' } })
  t.equal(layer.field('person.plain').ref.kind, 'objectNumber')
  const undone = await layer.undo(one)
  t.same([...undone.item['skipped']].sort(), ['maxLength', 'name'])
  t.match(layer.field('person.plain'), {
    readOnly: false,
    comb: false,
    maxLength: 5,
    alternateName: null,
    defaultValue: 'start',
  })
  await layer.refused('InvalidArg', /no options/, { type: 'forms.update', field: numbered(10), patch: { options: [] } })
  await layer.refused('InvalidArg', /stays one/, {
    type: 'forms.update',
    field: numbered(10),
    patch: { family: 'radio' },
  })
  await layer.refused('ChangeConflict', /required/, {
    type: 'forms.update',
    field: numbered(10),
    patch: {},
    expect: { required: true },
  })
})

t.test(
  'a deleted field goes with its widgets, its calculation and what is left of its name, and comes back',
  needs('qpdf', 'pdftotext', 'pdftoppm'),
  async (t) => {
    const layer = formLayer(t, formPdf())
    const before = await layer.pictures()
    const snapshot = layer.form()
    const total = await layer.apply({ type: 'forms.delete', field: named('total') })
    t.match(total.item, { type: 'forms.delete', calculationOrder: [numbered(28)] })
    const people = await layer.apply(
      { type: 'forms.delete', field: named('person.first') },
      { type: 'forms.delete', field: named('person.last') },
    )
    t.notOk(layer.form().fields.some(({ name }) => name.startsWith('person')))
    t.notOk(
      layer
        .form()
        .widgets.some(({ ref }) => ref.kind === 'objectNumber' && [27, 41, 43, 44, 45].includes(ref.objectNumber)),
    )
    layer.text()
    const back = await layer.undo(people)
    t.match(back.items, [
      { type: 'forms.restore', field: { name: 'person.last' } },
      { type: 'forms.restore', field: { name: 'person.first' } },
    ])
    await layer.undo(total)
    t.same(layer.form(), snapshot)
    t.equal(mostDifferent(before, await layer.pictures()), 0)
    await layer.undo(back)
    t.notOk(layer.form().fields.some(({ name }) => name.startsWith('person')))
  },
)

t.test('widgets are added, removed and deleted; a field goes with its last one', async (t) => {
  const layer = formLayer(t, formPdf())
  const snapshot = layer.form()
  const added = await layer.apply({ type: 'forms.addWidget', field: named('person.last'), placement: place(500) })
  t.equal(layer.field('person.last').widgets.length, 4)
  t.match((await layer.undo(added)).item, { type: 'forms.deleteWidget', field: { name: 'person.last' } })
  t.same(layer.form(), snapshot)
  const removed = await layer.apply({
    type: 'forms.removeWidget',
    field: named('person.last'),
    widget: widgetOn(3, 44),
  })
  t.equal(removed.item['field'].widgets.length, 2)
  t.match((await layer.undo(removed)).item, { type: 'forms.restoreWidget', field: { name: 'person.last' } })
  t.same(layer.form(), snapshot)
  const last = await layer.apply({ type: 'forms.deleteWidget', widget: widgetOn(3, 10) })
  t.match(last.item, { widget: widgetOn(3, 10), page: first, field: null })
  t.notOk(layer.has('plain'))
  await layer.undo(last)
  t.same(layer.form(), snapshot)
  await layer.refused('InvalidArg', /does not belong/, {
    type: 'forms.removeWidget',
    field: named('comb'),
    widget: widgetOn(3, 43),
  })
  await layer.refused('NotFound', /no widget obj:999/, { type: 'forms.deleteWidget', widget: widgetOn(3, 999) })
})

const updateOf = (patch: object, widget = 10) => ({ type: 'forms.updateWidget', widget: widgetOn(3, widget), patch })

t.test(
  'a widget takes another look and place, drawn anew, and gives each member back',
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
    t.match((await layer.apply(updateOf({}))).changed, { images: [], effects: { pages: [] } })
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
      'a turn goes about the middle of the box',
    )
    await layer.refused('InvalidArg', /push buttons/, updateOf({ caption: 'Go' }))
    t.match((await layer.apply(updateOf({ caption: 'Go' }, 23))).item, { widget: { caption: 'Go' } })
    t.match(layer.text(), /Go/)
  },
)

t.test('scripts of events are written and removed; other actions only stay or go', async (t) => {
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

t.test('an undo brings back actions no read tells all of, and takes back the script in their place', async (t) => {
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

t.test('widgets of a page and calculations are put in another order', async (t) => {
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
      changedFields: [],
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
    meta: { changedFields: [numbered(28), numbered(27)], changedWidgets: [] },
  })
  await layer.undo(order)
  t.same(layer.form().calculationOrder, [numbered(27), numbered(28)])
  await layer.refused('NotFound', /obj:10/, {
    type: 'forms.reorderCalculations',
    fields: [named('plain')],
    position: 'end',
  })
})

t.test('what a field shows and whether it shows is set without its value', needs('qpdf', 'pdftotext'), async (t) => {
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
})

t.test('a signature field shows the page of a PDF', needs('qpdf', 'pdftotext'), async (t) => {
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

const actingOnFields = (): Buffer =>
  rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R 11 0 R]/CO[10 0 R]>>>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
    3: '<</Type/Page/Parent 2 0 R/Annots[10 0 R 11 0 R]>>',
    10: '<</Type/Annot/Subtype/Widget/Rect[10 10 60 30]/P 3 0 R/FT/Tx/T(text)/V(Ada)/Q 1/AA<</C<</S/JavaScript/JS(1)>>/Fo<</S/JavaScript/JS(2)>>>>>>',
    11: '<</Type/Annot/Subtype/Widget/Rect[70 10 99 30]/P 3 0 R/FT/Btn/Ff 65536/T(go)/A<</S/ResetForm/Fields[10 0 R]/Next<</S/Hide/T 10 0 R>>>>>>',
  })

t.test(
  'a widget keeps its number when its field is parted from it, and the field is still found by its own',
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

t.test('a field that lost its only widget retains its new number, and the widget its own', async (t) => {
  const layer = formLayer(t, actingOnFields())
  const snapshot = layer.form()
  const removed = await layer.apply({ type: 'forms.removeWidget', field: named('text'), widget: widgetOn(3, 10) })
  t.match(removed.item, {
    field: { name: 'text', value: 'Ada', widgets: [] },
    meta: { changedWidgets: [{ objectNumber: 10 }] },
  })
  await layer.undo(removed)
  t.same(layer.form(), snapshot)
})

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
