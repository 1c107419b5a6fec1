// Deleting, rotating, moving and adding pages: inherited attributes, labels, names and references stay correct.
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { PageList } from '../../../workers/contract/page-list.js'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { openFile } from '../../../workers/document/open-file.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'

const content = (word: string) => ({ body: '<<>>', stream: `BT /F1 12 Tf 20 100 Td (${word}) Tj ET` })
const widget = '/Type/Annot/Subtype/Widget/Rect[1 1 9 9]'

/** Four pages under two nodes with different inheritable attributes, with labels, names, a form and links. */
const objects: RawObjects = {
  1: '<</Type/Catalog/Pages 2 0 R/PageLabels 40 0 R/Names<</Pages 41 0 R/Dests<</Names[(there)[20 0 R/Fit]]>>>>/AcroForm<</Fields[50 0 R 51 0 R 52 0 R]/CO[51 0 R 50 0 R]>>/Outlines 60 0 R>>',
  2: `<</Type/Pages/Kids[3 0 R 4 0 R]/Count 4/Resources<<${helvetica}>>>>`,
  3: '<</Type/Pages/Parent 2 0 R/Kids[10 0 R 20 0 R]/Count 2/MediaBox[0 0 200 300]/Rotate 90>>',
  4: '<</Type/Pages/Parent 2 0 R/Kids[30 0 R 35 0 R]/Count 2/MediaBox[0 0 500 600]/CropBox[50 50 450 550]>>',
  10: '<</Type/Page/Parent 3 0 R/Contents 11 0 R/Annots[12 0 R 53 0 R]>>',
  11: content('First'),
  12: '<</Type/Annot/Subtype/Link/Rect[1 1 9 9]/Dest[20 0 R/Fit]/P 10 0 R>>',
  20: '<</Type/Page/Parent 3 0 R/Contents 21 0 R/Annots[54 0 R 51 0 R 22 0 R]>>',
  21: content('Second'),
  22: '<</Type/Annot/Subtype/Text/Rect[1 1 9 9]/P 20 0 R>>',
  30: '<</Type/Page/Parent 4 0 R/Contents 31 0 R>>',
  31: content('Third'),
  35: '<</Type/Page/Parent 4 0 R/Contents 36 0 R>>',
  36: content('Fourth'),
  40: '<</Nums[0<</S/r>>2<</S/D/P(A-)/St 5>>]>>',
  41: '<</Kids[42 0 R 43 0 R]>>',
  42: '<</Limits[(Annex)(Annex)]/Names[(Annex)30 0 R]>>',
  43: '<</Limits[(Plan)(Plan)]/Names[(Plan)20 0 R]>>',
  50: '<</FT/Tx/T(both)/Kids[53 0 R 54 0 R]>>',
  51: `<<${widget}/FT/Tx/T(second)/P 20 0 R>>`,
  52: '<</FT/Tx/T(hidden)/V(kept)>>',
  53: `<<${widget}/Parent 50 0 R/P 10 0 R>>`,
  54: `<<${widget}/Parent 50 0 R/P 20 0 R>>`,
  60: '<</First 61 0 R/Last 61 0 R/Count 1>>',
  61: '<</Title(Second)/Parent 60 0 R/Dest[20 0 R/Fit]>>',
}

const layoutOf = (item: object | undefined): PageList => (item as { readonly layout: PageList }).layout
const order = ({ pages }: PageList): readonly number[] => pages.map(({ ref }) => ref.objectNumber)
const labels = ({ pages }: PageList) => pages.map(({ label }) => label)

/** Compares the response with a read of the download, and checks the download with qpdf. */
function checked(t: Test, layer: ChangingLayer, layout: PageList): void {
  t.same(layout, layer.reads(t).layout(), 'the answer is what a read of the sent file says')
  judged('qpdf', ['--check', layer.sent()])
}

const textOf = (layer: ChangingLayer): string =>
  judged('pdftotext', [layer.sent(), '-']).toString().replace(/\s+/g, ' ')

t.test(
  'pages.delete removes pages with their annotations and fields, and nothing else',
  needs('qpdf', 'pdftotext'),
  async (t) => {
    const layer = layerOf(t, rawPdf(objects))
    const { items, undo, endsUndo, effects } = await layer.apply({ type: 'pages.delete', pages: [pageRef(20)] })
    const layout = layoutOf(items[0])
    t.same(order(layout), [10, 30, 35])
    t.same(labels(layout), ['i', 'A-5', 'A-6'], 'a page keeps what it is called')
    t.same(layout.namedPages.find(({ name }) => name === 'Plan')?.target, { kind: 'dangling' })
    checked(t, layer, layout)
    t.equal(textOf(layer), 'First Third Fourth \f'.replace('\f', '').replace(/ $/, ' '))
    const form = layer.reads(t).form()
    t.same(
      form.fields.map(({ name, widgets }) => [name, widgets.length]),
      [
        ['both', 1],
        ['hidden', 0],
      ],
    )
    t.same(form.calculationOrder, [{ kind: 'objectNumber', objectNumber: 50 }])
    t.match(
      layer
        .reads(t)
        .annotations(10)
        .annotations.find(({ subtype }) => subtype === 'link'),
      { target: { kind: 'unsupported' } },
    )
    t.equal(undo, null, 'pages.delete cannot be undone')
    t.equal(endsUndo, false, 'earlier changes can still be undone')
    t.same([...effects.document].sort(), ['annotations', 'forms', 'layout'])
    t.same(
      effects.pages,
      [
        { page: 10, planes: ['annotations'] },
        { page: 20, planes: [] },
      ],
      'a link to the deleted page is dangling',
    )
    t.match(items[0], { meta: { affectedPages: [pageRef(20)], undoable: false } })
  },
)

t.test('deleting every page or a missing page is refused', async (t) => {
  const layer = layerOf(t, rawPdf(objects))
  const all = [10, 20, 30, 35].map(pageRef)
  await t.rejects(layer.apply({ type: 'pages.delete', pages: all }), { code: 'InvalidArg' })
  await t.rejects(layer.apply({ type: 'pages.delete', pages: [pageRef(11)] }), { code: 'NotFound' })
  const { images, effects } = await layer.apply({ type: 'pages.delete', pages: [] })
  t.same([images, effects.document, effects.pages], [[], [], []], 'naming none changes nothing')
})

t.test('a node of the page tree that loses its last page is removed', needs('qpdf'), async (t) => {
  const layer = layerOf(t, rawPdf(objects))
  await layer.apply({ type: 'pages.delete', pages: [pageRef(30)] })
  layer.cold()
  const { items } = await layer.apply({ type: 'pages.delete', pages: [pageRef(35)] })
  checked(t, layer, layoutOf(items[0]))
  const open = openFile({ path: layer.sent() })
  t.match(open.catalog.get('Pages').resolve().toString(true), '/Kids[3 0 R]/Count 2')
  open.destroy()
})

t.test(
  'pages.reorder keeps object numbers, labels and attributes inherited from the former node',
  needs('qpdf', 'pdftotext'),
  async (t) => {
    const layer = layerOf(t, rawPdf(objects))
    const before = new Map(
      layer
        .reads(t)
        .layout()
        .pages.map((page) => [page.ref.objectNumber, page]),
    )
    const op = { type: 'pages.reorder', pages: [pageRef(35), pageRef(10)], position: { after: pageRef(20) } }
    const { items, effects } = await layer.apply(op)
    const layout = layoutOf(items[0])
    t.same(order(layout), [20, 35, 10, 30])
    for (const page of layout.pages) {
      const { index: _index, ...same } = page
      t.match(before.get(page.ref.objectNumber), same)
    }
    checked(t, layer, layout)
    t.match(textOf(layer), /Second Fourth First Third/)
    t.same(
      effects.pages,
      [35, 10].map((page) => ({ page, planes: [] })),
    )
    t.same([...effects.document].sort(), ['annotations', 'forms', 'layout'])
    t.match(items[0], { pages: [pageRef(35), pageRef(10)], meta: { affectedPages: [pageRef(35), pageRef(10)] } })
  },
)

t.test('a reorder without moves writes nothing, and a page cannot be placed beside itself', async (t) => {
  const layer = layerOf(t, rawPdf(objects))
  const { images, effects } = await layer.apply({ type: 'pages.reorder', pages: [pageRef(10)], position: 'start' })
  t.same([images, effects.document], [[], []])
  const beside = { type: 'pages.reorder', pages: [pageRef(10)], position: { after: pageRef(10) } }
  await t.rejects(layer.apply(beside), { code: 'InvalidArg' })
  const twice = { type: 'pages.reorder', pages: [pageRef(10), pageRef(10)], position: 'end' }
  await t.rejects(layer.apply(twice), { code: 'InvalidArg' })
  const { items } = await layer.apply({ type: 'pages.reorder', pages: [35, 30, 20, 10].map(pageRef), position: 'end' })
  t.same(order(layoutOf(items[0])), [35, 30, 20, 10], 'all pages can be moved at once')
})

t.test('moving one of a thousand pages rewrites one node of the page tree', async (t) => {
  const kids = Array.from({ length: 1000 }, (_, index) => index + 3)
  const pages = Object.fromEntries(kids.map((number) => [number, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>']))
  const list = kids.map((number) => `${number} 0 R`).join(' ')
  const flat = { 1: '<</Type/Catalog/Pages 2 0 R>>', 2: `<</Type/Pages/Kids[${list}]/Count 1000>>`, ...pages }
  const layer = layerOf(t, rawPdf(flat))
  const { images } = await layer.apply({ type: 'pages.reorder', pages: [pageRef(900)], position: 'start' })
  t.same(
    images.map(({ number }) => number),
    [2],
  )
  t.ok((images[0]?.body.byteLength ?? 0) < 10_000)
})

t.test(
  'pages.rotate sets an absolute angle, whatever the page had or inherited',
  needs('qpdf', 'pdfinfo'),
  async (t) => {
    const layer = layerOf(t, rawPdf(objects))
    const { items, images, effects } = await layer.apply({
      type: 'pages.rotate',
      pages: [pageRef(10), pageRef(30)],
      rotation: 90,
    })
    const layout = layoutOf(items[0])
    checked(t, layer, layout)
    t.match(judged('pdfinfo', ['-l', '4', layer.sent()]).toString(), /Page\s+1 rot:\s+90[\s\S]*Page\s+3 rot:\s+90/)
    t.same(
      images.map(({ number }) => number),
      [30],
      'a page that has this angle already is not written',
    )
    t.same(effects, { pages: [{ page: 30, planes: [] }], document: ['layout'] })
  },
)

t.test(
  'pages.insertBlank adds empty pages of the given size that inherit nothing',
  needs('qpdf', 'pdfinfo'),
  async (t) => {
    const layer = layerOf(t, rawPdf(objects))
    const op = {
      type: 'pages.insertBlank',
      size: { width: 100, height: 50 },
      count: 2,
      position: { before: pageRef(30) },
    }
    const { items } = await layer.apply(op)
    const layout = layoutOf(items[0])
    const inserted = layout.pages.slice(2, 4)
    t.match(items[0], { insertedPages: inserted.map(({ ref }) => ref) })
    for (const { size, rotation, boxes } of inserted) {
      t.same([size, rotation, boxes.media], [{ width: 100, height: 50 }, 0, { x: 0, y: 0, width: 100, height: 50 }])
    }
    t.same(labels(layout), ['i', 'ii', 'iii', 'iv', 'A-5', 'A-6'], 'new pages go on counting')
    checked(t, layer, layout)
    const between = { type: 'pages.insertBlank', size: { width: 9, height: 9 }, position: { after: pageRef(10) } }
    const { items: later } = await layer.apply(between)
    t.same(labels(layoutOf(later[0])), ['i', '', 'ii', 'iii', 'iv', 'A-5', 'A-6'], 'no two pages get the same label')
    checked(t, layer, layoutOf(later[0]))
  },
)

t.test('pages.setName and pages.removeName leave other names unchanged', needs('qpdf'), async (t) => {
  const layer = layerOf(t, rawPdf(objects))
  const named = async (op: { readonly type: string; readonly [member: string]: unknown }, affected: number) => {
    const { items } = await layer.apply(op)
    t.same(Object(items[0]).meta.affectedPages, [pageRef(affected)], op.type)
    checked(t, layer, layoutOf(items[0]))
    return layoutOf(items[0]).namedPages.map(({ name, target }) => [
      name,
      target.kind === 'page' ? target.page.objectNumber : target.kind,
    ])
  }
  t.same(await named({ type: 'pages.setName', name: 'Über', page: pageRef(10) }, 10), [
    ['Annex', 30],
    ['Plan', 20],
    ['Über', 10],
  ])
  t.same(await named({ type: 'pages.setName', name: 'Map', page: pageRef(20), replace: 'Plan' }, 20), [
    ['Annex', 30],
    ['Map', 20],
    ['Über', 10],
  ])
  t.same(await named({ type: 'pages.removeName', name: 'Annex' }, 30), [
    ['Map', 20],
    ['Über', 10],
  ])
  await t.rejects(layer.apply({ type: 'pages.setName', name: 'Map', page: pageRef(10) }), { code: 'InvalidArg' })
  await t.rejects(layer.apply({ type: 'pages.setName', name: 'New', page: pageRef(10), replace: 'Map' }), {
    code: 'InvalidArg',
  })
  await t.rejects(layer.apply({ type: 'pages.removeName', name: 'Annex' }), { code: 'NotFound' })
  await t.rejects(layer.apply({ type: 'pages.removeName', name: 'uber' }), { message: /did you mean "Über"\?$/ })
  const { images } = await layer.apply({ type: 'pages.setName', name: 'Map', page: pageRef(20) })
  t.same(images, [], 'a name the page has already')
  await layer.apply({ type: 'pages.delete', pages: [pageRef(20)] })
  t.same(
    await named({ type: 'pages.setName', name: 'Map', page: pageRef(10) }, 10),
    [
      ['Map', 10],
      ['Über', 10],
    ],
    'the name of a deleted page can be reused',
  )
})

t.test('pages.setScale adds one scale below those of the file, and removes it again', needs('qpdf'), async (t) => {
  const vp = '/VP[<</BBox[60 60 100 100]/Name(Plan)>>]'
  const layer = layerOf(t, rawPdf({ ...objects, 30: `<</Type/Page/Parent 4 0 R/Contents 31 0 R${vp}>>` }))
  const measure = {
    subtype: 'rectilinear',
    ratio: '1 cm = 1 m',
    x: [{ unit: 'm', conversion: 0.035278 }],
    distance: [{ unit: 'm', conversion: 1, fraction: 'fraction', precision: 8, fixed: true, labelPosition: 'prefix' }],
    area: [{ unit: 'm²', conversion: 1, thousands: '.', decimal: ',' }],
    origin: { x: 10, y: 20 },
  }
  const { items, effects } = await layer.apply({ type: 'pages.setScale', page: pageRef(30), measure })
  t.match(items[0], { page: pageRef(30), meta: { affectedPages: [pageRef(30)], undoable: false } })
  t.same(effects, { pages: [{ page: 30, planes: [] }], document: ['layout'] })
  const plan = { bbox: { x: 10, y: 450, width: 40, height: 40 }, name: 'Plan', owned: false }
  t.same(layer.reads(t).viewports(30).viewports, [
    { bbox: { x: 0, y: 0, width: 400, height: 500 }, measure, owned: true },
    plan,
  ])
  judged('qpdf', ['--check', layer.sent()])
  const { images } = await layer.apply({ type: 'pages.setScale', page: pageRef(30), measure })
  t.same(images, [], 'the scale it has already')
  await layer.apply({ type: 'pages.setScale', page: pageRef(30), measure: null })
  t.same(layer.reads(t).viewports(30).viewports, [plan])
  t.notMatch(readFileSync(layer.sent(), 'latin1').split('startxref').at(-2) ?? '', 'STWD_Scale')
})
