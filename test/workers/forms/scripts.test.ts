// Scripts of fields refer to the same fields after renaming and copying, and during calculation, validation and reset.
import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { extractPages } from '../../../workers/assembly/extraction/extract-pages.js'
import { openFile } from '../../../workers/document/open-file.js'
import { withNames } from '../../../workers/forms/scripts/names-in-script.js'
import { maskProblem, specialProblem, specialText } from '../../../workers/forms/scripts/special-texts.js'
import { type FormLayer, formLayer } from '../../support/pdf/form-layer.js'
import { named, numbered } from '../../support/pdf/form-pdf.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'

const set = (name: string, value: string | null) => ({ type: 'forms.setValue', field: named(name), value: { value } })
const js = (code: string) => `<</S/JavaScript/JS(${code.replace(/[()\\]/g, '\\$&')})>>`

interface Field {
  readonly name: string
  readonly further?: string
  readonly events?: Readonly<Record<string, string>>
}

/** Creates fields merged with their widgets, numbered from 10; `parted`: each field has a separate widget. */
function scriptPdf(
  fields: readonly Field[],
  { order = [] as readonly number[], parted = false, form = '' } = {},
): Buffer {
  const numbers = fields.map((_, index) => 10 + index)
  const widget = (index: number) =>
    `/Type/Annot/Subtype/Widget/P 3 0 R/Rect[${20 + 30 * index} 20 ${40 + 30 * index} 40]`
  const dictionaries = fields.map(({ name, further = '/FT/Tx', events = {} }, index) => {
    const actions = Object.entries(events).map(([event, code]) => `/${event}${js(code)}`)
    const field = `/T(${name})${further}${actions.length === 0 ? '' : `/AA<<${actions.join('')}>>`}`
    return parted ? `<<${field}/Kids[${50 + index} 0 R]>>` : `<<${widget(index)}${field}>>`
  })
  const list = (all: readonly number[]) => all.map((number) => `${number} 0 R`).join(' ')
  return rawPdf({
    1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${list(numbers)}]/CO[${list(order)}]${form}>>>>`,
    2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
    3: `<</Type/Page/Parent 2 0 R/Annots[${list(parted ? numbers.map((number) => number + 40) : numbers)}]>>`,
    ...Object.fromEntries(numbers.map((number, index) => [number, dictionaries[index] ?? ''])),
    ...(parted &&
      Object.fromEntries(numbers.map((number, index) => [number + 40, `<<${widget(index)}/Parent ${number} 0 R>>`]))),
  })
}

const summing: readonly Field[] = [
  { name: 'a' },
  { name: 'b' },
  { name: 'sum', events: { C: 'AFSimple_Calculate("SUM", new Array ("a", "b"));' } },
  { name: 'own', events: { C: 'event.value = this.getField("a").value + getField(\'b\').value; // "a"' } },
  { name: 'reset', further: '/FT/Btn/Ff 65536/A<</S/ResetForm/Fields[(a)11 0 R]/Next<</S/Hide/T(b)>>>>' },
]
const sum = (parted: boolean) => scriptPdf(summing, { order: [12, 13], parted })

const insert = async (layer: FormLayer, bytes: Buffer) =>
  await layer.change({ ops: [{ type: 'pages.insert', resources: { source: 'a' } }], resources: { a: { bytes } } })

const scriptOf = (layer: FormLayer, name: string): string | undefined =>
  layer.field(name).actions?.calculate?.root?.script

for (const parted of [true, false]) {
  const kind = parted ? 'with widgets of their own' : 'that are their own widgets'
  t.test(`inserted fields ${kind} calculate from each other, even if they were renamed`, async (t) => {
    const layer = formLayer(t, sum(parted))
    await insert(layer, sum(parted))
    await layer.apply(set('a_2', '5'), set('b_2', '6'), set('a', '30'), set('b', '2'))
    t.match(layer.field('sum_2'), { value: '11' })
    t.match(layer.field('sum'), { value: '32' })
    t.equal(scriptOf(layer, 'own_2'), 'event.value = this.getField("a_2").value + getField(\'b_2\').value; // "a"')
    t.equal(scriptOf(layer, 'own'), 'event.value = this.getField("a").value + getField(\'b\').value; // "a"')
    const file = readFileSync(layer.layer.sent(), 'latin1')
    t.match(file, /\/Fields\[\(a_2\)\d+ 0 R\]/)
    // Successors of an annotation's action are not copied.
    if (parted) t.match(file, /\/T\(b_2\)>>/)
  })
}

t.test('an inserted script with a dangling field name does not match a field of the document', async (t) => {
  const layer = formLayer(t, sum(false))
  const lonely = scriptPdf([{ name: 'x' }, { name: 'y', events: { C: 'AFSimple_Calculate("SUM", "x, a");' } }], {
    order: [11],
  })
  await insert(layer, lonely)
  await layer.apply(set('a', '30'), set('x', '1'))
  t.match(layer.field('y'), { value: '1' })
})

t.test('calculations use a renamed field as before, also after the undo', async (t) => {
  const layer = formLayer(t, sum(false))
  const snapshot = layer.form()
  const renamed = await layer.apply({ type: 'forms.update', field: named('a'), patch: { name: 'person.amount' } })
  const { changedFields, changedWidgets } = renamed.changed.items.map((item) => Object(item).meta)[0]
  t.same(changedFields, [10, 12, 13, 14].map(numbered), 'fields whose actions follow are reported as well')
  t.equal(changedWidgets.length, 4)
  await layer.apply(set('person.amount', '3'))
  t.match(layer.field('sum'), { value: '3' })
  t.match(scriptOf(layer, 'own'), /getField\("person\.amount"\)/)
  await layer.apply(set('person.amount', null))
  await layer.undo(renamed)
  t.same(
    layer.form().fields.map(({ name, actions }) => [name, actions]),
    snapshot.fields.map(({ name, actions }) => [name, actions]),
  )
  await layer.apply(set('a', '4'))
  t.match(layer.field('sum'), { value: '4' })
})

t.test('a script is rewritten only where a literal names a renamed field', async (t) => {
  const nameFor = (name: string) => (name === 'a' ? 'new' : name)
  const rewritten: Readonly<Record<string, string>> = {
    'getField("a")': 'getField("new")',
    "this . getField ( 'a' /* a */ ).value": "this . getField ( 'new' /* a */ ).value",
    'AFSimple_Calculate("a", "a, b")': 'AFSimple_Calculate("a", "new, b")',
    'if (x / 2 > 1) getField("\\u0061")': 'if (x / 2 > 1) getField("new")',
    'resetForm(["a", "b"])': 'resetForm(["new", "b"])',
  }
  for (const [script, wanted] of Object.entries(rewritten)) t.equal(withNames(script, nameFor), wanted)
  const others = [
    '"getField(\'a\')"',
    '// getField("a")',
    'getField("a" + 1)',
    'getField(x + "a")',
    'getField("b")',
    'x = /"/; y = "a"',
    'other("a")',
    'getField("a',
    '`getField("a")`',
  ]
  for (const script of others) t.equal(withNames(script, nameFor), undefined, script)
})

t.test('copied pages include the scripts of their fields, but not the events of their widgets', async (t) => {
  const scripts = {
    K: 'AFNumber_Keystroke(0, 1, 0, 0, "", false);',
    F: 'AFNumber_Format(0, 1, 0, 0, "", false);',
    V: 'AFRange_Validate(true, 1, true, 10);',
  }
  const bytes = scriptPdf([{ name: 'a', events: { ...scripts, Fo: 'focus()', PO: 'page()' } }, ...summing.slice(1)], {
    order: [12, 13],
  })
  const workshop = Workshop.of(t)
  writeFileSync(workshop.path('a.pdf'), bytes)
  const source = openFile({ path: workshop.path('a.pdf') })
  const document = extractPages(source, [3])
  const buffer = document.saveToBuffer('')
  const extracted = Buffer.from(buffer.asUint8Array())
  for (const one of [buffer, document, source]) one.destroy()
  const layer = formLayer(t, extracted)
  t.match(layer.field('a').actions, { keystroke: {}, format: {}, validate: {} })
  t.equal(layer.form().widgets[0]?.actions, null)
  await layer.refused('InvalidArg', /from 1 to 10/, set('a', '999'))
  await layer.apply(set('a', '7'), set('b', '5'))
  t.match(layer.field('sum'), { value: '12' })
})

t.test('fields missing in the form are renamed on collision as well', async (t) => {
  const orphan = rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
    3: '<</Type/Page/Parent 2 0 R/Annots[10 0 R]>>',
    10: '<</Type/Annot/Subtype/Widget/P 3 0 R/Rect[20 20 40 40]/T(a)/FT/Tx/V(x)>>',
  })
  const layer = formLayer(t, orphan)
  await insert(layer, orphan)
  await insert(layer, orphan)
  t.same(
    layer
      .form()
      .fields.map(({ name }) => name)
      .toSorted(),
    ['a', 'a_2', 'a_3'],
  )
})

t.test('a widget belongs to the field that lists it, whatever its own /Parent is', async (t) => {
  const bytes = rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R]/DA(/Helv 10 Tf 0 g)>>>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
    3: '<</Type/Page/Parent 2 0 R/Annots[11 0 R]>>',
    10: '<</T(a)/FT/Tx/Kids[11 0 R]>>',
    11: '<</Type/Annot/Subtype/Widget/P 3 0 R/Rect[20 20 140 40]>>',
  })
  const layer = formLayer(t, bytes)
  await layer.apply(set('a', 'Shown'))
  t.match(layer.layer.section().toString('latin1'), /\/Parent 10 0 R/)
  const other = formLayer(t, sum(false))
  await insert(other, bytes)
  t.match(other.field('a_2'), { widgets: { length: 1 } })
})

t.test('a reset recalculates, and reports fields that it cannot calculate', async (t) => {
  const fields = [{ name: 'a', further: '/FT/Tx/DV(2)' }, { name: 'b' }, ...summing.slice(2, 4)]
  const layer = formLayer(t, scriptPdf(fields, { order: [12, 13] }))
  const before = layer.form()
  await layer.apply(set('a', '5'), set('sum', '99'))
  const reset = await layer.apply({ type: 'forms.reset' })
  t.match(layer.field('sum'), { value: '2' })
  t.same(reset.item['calculations'], { left: [numbered(13)] })
  await layer.undo(reset)
  t.match(layer.field('sum'), { value: '99' })
  t.same(layer.form().calculationOrder, before.calculationOrder)
})

t.test('a calculated value that its field rejects is not set, and is reported', async (t) => {
  const bounded = {
    name: 'sum',
    events: { C: 'AFSimple_Calculate("SUM", "a");', V: 'AFRange_Validate(false, 0, true, 10);' },
  }
  const layer = formLayer(t, scriptPdf([{ name: 'a' }, bounded], { order: [11] }))
  await layer.apply(set('a', '9'))
  t.match(layer.field('sum'), { value: '9' })
  t.same((await layer.apply(set('a', '11'))).item['calculations'], { left: [numbered(11)] })
  t.match(layer.field('sum'), { value: '9' })
})

t.test('times and special formats are checked', async (t) => {
  const keys = (name: string, K: string) => ({ name, events: { K } })
  const layer = formLayer(
    t,
    scriptPdf([
      keys('time', 'AFTime_Keystroke(1)'),
      keys('zip', 'AFSpecial_Keystroke(0)'),
      keys('mask', 'AFSpecial_KeystrokeEx("AA-99")'),
    ]),
  )
  const values: Readonly<Record<string, readonly [good: readonly string[], bad: readonly string[]]>> = {
    time: [
      ['14:30', '2:30 pm', '2.30.15 PM', '00:00'],
      ['soon', '25:00', '14:61', '5'],
    ],
    zip: [['12345'], ['1234', '12345-6789', 'ABCDE']],
    mask: [
      ['AB-12', 'AB12'],
      ['AB-1', 'A1-12', 'AB-123'],
    ],
  }
  for (const [name, [good, bad]] of Object.entries(values)) {
    for (const value of good) await layer.apply(set(name, value))
    for (const value of bad) await layer.refused('InvalidArg', /must be/, set(name, value))
  }
  t.equal(specialText('123456789', 1), '12345-6789')
  t.equal(specialText('555.123.4567', 2), '(555) 123-4567')
  t.equal(specialText('078051120', 3), '078-05-1120')
  t.equal(specialProblem('anything', 9), undefined, 'unknown special format')
  t.equal(maskProblem('anything', ''), undefined)
})

t.test('members that exclude each other are refused with the name of the member', async (t) => {
  const layer = formLayer(
    t,
    scriptPdf([
      { name: 'a' },
      { name: 'lines', further: '/FT/Tx/Ff 4096' },
      { name: 'odd', further: '/FT/Tx/V(a\\nb)' },
    ]),
  )
  const member = async (patch: object, field = 'a') =>
    (await layer.refused('InvalidArg', /./, { type: 'forms.update', field: named(field), patch }))?.details?.['member']
  t.equal(await member({ comb: true }), 'comb')
  t.equal(await member({ comb: true, maxLength: 4, multiline: true }), 'comb')
  t.equal(await member({ comb: true, maxLength: 4, password: true }), 'comb')
  t.equal(await member({ password: true }, 'lines'), 'password')
  await layer.apply({ type: 'forms.update', field: named('a'), patch: { comb: true, maxLength: 4 } })
  t.equal(await member({ maxLength: null }), 'maxLength')
  t.equal(await member({ multiline: true }), 'multiline')
  const draft = { family: 'text', name: 'new', comb: true }
  await layer.refused('InvalidArg', /maxLength/, { type: 'forms.create', draft })
  const refusal = await layer.refused('InvalidArg', /one line/, set('a', 'x\r\n'))
  t.equal(refusal?.details?.['member'], 'value')
  await layer.apply(set('lines', 'x\r\ny'), set('odd', layer.field('odd').valueEntry.kind === 'scalar' ? 'a\nb' : null))
})

t.test('links to anything but pages of the web, mail and telephones are refused', async (t) => {
  const layer = formLayer(t, sum(false))
  const link = (uri: string) => ({
    type: 'annotations.create',
    page: numbered(3),
    data: { subtype: 'link', rect: { x: 10, y: 10, width: 20, height: 20 }, target: { kind: 'uri', uri } },
  })
  for (const uri of ['javascript:1', ' JavaScript:1', 'java\nscript:1', 'data:text/html,x', 'file:///a', 'page.html'])
    await layer.refused('InvalidArg', /https:/, link(uri))
  for (const uri of ['https://example.com/?a=javascript:1', 'mailto:ada@example.com', 'TEL:1'])
    await layer.apply(link(uri))
})
