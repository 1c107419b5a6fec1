import t, { type Test } from 'tap'
import type { FormField } from '../../../workers/contract/form-field.js'
import { type AnnotatedPdf, annotatedPdf, pageNumber } from '../../support/pdf/annotated-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { readsOf } from '../../support/pdf/reads.js'

const page = { kind: 'objectNumber', objectNumber: pageNumber } as const
const numbered = (objectNumber: number) => ({ kind: 'objectNumber', objectNumber }) as const
const annotation = (objectNumber: number) => ({ kind: 'objectNumber', page, objectNumber }) as const
const placed = (objectNumber: number) => ({ ref: annotation(objectNumber), objectNumber, page })

const widget = '/Subtype/Widget/Rect[30 480 130 560]'
const states = (...names: readonly string[]): string =>
  `/AP<</N<<${names.map((name) => `/${name} 70 0 R`).join('')}>>>>`

/** Makes a PDF with widgets numbered from 10 and a form that lists `fields`. */
function form(
  annotations: readonly string[],
  fields: string,
  rest: AnnotatedPdf & { readonly form?: string } = {},
): Buffer {
  return annotatedPdf({ annotations, ...rest, catalog: `/AcroForm<</Fields[${fields}]${rest.form ?? ''}>>` })
}

const everyFamily = (): Buffer =>
  form(
    [
      `${widget}/FT/Tx/T(text)/V(\xfe\xff\x26\x3a)/DV(d)/MaxLen 8/Ff ${bits(13, 14, 25)}`,
      `${widget}/FT/Btn/T(check)/V/On/AS/On${states('Off', 'On')}`,
      `${widget}/Parent 60 0 R/AS/a${states('a', 'Off')}`,
      `${widget}/Parent 60 0 R/AS/Off${states('b', 'Off')}`,
      `${widget}/FT/Ch/T(combo)/Ff ${bits(18, 19)}/V(b)/Opt[(a)[(b)(Bee)]]`,
      `${widget}/FT/Ch/T(list)/Ff ${bits(22)}/V[(x)(z)]/DV(x)/Opt[(x)(y)(z)]`,
      `${widget}/FT/Btn/T(push)/Ff ${bits(17)}/MK<</CA(Go)>>`,
      `${widget}/FT/Sig/T(sign)`,
      `${widget}/FT/Odd/T(odd)/V(raw)`,
    ],
    '10 0 R 11 0 R 60 0 R 14 0 R 15 0 R 16 0 R 17 0 R 18 0 R',
    { further: { 60: `<</FT/Btn/T(radio)/Ff ${bits(15, 16, 26)}/V/a/Kids[12 0 R 13 0 R]>>` } },
  )

const bits = (...flags: readonly number[]): number => flags.reduce((sum, flag) => sum + 2 ** (flag - 1), 0)

t.test('every field family has its specific members (shapes 6)', async (t) => {
  const { fields, formKind, needsAppearances, calculationOrder, widgets } = readsOf(t, everyFamily()).form()
  t.match(fields, [
    { family: 'text', value: '☺', defaultValue: 'd', maxLength: 8, multiline: true, password: true, comb: true },
    {
      family: 'checkbox',
      checked: true,
      exportValue: 'On',
      widgets: [{ ...placed(11), onState: 'On', checked: true }],
    },
    {
      family: 'radio',
      ref: numbered(60),
      value: 'a',
      radiosInUnison: true,
      noToggleToOff: true,
      widgets: [
        { ...placed(12), onState: 'a', exportValue: 'a', checked: true },
        { ...placed(13), onState: 'b', exportValue: 'b', checked: false },
      ],
    },
    {
      family: 'combobox',
      value: 'b',
      edit: true,
      options: [
        { label: 'a', value: 'a', selected: false },
        { label: 'Bee', value: 'b', selected: true },
      ],
    },
    { family: 'listbox', selectedValues: ['x', 'z'], defaultValue: ['x'], multiSelect: true },
    { family: 'pushbutton' },
    { family: 'signature' },
    { family: 'unknown', rawValue: 'raw' },
  ])
  t.equal(fields.length, 8)
  t.same([formKind, needsAppearances, calculationOrder], ['acroform', false, []])
  t.same(
    widgets.map(({ field, fieldFamily }) => [field, fieldFamily]),
    [
      [numbered(10), 'text'],
      [numbered(11), 'checkbox'],
      [numbered(60), 'radio'],
      [numbered(60), 'radio'],
      [numbered(14), 'combobox'],
      [numbered(15), 'listbox'],
      [numbered(16), 'pushbutton'],
      [numbered(17), 'signature'],
      [numbered(18), 'unknown'],
    ],
  )
  t.equal(widgets[6]?.caption, 'Go')
})

interface QpdfField {
  readonly fullname: string
  readonly object: string
  readonly alternativename: string
  readonly ischeckbox: boolean
  readonly isradiobutton: boolean
  readonly ischoice: boolean
  readonly istext: boolean
}

t.test('names, numbers and kinds of fields equal those that qpdf reports', needs('qpdf'), async (t) => {
  const reads = readsOf(t, everyFamily())
  const reported: { readonly acroform: { readonly fields: readonly QpdfField[] } } = JSON.parse(
    judged('qpdf', ['--json=1', '--json-key=acroform', reads.source.path]).toString(),
  )
  const { fields } = reads.form()
  const widgetOwners = reported.acroform.fields.map(({ fullname, ischeckbox, isradiobutton, ischoice, istext }) => ({
    name: fullname,
    kind: [ischeckbox, isradiobutton, ischoice, istext],
  }))
  const ours = fields.flatMap(({ name, family, widgets }) =>
    widgets.map(() => ({
      name,
      kind: [
        family === 'checkbox',
        family === 'radio',
        family === 'combobox' || family === 'listbox',
        family === 'text',
      ],
    })),
  )
  t.same(sorted(ours), sorted(widgetOwners))
})

const sorted = (entries: readonly { readonly name: string }[]) =>
  [...entries].sort((one, other) => one.name.localeCompare(other.name))

t.test('a field has all common members, and none that the file cannot contain', async (t) => {
  const body = `${widget}/FT/Tx/T(a)/TU(Say it)/TM(map)/Ff ${bits(1, 2, 3)}/AA<</K<</S/JavaScript/JS(k)>>/C 7/E<</S/Hide>>>>`
  const [field] = readsOf(t, form([body], '10 0 R')).form().fields
  t.same(field, {
    ref: numbered(10),
    name: 'a',
    origin: 'acroform',
    readOnly: true,
    required: true,
    noExport: true,
    alternateName: 'Say it',
    mappingName: 'map',
    valueEntry: { kind: 'none' },
    defaultValueEntry: { kind: 'none' },
    actions: {
      keystroke: {
        root: { type: 'javascript', subtype: 'JavaScript', script: 'k', next: [] },
        incomplete: false,
        warningFlags: 0,
        warnings: [],
      },
      calculate: { root: null, incomplete: false, warningFlags: 2, warnings: ['malformed-next'] },
    },
    createdBy: null,
    createdAt: null,
    filledBy: null,
    filledByName: null,
    filledAt: null,
    importedBy: null,
    widgets: [placed(10)],
    family: 'text',
    value: '',
    defaultValue: '',
    maxLength: null,
    multiline: false,
    password: false,
    comb: false,
  })
})

const fieldsOf = (t: Test, bytes: Buffer): readonly FormField[] => readsOf(t, bytes).form().fields

t.test('names are joined by full stops, and values are inherited from the fields above', async (t) => {
  const further = {
    60: '<</T(person)/FT/Tx/V(above)/Ff 1/Kids[61 0 R 62 0 R]>>',
    61: '<</T(first)/Parent 60 0 R/Kids[10 0 R]>>',
    62: '<</Parent 60 0 R/Kids[63 0 R]>>',
    63: '<</T(last)/Parent 62 0 R/V(own)/Ff 0>>',
  }
  const fields = fieldsOf(t, form([`${widget}/Parent 61 0 R`], '60 0 R', { further }))
  t.match(fields, [
    { name: 'person.first', ref: numbered(61), family: 'text', value: 'above', readOnly: true, widgets: [placed(10)] },
    { name: 'person.last', ref: numbered(63), family: 'text', value: 'own', readOnly: false, widgets: { length: 0 } },
  ])
})

t.test('with /Opt the states of radios are numbers, and /Opt has their values', async (t) => {
  const radio = (value: string, options: string) =>
    fieldsOf(
      t,
      form(
        [`${widget}/Parent 60 0 R/AS/0${states('0', 'Off')}`, `${widget}/Parent 60 0 R/AS/Off${states('1', 'Off')}`],
        '60 0 R',
        { further: { 60: `<</FT/Btn/T(r)/Ff ${bits(16)}/Kids[10 0 R 11 0 R]${value}/Opt[${options}]>>` } },
      ),
    )
  t.match(radio('/V/1', '(Small)(Large)'), [{ value: 'Large', widgets: [{ checked: false }, { checked: true }] }])
  t.match(radio('/V/1', '(1)(2)'), [{ value: '2', widgets: [{ checked: false }, { exportValue: '2', checked: true }] }])
  t.match(radio('/V(Small)', '(Small)(Large)'), [{ value: 'Small', widgets: [{ checked: true }, { checked: false }] }])
  t.match(radio('/V/Off', '(Small)(Large)'), [{ value: '', widgets: [{ checked: false }, { checked: false }] }])
  t.match(radio('', '(Small)(Large)'), [{ value: 'Small' }], 'what is shown, where the field says nothing')
  t.match(radio('/V/1', '7'), [{ value: '1' }])
})

t.test('a checkbox without widgets or states is checked according to its value', async (t) => {
  const further = { 60: '<</FT/Btn/T(c)/V/Agreed>>', 61: '<</FT/Btn/T(d)/V/Off>>', 62: '<</FT/Btn/T(e)>>' }
  t.match(fieldsOf(t, form([`${widget}/FT/Btn/T(bare)`], '60 0 R 61 0 R 62 0 R 10 0 R', { further })), [
    { checked: true, exportValue: 'Agreed', widgets: { length: 0 } },
    { checked: false, exportValue: 'Yes' },
    { checked: false, exportValue: 'Yes' },
    { checked: false, widgets: [{ onState: 'Yes', exportValue: 'Yes', checked: false }] },
  ])
})

t.test('a field lists all its widgets: on pages, on no page, and inline', async (t) => {
  const bytes = form([`${widget}/Parent 60 0 R`], '60 0 R', {
    inline: `<</Type/Annot${widget}/Parent 60 0 R>>`,
    further: { 60: '<</FT/Tx/T(shared)/Kids[61 0 R 10 0 R<</Subtype/Widget>>]>>', 61: `<<${widget}/Parent 60 0 R>>` },
  })
  const { fields, widgets } = readsOf(t, bytes).form()
  t.same(fields[0]?.widgets, [
    { ref: null, objectNumber: 61, page: null },
    placed(10),
    { ref: null, objectNumber: 0, page: null },
    { ref: { kind: 'baseIndex', page, baseIndex: 0 }, objectNumber: 0, page },
  ])
  t.same(
    widgets.map(({ field }) => field),
    [numbered(60), numbered(60)],
  )
})

t.test('fields that only widgets refer to are recovered, once each', async (t) => {
  const bytes = annotatedPdf({
    inline: `<<${widget}/FT/Tx/T(in)>><<${widget}/FT/Tx/T(in)>><<${widget}>>`,
    annotations: [`${widget}/FT/Tx/T(own)/V(v)`, `${widget}/Parent 60 0 R`, `${widget}/Parent 60 0 R`],
    further: { 60: '<</FT/Btn/T(lost)>>' },
  })
  const { formKind, fields, widgets } = readsOf(t, bytes).form()
  t.equal(formKind, 'none')
  t.match(fields, [
    {
      ref: { kind: 'fqn', name: 'in' },
      origin: 'recovered',
      name: 'in',
      widgets: [{ objectNumber: 0 }, { objectNumber: 0 }],
    },
    { ref: numbered(10), origin: 'recovered', value: 'v', widgets: [placed(10)] },
    { ref: numbered(60), origin: 'recovered', name: 'lost', family: 'checkbox', widgets: [placed(11), placed(12)] },
  ])
  t.equal(fields.length, 3)
  t.same(widgets[2]?.field, null, 'a widget without name, type or parent belongs to no field')
  t.equal(widgets[2]?.fieldFamily, 'unknown')
})

t.test('a kid that does not know its parent still belongs to it', async (t) => {
  const fields = fieldsOf(t, form([`${widget}/FT/Btn`], '60 0 R', { further: { 60: '<</FT/Tx/T(p)/Kids[10 0 R]>>' } }))
  t.match(fields, [{ ref: numbered(60), widgets: [placed(10)] }])
  t.equal(fields.length, 1)
})

t.test('values are returned as stored', async (t) => {
  const values: readonly (readonly [string, object])[] = [
    ['(text)', { kind: 'scalar', value: 'text' }],
    ['/Name', { kind: 'scalar', value: 'Name' }],
    ['61 0 R', { kind: 'scalar', value: 'in a stream' }],
    ['[(a)/b]', { kind: 'array', values: ['a', 'b'] }],
    ['[(a) 7]', { kind: 'unsupported' }],
    ['<</Type/Sig>>', { kind: 'unsupported' }],
    ['7', { kind: 'unsupported' }],
    ['null', { kind: 'none' }],
    ['99 0 R', { kind: 'none' }],
  ]
  for (const [value, entry] of values) {
    const further = { 60: `<</FT/Tx/T(v)/V ${value}/DV ${value}>>`, 61: { body: '<<>>', stream: 'in a stream' } }
    t.match(fieldsOf(t, form([], '60 0 R', { further })), [{ valueEntry: entry, defaultValueEntry: entry }], value)
  }
})

t.test('the selection of a list without a value is read from /I', async (t) => {
  const further = { 60: `<</FT/Ch/T(l)/I[2 0 99]/Opt[(a)(b)[(c)(Sea)] 7]>>` }
  t.match(fieldsOf(t, form([], '60 0 R', { further })), [
    {
      selectedValues: ['a', 'c'],
      options: [
        { value: 'a', selected: true },
        { value: 'b', selected: false },
        { value: 'c', label: 'Sea', selected: true },
      ],
    },
  ])
})

t.test('the calculation order lists fields, and null for entries that are not fields', async (t) => {
  const bytes = form([`${widget}/FT/Tx/T(a)`], '10 0 R', { form: '/CO[10 0 R 99 0 R 3 0 R(x)]/NeedAppearances true' })
  const { calculationOrder, needsAppearances } = readsOf(t, bytes).form()
  t.same(calculationOrder, [numbered(10), null, null, null])
  t.equal(needsAppearances, true)
})

t.test('a form with XFA is reported as xfa; one that is not a dictionary as none', async (t) => {
  t.equal(readsOf(t, form([], '', { form: '/XFA[(a) 5 0 R]' })).form().formKind, 'xfa')
  t.equal(readsOf(t, annotatedPdf({ catalog: '/AcroForm 7' })).form().formKind, 'none')
})

t.test('widgets have border, rotation and text style, inherited from field and form', async (t) => {
  const mk = '/MK<</R 90/BC[1 0 0]/BG[]/CA(No)>>'
  const bytes = form(
    [`${widget}/Parent 60 0 R${mk}/BS<</W 3/S/I>>`, `${widget}/FT/Tx/T(b)/DA(/TiRo 0 Tf 0 0 1 rg)`],
    '60 0 R 11 0 R',
    { form: '/DA(/HeBo 9 Tf 0.5 g)/Q 2', further: { 60: '<</FT/Tx/T(a)/Q 1/Kids[10 0 R]>>' } },
  )
  t.match(readsOf(t, bytes).form().widgets, [
    {
      rect: { x: 10, y: 20, width: 100, height: 80 },
      box: { x: 20, y: 10, width: 80, height: 100 },
      rotation: 270,
      color: '#ff0000',
      interiorColor: null,
      strokeWidth: 3,
      borderStyle: 'inset',
      fontFamily: 'helvetica-bold',
      fontSize: 9,
      fontColor: '#808080',
      textAlign: 'center',
      caption: null,
    },
    { rotation: null, fontFamily: 'times-roman', fontSize: 0, fontColor: '#0000ff', textAlign: 'right', color: null },
  ])
})

t.test('reading of cyclic, repeating and 3,000 levels deep field trees ends', async (t) => {
  const loop = { 60: '<</T(a)/Kids[61 0 R 60 0 R]/Parent 61 0 R>>', 61: '<</T(b)/Parent 60 0 R/Kids[60 0 R]>>' }
  t.ok(fieldsOf(t, form([`${widget}/Parent 61 0 R`], '60 0 R 60 0 R 61 0 R', { further: loop })).length <= 2)
  const deep: Record<number, string> = {}
  for (let level = 0; level < 3_000; level++) {
    deep[100 + level] = `<</T(n)/FT/Tx/Parent ${99 + level} 0 R/Kids[${101 + level} 0 R]>>`
  }
  const fields = fieldsOf(t, form([`${widget}/Parent 3099 0 R`], '100 0 R', { further: deep }))
  t.ok(fields.every(({ name }) => name.length < 200))
  const wild = '7(x)/N[1]<<>><</T 5/Kids 7/FT(x)/Ff/a/V<<>>>><</T(same)>><</T(same)>> 99 0 R null'
  t.same(
    fieldsOf(t, form([], wild)).map(({ ref }) => ref),
    [{ kind: 'fqn', name: 'same' }],
    'fields without number and unique name have no ref',
  )
})
