// Creating, changing and deleting fields and widgets, each with its undo.
import t from 'tap'
import { formLayer, mostDifferent } from '../../support/pdf/form-layer.js'
import { formPages, formPdf, named, numbered, widgetOn } from '../../support/pdf/form-pdf.js'
import { needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'

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
  'a field of each family is created with members and widgets, filled, and both are undone',
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

t.test('field names are unique, and a field with a value cannot have child fields', async (t) => {
  const layer = formLayer(t, formPdf())
  const draft = (name: string) => ({ type: 'forms.create', draft: { family: 'text', name } })
  await layer.refused('InvalidArg', /There is a field named "plain"/, draft('plain'))
  await layer.refused('InvalidArg', /There is a field named "person"/, draft('person'))
  await layer.refused('InvalidArg', /cannot have fields under it/, draft('plain.more'))
  await layer.refused('InvalidArg', /not a valid field name/, draft('a..b'))
  await layer.refused('ObjectNumberUnavailable', /900/, { ...draft('new'), objectNumber: 900 })
  await layer.refused('NotFound', /no page/, {
    type: 'forms.create',
    draft: { family: 'text', name: 'new', widgets: [{ ...place(1), page: numbered(99) }] },
  })
})

t.test('members of a field can be changed and restored one by one', async (t) => {
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
  await layer.refused('InvalidArg', /family of a field cannot be changed/, {
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
  'a field is deleted with its widgets, calculation and empty parents, and undo restores all',
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

t.test('widgets can be added, removed and deleted; deleting the last one deletes the field', async (t) => {
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
