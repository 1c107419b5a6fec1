// When buttons are added to or removed from a group, the others keep their export values, whether readers look these up
// by position or by the number that names the state (ISO 32000-2, 12.7.5.2.3 and 12.7.5.2.4).
import { writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { extractPages } from '../../../workers/assembly/extraction/extract-pages.js'
import { openFile } from '../../../workers/document/open-file.js'
import { type FormLayer, formLayer } from '../../support/pdf/form-layer.js'
import { named, numbered, widgetOn } from '../../support/pdf/form-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'

interface Button {
  readonly stands: string
  readonly state: string
  readonly page?: 3 | 4
}

/** Buttons are numbered from 11. */
function groupPdf(buttons: readonly Button[], value: string, field = ''): Buffer {
  const numbers = buttons.map((_, index) => 11 + index)
  const on = (page: number) =>
    numbers.filter((_, index) => (buttons[index]?.page ?? 3) === page).map((number) => `${number} 0 R`)
  const widgets = buttons.map(({ state, page = 3 }, index) => {
    const shown = state === value ? value : 'Off'
    const rect = `/Rect[${20 + 30 * index} 20 ${40 + 30 * index} 40]`
    return [
      11 + index,
      `<</Type/Annot/Subtype/Widget/P ${page} 0 R${rect}/Parent 10 0 R/AS/${shown}/AP<</N<</${state} 40 0 R/Off 41 0 R>>/D<</${state} 40 0 R>>>>>>`,
    ] as const
  })
  return rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R]>>>>',
    2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]>>',
    3: `<</Type/Page/Parent 2 0 R/Annots[${on(3).join(' ')}]>>`,
    4: `<</Type/Page/Parent 2 0 R/Annots[${on(4).join(' ')}]>>`,
    10: `<</FT/Btn/Ff 49152/T(group)/V/${value}/DV/${value}${field}/Opt[${buttons.map(({ stands }) => `(${stands})`).join('')}]/Kids[${numbers.map((number) => `${number} 0 R`).join(' ')}]>>`,
    ...Object.fromEntries(widgets),
    40: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 20 20]>>', stream: '5 5 10 10 re f' },
    41: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 20 20]>>', stream: '0 0 20 20 re S' },
  })
}

interface Judged {
  /** Export values of the buttons, by position in the list and by state name. */
  readonly byPlace: readonly string[]
  readonly byName: readonly string[]
  /** Selected value by both rules, and the one that is visibly selected. */
  readonly chosen: readonly string[]
  readonly shown: readonly string[]
}

/** A value as qpdf writes it: names begin with a slash, texts with `u:`, and references are `7 0 R`. */
type Value = string | number | boolean | null | readonly Value[] | Dictionary
interface Dictionary {
  readonly [key: string]: Value | undefined
}
interface QpdfJson {
  readonly qpdf: readonly [unknown, Readonly<Record<string, { readonly value?: Value }>>]
}

const isDictionary = (value: Value | undefined): value is Dictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the file with qpdf. */
function judge(path: string): Judged {
  const written = judged('qpdf', ['--json', '--json-key=qpdf', '--decode-level=none', path]).toString()
  const { qpdf } = JSON.parse(written) as QpdfJson
  const [, objects] = qpdf
  const resolved = (one: Value | undefined): Value | undefined =>
    typeof one === 'string' && /^\d+ 0 R$/.test(one) ? objects[`obj:${one}`]?.value : one
  const dictionary = (one: Value | undefined): Dictionary => {
    const value = resolved(one)
    if (isDictionary(value)) return value
    throw new Error(`${JSON.stringify(value)} is no dictionary`)
  }
  const list = (one: Value | undefined): readonly Value[] => {
    const value = resolved(one)
    if (Array.isArray(value)) return value
    throw new Error(`${JSON.stringify(value)} is no list`)
  }
  const values = Object.values(objects).map(({ value }) => value)
  const field = dictionary(values.find((value) => isDictionary(value) && value['/T'] === 'u:group'))
  const texts = list(field['/Opt']).map((text) => String(text).slice(2))
  const kids = list(field['/Kids']).map(dictionary)
  const states = kids.map(
    (kid) => Object.keys(dictionary(dictionary(kid['/AP'])['/N'])).find((name) => name !== '/Off') ?? '',
  )
  const byName = states.map((state) => texts[Number(state.slice(1))] ?? '?')
  const byPlace = states.map((_, place) => texts[place] ?? '?')
  const on = states.indexOf(String(field['/V']))
  return {
    byPlace,
    byName,
    chosen: on < 0 ? [] : [byPlace[on] ?? '?', byName[on] ?? '?'],
    shown: kids.flatMap((kid, place) => (kid['/AS'] === '/Off' ? [] : [byPlace[place] ?? '?'])),
  }
}

const judgedOf = ({ layer }: FormLayer): Judged => judge(layer.sent())

const colours: readonly Button[] = [
  { stands: 'Red', state: '0' },
  { stands: 'Green', state: '1' },
  { stands: 'Blue', state: '2', page: 4 },
]
const sizes: readonly Button[] = [
  { stands: 'Small', state: '0' },
  { stands: 'Large', state: '1' },
  { stands: 'Large', state: '1', page: 4 },
  { stands: 'Huge', state: '3' },
]

function agrees(t: Test, layer: FormLayer, stands: readonly string[], chosen: string | null, title: string): void {
  const judged = judgedOf(layer)
  t.same(judged.byPlace, stands, `${title}: by place`)
  t.same(judged.byName, stands, `${title}: by the name of the state`)
  t.same(judged.chosen, chosen === null ? [] : [chosen, chosen], `${title}: the choice`)
  t.same([...new Set(judged.shown)], chosen === null ? [] : [chosen], `${title}: what shows as chosen`)
  const field = layer.field('group')
  t.match(field, { value: chosen ?? '' }, `${title}: the value that is listed`)
  t.same(
    field.widgets.map((widget) => 'exportValue' in widget && widget.exportValue),
    stands,
    `${title}: the export values that are listed`,
  )
}

const removals = {
  'forms.deleteWidget': (number: number, page = 3) => ({ type: 'forms.deleteWidget', widget: widgetOn(page, number) }),
  'forms.removeWidget': (number: number, page = 3) => ({
    type: 'forms.removeWidget',
    field: named('group'),
    widget: widgetOn(page, number),
  }),
}

/** Some programs, such as TCPDF, mark the field of a group as a widget as well, although it is on no page. */
const groupFields = { 'a group': '', 'a group that is called a widget': '/Type/Annot/Subtype/Widget/F 4/Rect[0 0 0 0]' }

for (const [what, entries] of Object.entries(groupFields)) {
  for (const [type, op] of Object.entries(removals)) {
    t.test(
      `${type} of a button of ${what} keeps the export values of the others, and undo restores all`,
      needs('qpdf'),
      async (t) => {
        const layer = formLayer(t, groupPdf(colours, '1', entries))
        const snapshot = layer.form()
        agrees(t, layer, ['Red', 'Green', 'Blue'], 'Green', 'before')
        const red = await layer.apply(op(11))
        agrees(t, layer, ['Green', 'Blue'], 'Green', 'without Red')
        const green = await layer.apply(op(12))
        agrees(t, layer, ['Blue'], null, 'without Green, which was chosen')
        await layer.undo(red)
        agrees(t, layer, ['Red', 'Blue'], null, 'with Red again')
        layer.layer.cold()
        await layer.undo(green)
        agrees(t, layer, ['Red', 'Green', 'Blue'], 'Green', 'with Green again')
        t.same(layer.form(), snapshot)
      },
    )
  }
}

t.test('deleting a page removes its buttons from groups, and nothing else', needs('qpdf'), async (t) => {
  const page = (pages: readonly number[]) => ({ type: 'pages.delete', pages: pages.map(numbered) })
  const layer = formLayer(t, groupPdf([{ stands: 'Red', state: '0', page: 4 }, ...colours.slice(1)], '1'))
  const { changed } = await layer.apply(page([4]))
  agrees(t, layer, ['Green'], 'Green', 'of the page that is left')
  t.match(
    changed.effects.pages,
    [{ page: 3, planes: ['widgets'] }],
    'appearance states are listed, so the version of their page changes',
  )
})

t.test('an extracted page contains its buttons of a group', needs('qpdf'), async (t) => {
  const workshop = Workshop.of(t)
  const path = workshop.path('group.pdf')
  writeFileSync(path, groupPdf([{ stands: 'Red', state: '0', page: 4 }, ...colours.slice(1)], '1'))
  const source = openFile({ path })
  const document = extractPages(source, [3])
  const buffer = document.saveToBuffer('')
  writeFileSync(workshop.path('part.pdf'), buffer.asUint8Array())
  buffer.destroy()
  document.destroy()
  source.destroy()
  const { byPlace, byName, chosen } = judge(workshop.path('part.pdf'))
  t.same([byPlace, byName, chosen], [['Green'], ['Green'], ['Green', 'Green']])
})

t.test('buttons that share a state still share one after being restored in any order', needs('qpdf'), async (t) => {
  const orders = [
    [0, 1, 2],
    [2, 0, 1],
    [1, 2, 0],
  ]
  for (const order of orders) {
    const layer = formLayer(t, groupPdf(sizes, '1', '/Ff 33603584'))
    const snapshot = layer.form()
    const made = []
    for (const number of [12, 11, 13])
      made.push(await layer.apply(removals['forms.deleteWidget'](number, number === 13 ? 4 : 3)))
    for (const index of order) {
      const one = made[index]
      if (one !== undefined) await layer.undo(one)
    }
    t.same(layer.form(), snapshot, `taken back as ${order}`)
  }
})

t.test('an added button has its own list entry and state', needs('qpdf'), async (t) => {
  const layer = formLayer(t, groupPdf(colours, '1'))
  await layer.apply(removals['forms.deleteWidget'](11))
  const black = (exportValue: string) => ({
    type: 'forms.addWidget',
    field: named('group'),
    placement: { page: numbered(3), rect: { x: 200, y: 20, width: 20, height: 20 }, exportValue },
  })
  const added = await layer.apply(black('Black'))
  agrees(t, layer, ['Green', 'Blue', 'Black'], 'Green', 'with Black')
  await layer.apply({ type: 'forms.setValue', field: named('group'), value: { value: 'Black' } })
  agrees(t, layer, ['Green', 'Blue', 'Black'], 'Black', 'Black chosen')
  await layer.undo(added)
  agrees(t, layer, ['Green', 'Blue'], null, 'without Black again')

  const withTextLayout = formLayer(
    t,
    groupPdf(
      colours.map((one, index) => ({ ...one, state: `s${index}` })),
      's1',
    ),
  )
  await withTextLayout.apply(black('Blue'))
  const states = withTextLayout.field('group').widgets.map((widget) => 'onState' in widget && widget.onState)
  t.equal(new Set(states).size, 4, 'states are unique even for equal export values and for states that are not numbers')
  t.same(judgedOf(withTextLayout).byPlace, ['Red', 'Green', 'Blue', 'Blue'])
})

t.test('a value set before a button was removed can still be undone', needs('qpdf'), async (t) => {
  const layer = formLayer(t, groupPdf(colours, '1'))
  const blue = await layer.apply({ type: 'forms.setValue', field: named('group'), value: { value: 'Blue' } })
  await layer.apply(removals['forms.deleteWidget'](11))
  agrees(t, layer, ['Green', 'Blue'], 'Blue', 'without Red')
  t.match((await layer.undo(blue)).item, { type: 'forms.setValue' })
  agrees(t, layer, ['Green', 'Blue'], 'Green', 'chosen before')
})

t.test('the options of a choice field with as many widgets as options are not changed', async (t) => {
  const widget = (x: number) => `<</Type/Annot/Subtype/Widget/P 3 0 R/Rect[${x} 20 ${x + 40} 80]/Parent 10 0 R>>`
  const layer = formLayer(
    t,
    rawPdf({
      1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R]/DA(/Helv 10 Tf 0 g)>>>>',
      2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
      3: '<</Type/Page/Parent 2 0 R/Annots[11 0 R 12 0 R]>>',
      10: '<</FT/Ch/T(list)/Opt[(a)(b)]/Kids[11 0 R 12 0 R]>>',
      11: widget(20),
      12: widget(80),
    }),
  )
  await layer.apply({ type: 'annotations.flatten', page: numbered(3), refs: [widgetOn(3, 11)], usage: 'display' })
  t.match(layer.field('list'), { options: [{ value: 'a' }, { value: 'b' }], widgets: { length: 1 } })
})

/** Fields 10 and 11 of one name, each with a button at a place of its own: `first` and `second` are their states. */
function twoFieldsPdf(kind: string, [first, second]: readonly [string, string]): Buffer {
  const widget = (parent: number, state: string, at: number) =>
    `<</Type/Annot/Subtype/Widget/P 3 0 R/Rect[${at} 20 ${at + 20} 40]/Parent ${parent} 0 R/AS/Off` +
    `/AP<</N<</${state} 40 0 R/Off 41 0 R>>>>>>`
  return rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R 11 0 R]>>>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
    3: '<</Type/Page/Parent 2 0 R/Annots[20 0 R 21 0 R]>>',
    10: `<<${kind}/T(w)/Kids[20 0 R]>>`,
    11: `<<${kind}/T(w)/Kids[21 0 R]>>`,
    20: widget(10, first, 20),
    21: widget(11, second, 60),
    40: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 20 20]>>', stream: '5 5 10 10 re f' },
    41: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 20 20]>>', stream: '0 0 20 20 re S' },
  })
}

function entriesOf({ layer }: FormLayer, numbers: readonly number[], key: string): readonly string[] {
  const document = openFile({ path: layer.sent() })
  try {
    return numbers.map((number) => document.pdf.newIndirect(number).get(key).toString())
  } finally {
    document.destroy()
  }
}

for (const [family, kind, value] of [
  ['radio', '/FT/Btn/Ff 49152', { value: 'D' }],
  ['checkbox', '/FT/Btn', { checked: true }],
] as const) {
  t.test(`two ${family} fields of one name have one value, set by the number of either or by name`, async (t) => {
    const layer = formLayer(t, twoFieldsPdf(kind, ['C', 'D']))
    const shown = () => entriesOf(layer, [20, 21], 'AS')
    const values = () => entriesOf(layer, [10, 11], 'V')
    const set = (field: object) => layer.apply({ type: 'forms.setValue', field, value })
    const made = await set(numbered(11))
    t.same(
      [shown(), values()],
      [
        ['/Off', '/D'],
        ['/D', '/D'],
      ],
    )
    await layer.undo(made)
    t.same(shown(), ['/Off', '/Off'])
    if (family === 'checkbox') {
      await set(numbered(10))
      t.same(
        [shown(), values()],
        [
          ['/C', '/Off'],
          ['/C', '/C'],
        ],
      )
    } else {
      await set(named('w'))
      t.same(
        [shown(), values()],
        [
          ['/Off', '/D'],
          ['/D', '/D'],
        ],
      )
      await layer.refused('InvalidArg', /no button for "X"/, {
        type: 'forms.setValue',
        field: numbered(11),
        value: { value: 'X' },
      })
    }
  })
}

t.test('a combo box takes the value of another of its name although it is none of its options', async (t) => {
  const combo = (options: string, at: number) =>
    `<</Type/Annot/Subtype/Widget/FT/Ch/Ff 131072/T(w)/P 3 0 R/Rect[${at} 20 ${at + 80} 40]/Opt[${options}]/DA(/Helv 9 Tf)>>`
  const pdf = rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R 11 0 R]>>>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
    3: '<</Type/Page/Parent 2 0 R/Annots[10 0 R 11 0 R]>>',
    10: combo('(a)(b)', 20),
    11: combo('(c)(d)', 120),
  })
  const layer = formLayer(t, pdf)
  await layer.apply({ type: 'forms.setValue', field: numbered(11), value: { value: 'd' } })
  t.same(entriesOf(layer, [10, 11], 'V'), ['(d)', '(d)'])
})

t.test('widgets with a value of their own get that of their field, which an undo takes back', async (t) => {
  const widget = (value: string, at: number) =>
    `<</Type/Annot/Subtype/Widget/Parent 10 0 R${value}/P 3 0 R/Rect[${at} 20 ${at + 80} 40]/DA(/Helv 9 Tf)>>`
  const pdf = rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R]>>>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
    3: '<</Type/Page/Parent 2 0 R/Annots[11 0 R 12 0 R]>>',
    10: '<</FT/Tx/T(w)/V(one)/Kids[11 0 R 12 0 R]>>',
    11: widget('/V(other)', 20),
    12: widget('', 120),
  })
  const layer = formLayer(t, pdf)
  const filled = await layer.apply({ type: 'forms.setValue', field: numbered(10), value: { value: 'two' } })
  t.same(entriesOf(layer, [10, 11, 12], 'V'), ['(two)', '(two)', 'null'])
  await layer.undo(filled)
  t.same(entriesOf(layer, [10, 11, 12], 'V'), ['(one)', '(other)', 'null'])
})
