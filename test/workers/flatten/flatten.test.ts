// Flattened annotations look as before, in our pictures and those of poppler, and are no longer annotations or fields.
import t from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { annotatedPdf, pageNumber } from '../../support/pdf/annotated-pdf.js'
import { layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { differenceMax, looksAlike, pagePictures } from '../../support/pdf/page-pictures.js'
import { difference } from '../../support/pdf/pictures.js'
import { helvetica, onePage, type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'
import { everyAnnotation } from '../../support/pdf/rich-pdf.js'

const form = (entries: string, stream: string) => ({ body: `<</Type/XObject${entries}>>`, stream })
const ref = (objectNumber: number) => ({ kind: 'objectNumber', page: pageRef(pageNumber), objectNumber })

/**
 * Appearances that are scaled, rotated, clipped, with states, NoRotate, or in an optional content group; and one after
 * unbalanced page content.
 */
const drawn = annotatedPdf({
  annotations: [
    '/Subtype/Square/Rect[30 480 130 560]/F 4/AP<</N 40 0 R>>/Popup 11 0 R/P 3 0 R',
    '/Subtype/Popup/Rect[200 400 300 500]/Parent 10 0 R/P 3 0 R',
    '/Subtype/Stamp/Rect[150 480 250 560]/F 4/AP<</N 41 0 R>>/P 3 0 R',
    '/Subtype/Stamp/Rect[30 380 130 460]/F 4/AP<</N<</On 40 0 R/Off 42 0 R>>>>/AS/Off/P 3 0 R',
    '/Subtype/Text/Rect[150 400 170 420]/F 28/AP<</N 43 0 R>>/P 3 0 R',
    '/Subtype/Square/Rect[30 300 130 340]/F 2/AP<</N 40 0 R>>/P 3 0 R',
    '/Subtype/Square/Rect[150 300 250 340]/F 36/AP<</N 40 0 R>>/P 3 0 R',
    '/Subtype/Text/Rect[300 300 320 320]/IRT 10 0 R/RT/R/Contents(Reply)/F 2/AP<</N 43 0 R>>/P 3 0 R',
    '/Subtype/Link/Rect[30 200 130 220]/A<</S/URI/URI(https://example.com)>>/P 3 0 R',
    '/Subtype/Square/Rect[150 200 250 240]/F 4/AP<</N 40 0 R>>/OC 45 0 R/P 3 0 R',
  ],
  page: '/Contents 44 0 R/Rotate 90',
  catalog: '/OCProperties<</OCGs[45 0 R]/D<</OFF[45 0 R]>>>>',
  further: {
    40: form('/Subtype/Form/BBox[0 0 50 40]', '1 0 0 rg 5 5 40 30 re f 0 0 1 RG 2 w 10 10 30 20 re S'),
    41: form('/BBox[0 0 50 40]/Matrix[0 1 -1 0 10 20]', '0 .6 0 rg 0 0 25 40 re f'),
    42: form('/Subtype/Form/BBox[0 0 100 80]', '.5 g 10 10 80 20 re f'),
    43: form('/Subtype/Form/BBox[0 0 20 20]', '1 .5 0 rg 0 0 20 10 re f'),
    44: { body: '<<>>', stream: 'q 2 0 0 2 50 50 cm .9 g 0 0 300 300 re f' },
    45: '<</Type/OCG/Name(Off)>>',
  },
})

t.test(
  'annotations.flatten draws visible annotations and removes their popups',
  needs('qpdf', 'pdftoppm'),
  async (t) => {
    const layer = layerOf(t, drawn)
    const before = await pagePictures(t, layer)
    const refs = [15, 10, 12, 13, 14, 16, 18, 19].map(ref)
    const { items, effects, undo, endsUndo } = await layer.apply({
      type: 'annotations.flatten',
      page: pageRef(pageNumber),
      refs,
      usage: 'display',
    })
    t.match(items[0], {
      page: pageRef(pageNumber),
      usage: 'display',
      results: refs.map((one) => ({
        ref: one,
        status: [15, 16, 18].includes(one.objectNumber) ? 'unchanged' : 'applied',
      })),
      meta: { affectedPages: [pageRef(pageNumber)], undoable: false },
    })
    t.same([undo, endsUndo], [null, true])
    t.same(effects, { pages: [{ page: pageNumber, planes: ['content', 'annotations'] }], document: ['annotations'] })
    judged('qpdf', ['--check', layer.sent()])
    looksAlike(t, before, await pagePictures(t, layer, { family: 'pages' }))
    const { annotations } = layer.reads(t).annotations(pageNumber)
    t.same(
      annotations.map(({ ref: { kind: _kind, ...one } }) => ('objectNumber' in one ? one.objectNumber : 0)),
      [15, 16, 17, 18],
    )
    t.match(annotations[2], { contents: 'Reply', reply: null })
    layer.cold()
    looksAlike(t, before, await pagePictures(t, layer))
  },
)

t.test('a flatten for print draws exactly the annotations with the print flag', async (t) => {
  const layer = layerOf(t, drawn)
  const refs = [10, 15, 16].map(ref)
  const { items } = await layer.apply({ type: 'annotations.flatten', page: pageRef(pageNumber), refs, usage: 'print' })
  t.match(items[0], { results: [{ status: 'applied' }, { status: 'unchanged' }, { status: 'applied' }] })
})

t.test('a flatten that draws nothing changes nothing and keeps the undo history', async (t) => {
  const layer = layerOf(t, drawn)
  const { images, effects, endsUndo } = await layer.apply({
    type: 'annotations.flatten',
    page: pageRef(pageNumber),
    refs: [ref(15)],
    usage: 'display',
  })
  t.same([images, effects.pages, endsUndo], [[], [], false])
  const unknown = { type: 'annotations.flatten', page: pageRef(pageNumber), refs: [ref(99)], usage: 'display' }
  await t.rejects(layer.apply(unknown), { code: 'NotFound' })
})

const widget = '/Type/Annot/Subtype/Widget/F 4'

/** Two pages that share resources and a field; a checkbox that is off, a text without a drawing, a hidden one. */
const fields: RawObjects = {
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R 11 0 R 12 0 R 15 0 R]/CO[11 0 R]/DA(/Helv 12 Tf 0 g)>>>>',
  2: `<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]/Resources 5 0 R>>`,
  3: '<</Type/Page/Parent 2 0 R/Contents[6 0 R]/Annots[13 0 R 11 0 R 12 0 R 15 0 R]>>',
  4: '<</Type/Page/Parent 2 0 R/Contents 6 0 R/Annots[14 0 R]>>',
  5: `<<${helvetica}>>`,
  6: { body: '<<>>', stream: 'BT /F1 12 Tf 20 150 Td (Content) Tj ET' },
  10: '<</FT/Tx/T(both)/V(Ada)/Kids[13 0 R 14 0 R]>>',
  11: `<<${widget}/FT/Btn/T(check)/V/Off/AS/Off/AP<</N<</On 20 0 R>>>>/Rect[10 100 30 120]/P 3 0 R>>`,
  12: `<<${widget}/FT/Tx/T(bare)/V(Written anew)/Rect[40 100 140 120]/P 3 0 R>>`,
  13: `<<${widget}/Parent 10 0 R/Rect[10 10 60 30]/P 3 0 R/AP<</N 20 0 R>>>>`,
  14: `<<${widget}/Parent 10 0 R/Rect[10 10 60 30]/P 4 0 R/AP<</N 20 0 R>>>>`,
  15: `<</Type/Annot/Subtype/Widget/F 2/FT/Tx/T(hidden)/Rect[70 10 90 30]/P 3 0 R/AP<</N 20 0 R>>>>`,
  20: form('/Subtype/Form/BBox[0 0 50 20]', '0 .5 0 rg 0 0 50 20 re f'),
}

t.test(
  'pages.flatten draws fields too and removes them from the form',
  needs('qpdf', 'pdftoppm', 'pdftotext'),
  async (t) => {
    const layer = layerOf(t, rawPdf(fields))
    const before = await pagePictures(t, layer)
    const second = await pagePictures(t, layer, { page: 4 })
    const { items, effects, images } = await layer.apply({
      type: 'pages.flatten',
      pages: [pageRef(3)],
      usage: 'display',
    })
    t.match(items[0], { pages: [pageRef(3)], usage: 'display', results: [{ page: pageRef(3), status: 'applied' }] })
    t.same(effects.pages, [{ page: 3, planes: ['content', 'annotations', 'widgets'] }])
    t.notOk(
      images.some(({ number }) => number === 5),
      'resources shared by pages are unchanged',
    )
    judged('qpdf', ['--check', layer.sent()])
    const snapshot = layer.reads(t).form()
    t.same(
      snapshot.fields.map(({ name, widgets }) => [name, widgets.length]),
      [
        ['both', 1],
        ['hidden', 1],
      ],
    )
    t.same(snapshot.calculationOrder, [])
    t.match(judged('pdftotext', ['-l', '1', layer.sent(), '-']).toString(), /Content[\s\S]*Written anew/)
    looksAlike(t, second, await pagePictures(t, layer, { page: 4 }))
    const after = await pagePictures(t, layer)
    t.ok(difference(before.poppler, after.poppler) < 1, 'only the text without an appearance is new')
  },
)

t.test('a flatten without pages covers all pages; a second one does nothing', needs('qpdf', 'pdftoppm'), async (t) => {
  const layer = layerOf(t, rawPdf(fields))
  const { items } = await layer.apply({ type: 'pages.flatten', usage: 'print' })
  t.match(items[0], { results: [{ status: 'applied' }, { status: 'applied' }] })
  t.same(
    layer
      .reads(t)
      .form()
      .fields.map(({ name }) => name),
    ['hidden'],
  )
  const { images, items: again } = await layer.apply({ type: 'pages.flatten', usage: 'print' })
  t.same(images, [])
  t.match(again[0], {
    results: [{ status: 'unchanged' }, { status: 'unchanged' }],
    meta: { affectedPages: { length: 0 } },
  })
})

t.test(
  'annotations of every subtype can be flattened, including inline ones and those without an appearance',
  needs('qpdf', 'pdftoppm'),
  async (t) => {
    const layer = layerOf(t, everyAnnotation())
    const before = await pagePictures(t, layer)
    const { items } = await layer.apply({ type: 'pages.flatten', usage: 'display' })
    t.match(items[0], { results: [{ status: 'applied' }] })
    const left = layer
      .reads(t)
      .annotations(pageNumber)
      .annotations.map(({ subtype }) => subtype)
    t.same([...new Set(left)].sort(), ['link', 'unsupported'])
    judged('qpdf', ['--check', layer.sent()])
    const after = await pagePictures(t, layer)
    t.ok(
      difference(before.ours, after.ours) < differenceMax,
      `annotations without appearance look as before: ${difference(before.ours, after.ours)}`,
    )
  },
)

/** Content as left by generators and mergers: constructs open at its end must not affect what is drawn after it. */
const openContents: Readonly<Record<string, string>> = {
  states: '.5 0 0 .5 100 100 cm q 0 1 0 rg q 0 0 30 30 re f',
  text: '2 0 0 2 0 0 cm q BT /F1 12 Tf 10 20 Td (open) Tj',
  'a marked part': '.5 0 0 .5 0 0 cm /P <</MCID 0>> BDC q 0 0 50 50 re f',
  'a clip': '0 0 20 20 re W n q .5 0 0 .5 0 0 cm',
  'an array': '.5 0 0 .5 0 0 cm q [1 2',
  operands: '.5 0 0 .5 0 0 cm q 1 2 3',
  'a string': '.5 0 0 .5 0 0 cm q BT /F1 20 Tf 10 20 Td (unclosed \\) (q',
  'an inline image': '.5 0 0 .5 0 0 cm q BI /W 2 /H 2 /BPC 8 /CS /G ID abcd',
  'a q in a text, and in a comment': 'BT /F1 9 Tf (q q) Tj ET % q q\n.5 0 0 .5 0 0 cm',
}

t.test(
  'constructs left open by page content do not affect what is drawn after it',
  needs('pdftoppm', 'qpdf'),
  async (t) => {
    for (const [what, content] of Object.entries(openContents)) {
      const half = Math.floor(content.length / 2)
      const layer = layerOf(t, openPage(`q ${content.slice(0, half)}`, content.slice(half)))
      const before = await pagePictures(t, layer)
      await layer.apply({ type: 'pages.flatten', usage: 'display' })
      judged('qpdf', ['--check', layer.sent()])
      looksAlike(t, before, await pagePictures(t, layer, { family: 'pages' }), what)
    }
  },
)

t.test('content that restores more states than it saved is flattened correctly', async (t) => {
  const layer = layerOf(t, openPage('.5 0 0 .5 20 20 cm Q Q 0 1 0 rg 0 0 60 60 re f', ' q 3 0 0 3 0 0 cm q'))
  const before = await pagePictures(t, layer)
  await layer.apply({ type: 'pages.flatten', usage: 'display' })
  const after = await pagePictures(t, layer, { family: 'pages' })
  // poppler loses the content of such a page before the flatten; afterwards the page is valid.
  t.ok(difference(before.ours, after.ours) < differenceMax)
  t.ok(difference(after.poppler, after.ours) < differenceMax)
})

/** Splits content at white space: tokens end where streams end. */
function openPage(first: string, second: string): Buffer {
  const blank = first.lastIndexOf(' ')
  return onePage('', {
    further: {
      3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents[6 0 R 7 0 R]/Resources<<${helvetica}>>/Annots[10 0 R]>>`,
      6: { body: '<<>>', stream: first.slice(0, blank) },
      7: { body: '<<>>', stream: first.slice(blank) + second },
      10: '<</Type/Annot/Subtype/Square/Rect[150 100 190 120]/F 4/AP<</N 20 0 R>>>>',
      20: form('/Subtype/Form/BBox[0 0 40 20]', '1 0 0 rg 0 0 40 20 re f'),
    },
  })
}
