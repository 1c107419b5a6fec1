// Insertion of pages of another PDF: with their annotations, fields and resources, without effect on existing pages.
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { FormSnapshot } from '../../../workers/contract/form-snapshot.js'
import type { PageList } from '../../../workers/contract/page-list.js'
import { pageRef } from '../../../workers/contract/page-ref.js'
import type { OpenDocument } from '../../../workers/document/open-document.js'
import { mupdf } from '../../../workers/engine/library.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { misplaced, unreadable } from '../../support/pdf/damaged-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage, type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'

const content = (word: string) => ({ body: '<<>>', stream: `BT /F1 12 Tf 20 100 Td (${word}) Tj ET` })
const font = (name: string): string => `<</Type/Font/Subtype/Type1/BaseFont/${name}>>`
const widget = '/Type/Annot/Subtype/Widget/Rect[1 1 9 9]/FT/Tx'

/** One rotated page with a field and an optional content group that is off; another layer used an object number. */
const target: RawObjects = {
  1: `<</Type/Catalog/Pages 2 0 R/AcroForm 5 0 R/OCProperties<</OCGs[8 0 R]/D<</OFF[8 0 R]/Order[8 0 R]>>>>>>`,
  2: `<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]/CropBox[10 10 90 90]/Rotate 90/Resources<<${helvetica}>>>>`,
  3: '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[6 0 R]>>',
  4: content('Mine'),
  5: `<</Fields[6 0 R]/DA(/Helv 0 Tf 0 g)/DR<</Font<</Helv ${font('Helvetica')}/Other ${font('Courier')}>>>>>>`,
  6: `<<${widget}/T(name)/V(mine)/P 3 0 R>>`,
  8: '<</Type/OCG/Name(Mine)>>',
}

const source: RawObjects = {
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm 5 0 R/Dests<</there[4 0 R/Fit]>>/OCProperties<</OCGs[20 0 R 21 0 R]/D<</OFF[21 0 R]>>>>>>',
  2: `<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 500 600]/Resources<<${helvetica}>>>>`,
  3: '<</Type/Page/Parent 2 0 R/Contents 10 0 R/Annots[12 0 R 13 0 R 14 0 R 15 0 R 16 0 R<</Type/Annot/Subtype/Text/Rect[1 1 9 9]/Contents(inline)>>]>>',
  4: '<</Type/Page/Parent 2 0 R/Contents 11 0 R/Rotate 180/Annots[17 0 R]>>',
  5: `<</Fields[16 0 R 18 0 R]/CO[16 0 R]/DA(/Times 9 Tf 0 g)/Q 2/DR<</Font<</Helv ${font('Courier')}/Times ${font('Times-Roman')}>>>>>>`,
  10: content('First'),
  11: content('Second'),
  12: '<</Type/Annot/Subtype/Text/Rect[1 1 9 9]/Contents(note)/Popup 13 0 R/P 3 0 R>>',
  13: '<</Type/Annot/Subtype/Popup/Rect[1 1 9 9]/Parent 12 0 R/P 3 0 R>>',
  14: '<</Type/Annot/Subtype/Text/Rect[1 1 9 9]/Contents(reply)/IRT 12 0 R/P 3 0 R>>',
  15: '<</Type/Annot/Subtype/Link/Rect[1 1 9 9]/Dest/there/P 3 0 R>>',
  16: `<<${widget}/T(name)/V(theirs)/DA(/Helv 12 Tf 1 g)/P 3 0 R>>`,
  17: `<<${widget}/Parent 18 0 R/P 4 0 R>>`,
  18: '<</T(group)/Kids[17 0 R]/Kind/kept>>',
  20: '<</Type/OCG/Name(On)>>',
  21: '<</Type/OCG/Name(Off)>>',
}

const insert = { type: 'pages.insert', resources: { source: 'a' } }
const inserting = async (layer: ChangingLayer, bytes: Uint8Array, more: object = {}) =>
  await layer.change({ ops: [{ ...insert, ...more }], resources: { a: { bytes } } })

interface Inserted {
  readonly insertedPages: readonly { readonly objectNumber: number }[]
  readonly layout: PageList
}
const insertedOf = (items: readonly object[]): Inserted => items[0] as Inserted

function checked(t: Test, layer: ChangingLayer, { layout }: Inserted): void {
  t.same(layout, layer.reads(t).layout(), 'the answer is what a read of the sent file says')
  judged('qpdf', ['--check', layer.sent()])
}

const fieldNamed = ({ fields }: FormSnapshot, wanted: string) => fields.find(({ name }) => name === wanted)

t.test(
  'pages are inserted at the requested position, in their order, and look as before',
  needs('qpdf', 'pdftotext', 'pdfinfo'),
  async (t) => {
    const layer = layerOf(t, rawPdf(target))
    layer.passNumbers(10)
    const { items, effects, undo } = await inserting(layer, rawPdf(source), { position: 'start' })
    const inserted = insertedOf(items)
    const [first = 0, second = 0] = inserted.insertedPages.map(({ objectNumber }) => objectNumber)
    t.same(
      inserted.layout.pages.map(({ ref }) => ref.objectNumber),
      [first, second, 3],
    )
    t.equal(second, first + 1, 'new consecutive object numbers')
    t.ok(first >= 19, 'no number that another layer used')
    t.same(
      inserted.layout.pages.map(({ size, rotation }) => [size.width, rotation]),
      [
        [500, 0],
        [500, 180],
        [80, 90],
      ],
    )
    checked(t, layer, inserted)
    t.match(judged('pdftotext', [layer.sent(), '-']).toString(), /First[\s\S]*Second/)
    t.match(judged('pdfinfo', [layer.sent()]).toString(), /Pages:\s+3/)
    t.same([...effects.document].sort(), ['annotations', 'forms', 'layout'])
    t.equal(undo, null)
    layer.cold()
    const { items: later } = await layer.apply({ type: 'pages.rotate', pages: [pageRef(second)], rotation: 0 })
    t.equal(insertedOf(later).layout.pages[1]?.rotation, 0, 'inserted pages can be changed')
  },
)

t.test('annotations, replies, popups and links among the inserted pages are copied', async (t) => {
  const layer = layerOf(t, rawPdf(target))
  const { insertedPages } = insertedOf((await inserting(layer, rawPdf(source))).items)
  const [first = 0, second = 0] = insertedPages.map(({ objectNumber }) => objectNumber)
  const { annotations } = layer.reads(t).annotations(first)
  t.same(
    annotations.map(({ subtype }) => subtype),
    ['text', 'popup', 'text', 'link', 'widget', 'text'],
  )
  const [note, popup, reply, link, , inline] = annotations
  t.same(note?.popup, popup?.ref)
  t.same(reply?.reply?.to, note?.ref)
  t.match(link, { target: { kind: 'goto', destination: { kind: 'fit', page: pageRef(second) } } })
  t.match(inline, { contents: 'inline', ref: { kind: 'objectNumber' } }, 'what was inline has a number of its own')
})

t.test('a renamed font is renamed in the fonts of the field too', async (t) => {
  const layer = layerOf(t, rawPdf(target))
  const own = `/DR<</Font<</Helv ${font('Courier')}>>>>`
  await inserting(layer, rawPdf({ ...source, 16: `<<${widget}/T(name)/DA(/Helv 12 Tf 1 g)/P 3 0 R${own}>>` }))
  const fonts = await layer.open((document) => {
    const field = document.catalog.get('AcroForm').get('Fields', 1)
    return [field.get('DA').asString(), field.get('DR', 'Font', 'Helv_2', 'BaseFont').asName()]
  })
  t.same(fonts, ['/Helv_2 12 Tf 1 g', 'Courier'])
})

t.test('inserted fields get unused names and keep their appearance', needs('qpdf'), async (t) => {
  const layer = layerOf(t, rawPdf(target))
  const { items } = await inserting(layer, rawPdf(source))
  const form = layer.reads(t).form()
  t.same(
    form.fields.map(({ name }) => name),
    ['name', 'name_2', 'group'],
  )
  t.match(fieldNamed(form, 'name'), { value: 'mine' })
  t.match(fieldNamed(form, 'name_2'), { value: 'theirs' })
  t.same(form.calculationOrder, [fieldNamed(form, 'name_2')?.ref])
  const looks = await layer.open((document) => {
    const dictionary = document.catalog.get('AcroForm')
    const [mine, theirs, group] = [0, 1, 2].map((index) => dictionary.get('Fields', index))
    return {
      mine: mine?.get('DA').isNull(),
      theirs: theirs?.get('DA').asString(),
      group: group?.get('DA').asString(),
      align: group?.get('Q').asNumber(),
      fonts: ['Helv', 'Helv_2', 'Times', 'Other'].map((name) =>
        dictionary.get('DR', 'Font', name, 'BaseFont').asName(),
      ),
    }
  })
  t.same(looks, {
    mine: true,
    theirs: '/Helv_2 12 Tf 1 g',
    group: '/Times 9 Tf 0 g',
    align: 2,
    fonts: ['Helvetica', 'Courier', 'Times-Roman', 'Courier'],
  })
  checked(t, layer, insertedOf(items))
  const { items: again } = await inserting(layer, rawPdf(source))
  t.same(
    layer
      .reads(t)
      .form()
      .fields.map(({ name }) => name),
    ['name', 'name_2', 'group', 'name_3', 'group_2'],
  )
  checked(t, layer, insertedOf(again))
})

t.test('inserted optional content groups keep their state', async (t) => {
  const layer = layerOf(t, rawPdf(target))
  const black = 'q /OC /Off BDC 0 0 500 600 re f EMC Q'
  const resources = '/Resources<</Properties<</Off 21 0 R>>>>'
  const page = `<</Type/Page/Parent 2 0 R/Contents 11 0 R${resources}>>`
  const bytes = rawPdf({ ...source, 4: page, 11: { body: '<<>>', stream: black } })
  const { insertedPages } = insertedOf((await inserting(layer, bytes)).items)
  const number = insertedPages[1]?.objectNumber ?? 0
  const color = (document: OpenDocument): number | undefined =>
    document.withPage(
      number,
      (loaded) => loaded.toPixmap([1, 0, 0, 1, 0, 0], mupdf.ColorSpace.DeviceGray).getPixels()[0],
    )
  t.equal(await layer.open(color), 255, 'in the open copy')
  layer.cold()
  t.equal(await layer.open(color), 255, 'in a reopened copy')
  const names = await layer.open(({ catalog }) => {
    const named = (...path: string[]): string[] => {
      const list = catalog.get('OCProperties', ...path)
      return Array.from({ length: list.length }, (_, index) => list.get(index, 'Name').asString())
    }
    return [named('OCGs'), named('D', 'OFF'), named('D', 'Order')]
  })
  t.same(names, [
    ['Mine', 'On', 'Off'],
    ['Mine', 'Off'],
    ['Mine', 'On', 'Off'],
  ])
})

t.test('a document without form and optional content gets those of the inserted pages', needs('qpdf'), async (t) => {
  const layer = layerOf(t, onePage(''))
  const { items } = await inserting(layer, rawPdf(source), { position: { after: pageRef(3) } })
  t.same(
    layer
      .reads(t)
      .form()
      .fields.map(({ name }) => name),
    ['name', 'group'],
  )
  checked(t, layer, insertedOf(items))
})

t.test('a chain of replies of any length is copied completely', async (t) => {
  const replies = 400
  const numbers = Array.from({ length: replies }, (_, index) => index + 10)
  const chain = numbers.map((number) => [
    number,
    `<</Type/Annot/Subtype/Text/Rect[1 1 9 9]/Contents(${number})${number + 1 < 10 + replies ? `/IRT ${number + 1} 0 R` : ''}>>`,
  ])
  const bytes = onePage('', {
    page: `/Annots[${numbers.map((number) => `${number} 0 R`).join(' ')}]`,
    further: Object.fromEntries(chain),
  })
  const layer = layerOf(t, onePage(''))
  const { insertedPages } = insertedOf((await inserting(layer, bytes)).items)
  const { annotations } = layer.reads(t).annotations(insertedPages[0]?.objectNumber)
  t.equal(annotations.filter(({ reply }) => reply !== null).length, replies - 1)
})

t.test('damage in the inserted PDF removes nothing from its pages', needs('qpdf', 'pdftotext'), async (t) => {
  const looks = async (bytes: Uint8Array) => {
    const layer = layerOf(t, rawPdf(target))
    const inserted = insertedOf((await inserting(layer, bytes)).items)
    checked(t, layer, inserted)
    const reads = layer.reads(t)
    const numbers = inserted.layout.pages.map(({ ref }) => ref.objectNumber)
    return {
      words: judged('pdftotext', ['-layout', layer.sent(), '-']).toString().split(/\s+/).filter(Boolean),
      annotations: numbers.map((page) => reads.annotations(page).annotations.map(({ subtype }) => subtype)),
      fields: reads.form().fields.map(({ name, widgets }) => [name, widgets.length]),
    }
  }
  const sound = rawPdf(source)
  const expected = await looks(sound)
  t.match(expected.words.join(' '), /Mine.*First.*Second/)
  for (const number of [5, 10, 11, 14, 16, 17, 21]) {
    t.same(await looks(misplaced(sound, number, 5)), expected, `object ${number} is elsewhere`)
  }
  t.same(await looks(unreadable(sound, 21)), expected, 'the layer that is off is damaged')
})

t.test('an invalid insertion is refused, and the layer is unchanged', needs('qpdf'), async (t) => {
  const layer = layerOf(t, rawPdf(target))
  const before = layer.reads(t).layout()
  await t.rejects(layer.apply(insert), { code: 'InvalidArg', details: { role: 'source' } })
  const none = rawPdf({ 1: '<</Type/Catalog/Pages 2 0 R>>', 2: '<</Type/Pages/Kids[]/Count 0>>' })
  const plain = layerOf(t, rawPdf(source)).basePath
  judged('qpdf', ['--encrypt', '', 'owner', '256', '--', plain, `${plain}.locked.pdf`])
  const refused = [
    [Buffer.from('no PDF'), 'unreadable'],
    [rawPdf({ 1: '7', 2: '8' }), 'unreadable'],
    [none, 'no-pages'],
    [readFileSync(`${plain}.locked.pdf`), 'encrypted'],
  ] as const
  for (const [bytes, reason] of refused) {
    await t.rejects(inserting(layer, bytes), { code: 'InvalidArg', details: { role: 'source', reason } }, reason)
  }
  const beside = inserting(layer, rawPdf(source), { position: { before: pageRef(99) } })
  await t.rejects(beside, { code: 'NotFound' })
  const huge = rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: `<</Type/Pages/Kids[${'3 0 R '.repeat(2_001)}]/Count 2001/MediaBox[0 0 9 9]>>`,
    3: '<</Type/Page/Parent 2 0 R>>',
  })
  await t.rejects(inserting(layer, huge), { code: 'PayloadTooLarge', details: { limit: 'insertedPagesMax' } })
  t.same(layer.reads(t).layout(), before)
})
