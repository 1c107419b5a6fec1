// Names that are not UTF-8, as written by programs that use the system's encoding, are unchanged by every operation on
// a file.
import t, { type Test } from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { mupdf } from '../../../workers/engine/library.js'
import { bytesOfName, nameAsWritten, nameFromBytes, shownName, writtenName } from '../../../workers/engine/names.js'
import { extract } from '../../../workers/jobs/extract.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage, type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'

const form = (content: string) => ({ body: '<</Type/XObject/Subtype/Form/BBox[0 0 14 14]>>', stream: content })
const on = form('1 0 0 rg 0 0 14 14 re f')
const off = form('0 0 1 RG 1 1 12 12 re S')

const toggle = (parent: string, states: readonly string[], rect: string) =>
  `<</Type/Annot/Subtype/Widget${parent}/F 4/P 3 0 R/AS/Off/Rect[${rect}]/AP<</N<<${states
    .map((state) => `/${state} 21 0 R`)
    .join('')}/Off 22 0 R>>>>>>`

/** Every category of resource has a name that is not UTF-8, escaped or raw. */
const objects: RawObjects = {
  1: `<</Type/Catalog/Pages 2 0 R/Dests<</Z#fcrich[3 0 R/Fit]>>/OCProperties<</OCGs[30 0 R]/D<</Order[30 0 R]>>>>
/AcroForm<</Fields[10 0 R 11 0 R 12 0 R]/DR<</Font<</Sch#f6n 6 0 R>>>>/DA(/Sch#f6n 9 Tf 0 g)>>>>`,
  2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Annots[10 0 R 13 0 R 14 0 R 12 0 R 15 0 R]/PieceInfo<</Sch#f6n<</Private(x)>>>>
/Resources<</Font<</F#fc 5 0 R/OK 6 0 R/A\xa0b 6 0 R/#c3#bc 6 0 R>>/XObject<</Fm#e9 7 0 R>>/ExtGState<</G#e4<</ca .5>>>>/Shading<</S#e4 8 0 R>>/Pattern<</P#e4<</PatternType 2/Shading 8 0 R>>>>
/Properties<</L#e4 30 0 R>>/ColorSpace<</C#e4[/Separation/Gr#fcn/DeviceCMYK 9 0 R]>>>>>>`,
  4: {
    body: '<<>>',
    stream: [
      'BT /F#fc 20 Tf 50 270 Td (Escaped) Tj ET BT /F\xfc 20 Tf 50 240 Td (Raw) Tj ET BT /OK 20 Tf 50 210 Td (plain) Tj ET',
      'BT /A\xa0b 20 Tf 50 180 Td (Blank) Tj ET BT /#c3#bc 20 Tf 50 150 Td (Unicode) Tj ET',
      'q 1 0 0 1 200 200 cm /Fm#e9 Do Q q /G#e4 gs 0 1 0 rg 200 100 9 9 re f Q q 220 100 9 9 re W n /S#e4 sh Q',
      '/Pattern cs /P#e4 scn 240 100 9 9 re f /C#e4 cs 1 scn 260 100 9 9 re f /OC /L#e4 BDC 280 100 9 9 re f EMC',
    ].join('\n'),
  },
  5: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>',
  6: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  7: {
    body: '<</Type/XObject/Subtype/Form/BBox[0 0 90 90]/Resources<</Font<</I#df 5 0 R>>>>>>',
    stream: 'BT /I#df 12 Tf 0 10 Td (Inner) Tj ET',
  },
  8: '<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 300 0]/Function 9 0 R/Extend[true true]>>',
  9: '<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[1 0 1 0]/N 1>>',
  10: toggle('/FT/Btn/T(sex)', ['m#e4nnlich'], '10 10 24 24'),
  11: '<</FT/Btn/Ff 32768/T(name)/Kids[13 0 R 14 0 R 15 0 R]>>',
  12: '<</Type/Annot/Subtype/Widget/FT/Tx/T(t)/F 4/P 3 0 R/Rect[10 50 90 70]>>',
  13: toggle('/Parent 11 0 R', ['M#fcller'], '30 10 44 24'),
  14: toggle('/Parent 11 0 R', ['M#f6ller'], '50 10 64 24'),
  15: toggle('/Parent 11 0 R', ['M#c3#bcller'], '70 10 84 24'),
  21: on,
  22: off,
  30: '<</Type/OCG/Name(Layer)>>',
}

const words = ['Escaped', 'Raw', 'plain', 'Blank', 'Unicode', 'Inner']
const textOf = (path: string) => judged('pdftotext', ['-layout', path, '-']).toString()
const pictureOf = (path: string) => judged('pdftoppm', ['-r', '72', path])
/** Objects as another program reads and spells them. */
const spelled = (path: string) => judged('qpdf', ['--qdf', path, '-']).toString('latin1')

const objectIn = (path: string, number: number): string =>
  judged('qpdf', [`--show-object=${number}`, path]).toString('latin1')

function hasAllNames(t: Test, path: string): void {
  const written = spelled(path)
  for (const name of ['F#fc', 'A#a0b', '#c3#bc', 'G#e4', 'S#e4', 'P#e4', 'L#e4', 'C#e4', 'Gr#fcn', 'I#df'])
    t.ok(written.includes(`/${name} `) || written.includes(`/${name}\n`), `/${name} is there`)
  t.notMatch(written, /#ef#bf#bd/i)
}

const judges = needs('qpdf', 'pdftotext', 'pdftoppm')

t.test('an extracted page looks as before', judges, async (t) => {
  const workshop = Workshop.of(t)
  const source = workshop.source(rawPdf(objects))
  const path = workshop.path('extracted.pdf')
  await runner(t)(extract, { source, pages: [3], path })
  for (const word of words) t.match(textOf(path), word)
  t.ok(pictureOf(path).equals(pictureOf(source.path)))
  hasAllNames(t, path)
  t.match(spelled(path), '/m#e4nnlich')
  t.match(spelled(path), '/Sch#f6n <<')
})

const into = (layer: ChangingLayer) =>
  layer.change({
    ops: [{ type: 'pages.insert', resources: { source: 'a' } }],
    resources: { a: { bytes: rawPdf(objects) } },
  })

t.test('an inserted page looks as before, also if its names are in use', judges, async (t) => {
  const layer = layerOf(t, rawPdf({ ...objects, 6: '<</Type/Font/Subtype/Type1/BaseFont/Courier>>' }))
  await into(layer)
  const path = layer.sent()
  const [, inserted = ''] = textOf(path).split('\f')
  for (const word of words) t.match(inserted, word)
  judged('qpdf', ['--check', path])
  const written = spelled(path)
  t.match(written, /\/Sch#f6n_2 \d+ 0 R/, 'the other font of the form has a name of its own')
  t.match(written, '(/Sch#F6n_2 9 Tf 0 g)')
  t.notMatch(written, /#ef#bf#bd/i)
  const plain = layerOf(t, onePage('', {}))
  await into(plain)
  hasAllNames(t, plain.sent())
})

t.test('a redaction of an empty place removes nothing', judges, async (t) => {
  const marked = {
    3: String(objects[3]).replace('/Annots[', '/Annots[40 0 R '),
    40: '<</Type/Annot/Subtype/Redact/Rect[150 30 160 40]/QuadPoints[150 40 160 40 150 30 160 30]>>',
  }
  const before = pictureOf(layerOf(t, rawPdf(objects)).sent())
  const layer = layerOf(t, rawPdf({ ...objects, ...marked }))
  await layer.apply({ type: 'redactions.apply', pages: [pageRef(3)] })
  const path = layer.sent()
  t.ok(pictureOf(path).equals(before))
  for (const word of words) t.match(textOf(path), word)
  hasAllNames(t, path)
})

t.test('a reset does not select a redacted button', judges, async (t) => {
  const marked = {
    3: String(objects[3]).replace('/Annots[', '/Annots[40 0 R '),
    11: '<</FT/Btn/Ff 32768/T(name)/DV/M#fcller/V/M#f6ller/Kids[13 0 R 14 0 R 15 0 R]>>',
    14: String(objects[14]).replace('/AS/Off', '/AS/M#f6ller'),
    40: '<</Type/Annot/Subtype/Redact/Rect[28 8 46 26]/QuadPoints[28 26 46 26 28 8 46 8]>>',
  }
  const layer = layerOf(t, rawPdf({ ...objects, ...marked }))
  await layer.apply({ type: 'redactions.apply', pages: [pageRef(3)] })
  t.notMatch(objectIn(layer.sent(), 11), '/DV')
  t.match(objectIn(layer.sent(), 11), '/V /M#f6ller')
})

t.test('flatten keeps the page content and draws the current state', judges, async (t) => {
  const checked = String(objects[10]).replace('/AS/Off', '/AS/m#e4nnlich/V/m#e4nnlich')
  const layer = layerOf(t, rawPdf({ ...objects, 10: checked }))
  const before = pictureOf(layer.sent())
  await layer.apply({ type: 'pages.flatten', pages: [pageRef(3)], usage: 'display' })
  const path = layer.sent()
  t.ok(pictureOf(path).equals(before))
  hasAllNames(t, path)
})

const field = (objectNumber: number) => ({ kind: 'objectNumber', objectNumber })
const setValue = (objectNumber: number, value: object) => ({
  type: 'forms.setValue',
  field: field(objectNumber),
  value,
})

t.test('a check box is checked with the state name of the file and retains its appearances', judges, async (t) => {
  const layer = layerOf(t, rawPdf(objects))
  const [before] = layer.reads(t).form().fields
  t.match(before, { family: 'checkbox', checked: false, exportValue: 'männlich', widgets: [{ onState: 'männlich' }] })
  const { undo } = await layer.apply(setValue(10, { checked: true }))
  t.match(layer.reads(t).form().fields[0], { checked: true, exportValue: 'männlich' })
  const path = layer.sent()
  t.match(objectIn(path, 10), '/AP << /N << /Off 22 0 R /m#e4nnlich 21 0 R >> >> /AS /m#e4nnlich')
  t.match(objectIn(path, 10), '/V /m#e4nnlich')
  await layer.undo(undo)
  t.match(layer.reads(t).form().fields[0], { checked: false })
  t.match(objectIn(layer.sent(), 10), '/AP << /N << /Off 22 0 R /m#e4nnlich 21 0 R >> >> /AS /Off')
})

t.test('buttons whose state names differ in one raw byte are two choices', judges, async (t) => {
  const layer = layerOf(t, rawPdf(objects))
  const choices = () => {
    const group = layer.reads(t).form().fields[1]
    if (group?.family !== 'radio') throw new Error('No group')
    return { value: group.value, values: group.widgets.map(({ exportValue }) => exportValue) }
  }
  t.same(choices().values, ['M#FCller', 'Möller', 'Müller'], 'two that would read alike are told apart')
  const states = ['/M#fcller', '/M#f6ller', '/M#c3#bcller']
  for (const [place, value] of choices().values.entries()) {
    await layer.apply(setValue(11, { value }))
    t.equal(choices().value, value)
    const path = layer.sent()
    t.match(objectIn(path, 11), `/V ${states[place]} `)
    for (const [other, state] of states.entries())
      t.match(objectIn(path, 13 + other), `/AS ${other === place ? state : '/Off'} `)
  }
})

t.test('field text uses a font whose name is not UTF-8, in content and /DA', judges, async (t) => {
  const layer = layerOf(t, rawPdf(objects))
  await layer.apply(setValue(12, { value: 'Written' }))
  t.match(textOf(layer.sent()), 'Written')
  const { undo } = await layer.apply({
    type: 'forms.updateWidget',
    widget: { kind: 'objectNumber', page: pageRef(3), objectNumber: 12 },
    patch: { fontSize: 7 },
  })
  t.match(objectIn(layer.sent(), 12), '/DA (/Sch#F6n 7 Tf 0 0 0 rg)')
  await layer.undo(undo)
  t.notMatch(objectIn(layer.sent(), 12), '/DA')
})

t.test(
  'custom metadata with a key that is not UTF-8 is read, changed and restored under this key',
  judges,
  async (t) => {
    const layer = layerOf(t, rawPdf({ ...objects, 41: '<</K#fche(four)>>' }, { trailer: '/Info 41 0 R' }))
    t.same(layer.reads(t).customMetadata(), { Kühe: 'four' })
    const { undo } = await layer.apply({ type: 'metadata.updateCustom', patch: { Kühe: 'five' } })
    t.match(objectIn(layer.sent(), 41), '/K#fche (five)')
    t.same(layer.reads(t).customMetadata(), { Kühe: 'five' })
    const gone = await layer.apply({ type: 'metadata.updateCustom', patch: { Kühe: null } })
    t.same(layer.reads(t).customMetadata(), {})
    await layer.undo(gone.undo)
    await layer.undo(undo)
    t.match(objectIn(layer.sent(), 41), '/K#fche (four)')
  },
)

t.test('two names are read as the same string exactly if their bytes are equal', async (t) => {
  const texts = new Set<string>()
  // A name cannot contain byte 0 (7.3.5).
  const bytes = Array.from({ length: 255 * 255 }, (_, both) =>
    String.fromCharCode(1 + Math.floor(both / 255), 1 + (both % 255)),
  )
  const awkward = [
    '',
    '\xef\xbb\xbf',
    '\xef\xbf\xbd',
    '\xed\xa0\x80',
    '\xf0\x9f\x98\x80',
    '\xf0\x9f\x98',
    'x'.repeat(300),
  ]
  const wrong = [...bytes, ...awkward].filter((name) => {
    const text = nameFromBytes(name)
    texts.add(text)
    return bytesOfName(text).toString('latin1') !== name || nameAsWritten(writtenName(text)) !== text
  })
  t.same(wrong, [])
  t.equal(texts.size, bytes.length + awkward.length)
  t.same(
    ['m\xe4nnlich', 'm\xc3\xa4nnlich', '\x80'].map((name) => shownName(nameFromBytes(name))),
    ['männlich', 'männlich', '€'],
  )
})

t.test('the engine reads and writes every name unchanged', async (t) => {
  const pdf = new mupdf.PDFDocument()
  const dictionary = pdf.newDictionary()
  const names = ['', 'a b', 'a/b#c', 'm\xe4', 'm\xc3\xa4', '\xef\xbb\xbfx', '\xff', 'x'.repeat(300)].map(nameFromBytes)
  for (const [place, name] of names.entries()) dictionary.put(name, place)
  t.same(
    names.map((name) => dictionary.get(name).asNumber()),
    [...names.keys()],
  )
  t.same(
    names.map((name) => dictionary.getInheritable(name).asNumber()),
    [...names.keys()],
  )
  t.same(
    names.map((name) => pdf.newName(name).asName()),
    names,
  )
  const found: unknown[] = []
  dictionary.forEach((_, key) => {
    found.push(key)
  })
  t.same(found.toSorted(), names.toSorted())
  for (const name of names) dictionary.delete(name)
  t.equal(dictionary.toString(), '<<>>')
  pdf.destroy()
})
