// Values of every field family: which are accepted, what is written and drawn, and their undo.
import t from 'tap'
import { formLayer, mostDifferent } from '../../support/pdf/form-layer.js'
import { formPages, formPdf, named, numbered } from '../../support/pdf/form-pdf.js'
import { needs } from '../../support/pdf/judges.js'
import { pixelAt } from '../../support/pdf/pictures.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'

const set = (name: string, value: object, rest: object = {}) => ({
  type: 'forms.setValue',
  field: named(name),
  value,
  ...rest,
})

const values: Readonly<Record<string, { readonly value: object; readonly shows?: RegExp }>> = {
  plain: { value: { value: 'Hello wörld €' }, shows: /Hello wörld €/ },
  comb: { value: { value: 'ABC123' }, shows: /A +B +C +1 +2 +3/ },
  multi: {
    value: { value: 'A long text that must wrap over lines because it is long\nand new' },
    shows: /lines because it[^\n]*\n *is long\n *and new/,
  },
  secret: { value: { value: 'hidden' }, shows: /••••••/ },
  right: { value: { value: '12.50' }, shows: /12\.50/ },
  fitted: { value: { value: 'Ελληνικά Жы 漢字かな 한글' }, shows: /Ελληνικά Жы 漢字かな 한글/ },
  check: { value: { checked: true } },
  bare: { value: { checked: true }, shows: /✔/ },
  combo: { value: { value: 'b' }, shows: /Bee/ },
  free: { value: { value: 'other' }, shows: /other/ },
  list: { value: { selectedValues: ['one', '3'] }, shows: /one[\s\S]*two[\s\S]*three/ },
  single: { value: { selectedValues: ['two'] } },
  'person.first': { value: { value: 'A' } },
  'person.last': { value: { value: 'Lovelace' }, shows: /Lovelace[\s\S]*Lovelace/ },
  color: { value: { value: 'blue' } },
  unison: { value: { value: 'y' } },
}

t.test(
  'a value is set in every family, shown on all pages, and undone (shapes 6)',
  needs('qpdf', 'pdftotext', 'pdftoppm'),
  async (t) => {
    const layer = formLayer(t, formPdf())
    const before = await layer.pictures()
    const snapshot = layer.form()
    const made = []
    for (const [name, { value }] of Object.entries(values)) {
      const { item, undo, changed } = await layer.apply(set(name, value))
      made.push({ undo })
      t.match(item, { type: 'forms.setValue', field: { name, ...value }, meta: { undoable: true } }, name)
      t.match(layer.field(name), value, `${name} as it is read`)
      t.ok(changed.effects.document.includes('forms'), name)
    }
    const text = layer.text()
    for (const { shows } of Object.values(values)) if (shows !== undefined) t.match(text, shows)
    t.notMatch(text, /hidden/)
    t.ok(mostDifferent(before, await layer.pictures()) > 0.1)
    layer.layer.cold()
    const redo = []
    for (const { undo } of made.toReversed()) redo.push(await layer.undo({ undo }))
    t.same(layer.form().fields, snapshot.fields, 'undoing all of it gives the same fields')
    t.equal(mostDifferent(before, await layer.pictures()), 0, 'the same pictures as before')
    for (const change of redo.toReversed()) await layer.undo(change)
    t.equal(layer.text(), text, 'undoing the undo sets the value again')
  },
)

t.test('a value of the wrong type, too long, or not among the options is refused', async (t) => {
  const layer = formLayer(t, formPdf())
  const refusals: readonly (readonly [name: string, value: object, message: RegExp])[] = [
    ['plain', { checked: true }, /text field "plain" takes \{ value/],
    ['check', { value: 'Yes' }, /takes \{ checked/],
    ['list', { value: 'one' }, /takes \{ selectedValues/],
    ['push', { value: 'x' }, /takes no value/],
    ['sign', { value: null }, /takes no value/],
    ['short', { value: 'four' }, /at most 3 characters/],
    ['combo', { value: 'Bee' }, /no option "Bee"; did you mean "b"\?/],
    ['list', { selectedValues: ['four'] }, /no option "four"/],
    ['single', { selectedValues: ['one', 'two'] }, /one choice/],
    ['color', { value: 'mauve' }, /no button for "mauve"/],
  ]
  for (const [name, value, message] of refusals) await layer.refused('InvalidArg', message, set(name, value))
  await layer.refused('NotFound', /no field fqn:nobody/, set('nobody', { value: '' }))
  await layer.refused('NotFound', /did you mean fqn:plain\?$/, set('plian', { value: '' }))
  await layer.refused('NotFound', /under this name are person\.first or person\.last$/, set('person', { value: '' }))
  await layer.refused('NotFound', /no field obj:3$/, { ...set('', { value: '' }), field: numbered(3) })
})

t.test('a change is refused if the field differs from `expect`', async (t) => {
  const layer = formLayer(t, formPdf())
  await layer.apply(set('plain', { value: 'one' }, { expect: { value: '' } }))
  const refusal = await layer.refused(
    'ChangeConflict',
    /value/,
    set('plain', { value: 'two' }, { expect: { value: null } }),
  )
  t.same(refusal?.details, { fields: ['value'], opIndex: 0 })
  await layer.apply(set('plain', { value: 'two' }, { expect: { value: 'one' } }))
  t.match(layer.field('plain'), { value: 'two' })
})

t.test('the value sets the states of buttons with numbered states and of buttons in unison', async (t) => {
  const layer = formLayer(t, formPdf())
  await layer.apply(set('color', { value: 'green' }))
  t.match(layer.field('color'), {
    value: 'green',
    valueEntry: { value: '1' },
    widgets: [{ checked: false }, { checked: true }, { checked: false }],
  })
  const states = () =>
    layer.form().widgets.filter(({ field }) => field?.kind === 'objectNumber' && [50, 55].includes(field.objectNumber))
  t.same(
    states().map(({ appearanceState }) => appearanceState),
    ['Off', '1', 'x', 'Off', 'Off', 'x'],
  )
  await layer.apply(set('color', { value: null }), set('unison', { value: 'y' }))
  t.same(
    states().map(({ appearanceState }) => appearanceState),
    ['Off', 'Off', 'Off', 'y', 'Off', 'Off'],
  )
  await layer.apply(set('unison', { value: 'x' }))
  t.same(
    states().map(({ appearanceState }) => appearanceState),
    ['Off', 'Off', 'x', 'Off', 'Off', 'x'],
  )
})

t.test('a value can be cleared, and the effects list exactly the pages that show the field', async (t) => {
  const layer = formLayer(t, formPdf())
  const { changed } = await layer.apply(set('person.last', { value: 'x' }))
  t.same(changed.effects, {
    pages: [formPages.first, formPages.second].map((page) => ({ page, planes: ['widgets'] })),
    document: ['annotations', 'forms'],
  })
  const { item } = await layer.apply(set('person.last', { value: null }))
  t.match(item, {
    field: { value: '', valueEntry: { kind: 'none' } },
    meta: { affectedPages: [numbered(3), numbered(4)] },
  })
  const again = await layer.apply(set('person.last', { value: '' }))
  t.match(again.item, {
    meta: { affectedPages: { length: 0 }, changedFields: { length: 0 }, changedWidgets: { length: 0 } },
  })
  t.same(again.changed.images, [])
  t.same(again.changed.effects, { pages: [], document: [] })
})

t.test('a reset sets default values, in the named fields or in all', async (t) => {
  const layer = formLayer(t, formPdf())
  await layer.apply(
    set('plain', { value: 'x' }),
    set('check', { checked: true }),
    set('list', { selectedValues: ['two'] }),
    set('combo', { value: 'b' }),
  )
  const one = await layer.apply({ type: 'forms.reset', fields: [named('plain')] })
  t.match(one.item, { fields: [{ name: 'plain', value: 'start' }] })
  t.match(layer.field('check'), { checked: true })
  const all = await layer.apply({ type: 'forms.reset' })
  t.match(layer.field('combo'), { value: 'a' })
  t.match(layer.field('unison'), { value: 'y' })
  t.match(layer.field('check'), { checked: false })
  t.match(layer.field('list'), { selectedValues: { length: 0 } })
  await layer.apply(set('combo', { value: 'b' }))
  const undone = await layer.undo(all)
  t.same(undone.item['skipped'], ['combo'], 'what was changed since stays, and is named')
  t.match(layer.field('list'), { selectedValues: ['two'] })
  t.match(layer.field('combo'), { value: 'b' })
  await layer.refused('NotFound', /nobody/, { type: 'forms.reset', fields: [named('nobody')] })
})

t.test('an undo skips a field that was changed since', async (t) => {
  const layer = formLayer(t, formPdf())
  const first = await layer.apply(set('plain', { value: 'one' }))
  const second = await layer.apply(set('plain', { value: 'two' }))
  t.match((await layer.undo(first)).item, {
    type: 'skipped',
    op: 'forms.setValue',
    meta: { changedFields: { length: 0 } },
  })
  t.match(layer.field('plain'), { value: 'two' })
  await layer.undo(second)
  t.match(layer.field('plain'), { value: 'one' })
  await layer.undo(first)
  t.match(layer.field('plain'), { value: '', valueEntry: { kind: 'none' } })
})

t.test(
  'a form with NeedAppearances gets appearances for all fields when it is first filled',
  needs('qpdf', 'pdftotext'),
  async (t) => {
    const layer = formLayer(t, formPdf({ form: '/NeedAppearances true' }))
    t.equal(layer.form().needsAppearances, true)
    const { item } = await layer.apply(set('secret', { value: 'hidden' }))
    t.equal(layer.form().needsAppearances, false)
    const widgets = layer
      .form()
      .widgets.filter(({ fieldFamily }) => ['text', 'combobox', 'listbox'].includes(fieldFamily))
    t.ok(widgets.every(({ hasAppearance }) => hasAppearance))
    const reported = new Set(Object(item).widgets.map((widget: unknown) => JSON.stringify(widget)))
    for (const widget of widgets)
      t.ok(reported.has(JSON.stringify(widget)), 'the response contains each widget in its current state')
    t.notMatch(layer.text(), /hidden/)
  },
)

t.test('XFA is removed when a value is set, because it contains the former value', async (t) => {
  const layer = formLayer(t, formPdf({ form: '/XFA[(datasets)90 0 R]' }))
  t.equal(layer.form().formKind, 'xfa')
  await layer.apply(set('plain', { value: 'x' }))
  t.equal(layer.form().formKind, 'acroform')
})

t.test('appearances are rewritten in place, so that setting a value often does not grow the file', async (t) => {
  const layer = formLayer(t, formPdf())
  await layer.apply(set('plain', { value: '漢' }))
  const { changed } = await layer.apply(set('plain', { value: 'b' }))
  const shown = changed.images.filter(({ isHidden }) => !isHidden)
  t.equal(shown.length, 2, 'the field and its appearance')
  t.ok(
    changed.images.some(({ isHidden }) => isHidden),
    'the font embedded for the former value is removed',
  )
})

t.test('a comb with a border has dividers between its cells, filled or not', needs('pdftoppm'), async (t) => {
  const pdf = rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R]>>>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>',
    3: '<</Type/Page/Parent 2 0 R/Annots[10 0 R]>>',
    10: '<</Type/Annot/Subtype/Widget/F 4/P 3 0 R/Rect[51 200 251 220]/FT/Tx/T(comb)/Ff 16777216/MaxLen 10/DA(/Helv 9 Tf)/MK<</BC[0]/BG[1]>>/BS<</W 2>>>>',
  })
  const layer = formLayer(t, pdf)
  for (const value of ['12', '']) {
    await layer.apply(set('comb', { value }))
    const [picture] = await layer.pictures()
    if (picture === undefined) throw new Error('There is no page')
    const red = (x: number) => pixelAt(picture, x, 45)[0]
    for (let cell = 1; cell < 10; cell++) {
      t.ok(red(25 + 10 * cell) < 60, `a divider before cell ${cell} of "${value}"`)
      if (cell > 2) t.ok(red(30 + 10 * cell) > 200, `nothing in cell ${cell}`)
    }
  }
})
