// Pages of a file that share content or listings: a change of one page affects no other, in responses and in the
// download.
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { ingest } from '../../../workers/jobs/ingest.js'
import { layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage, type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'

const square = (more: string) => `<</Type/Annot/Subtype/Square/Rect[20 20 90 90]/C[1 0 0]${more}>>`

/** Two pages share the array, content and resources; a third lists one of the annotations too. */
const objects: RawObjects = {
  1: '<</Type/Catalog/Pages 2 0 R>>',
  2: '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3/MediaBox[0 0 200 200]>>',
  3: '<</Type/Page/Parent 2 0 R/Annots 6 0 R/Contents[7 0 R]/Resources 8 0 R>>',
  4: '<</Type/Page/Parent 2 0 R/Annots 6 0 R/Contents[7 0 R]/Resources 8 0 R>>',
  5: '<</Type/Page/Parent 2 0 R/Annots[9 0 R]/Contents 7 0 R/Resources 8 0 R>>',
  6: `[9 0 R 10 0 R ${square('/Contents(inline)')}]`,
  7: { body: '<<>>', stream: 'BT /F1 12 Tf 20 150 Td (Shared words) Tj ET' },
  8: `<<${helvetica}>>`,
  9: square('/Contents(first)/Popup 10 0 R/P 3 0 R'),
  10: '<</Type/Annot/Subtype/Popup/Rect[1 1 9 9]/Parent 9 0 R>>',
}

async function separated(t: Test, bytes: Uint8Array): Promise<Buffer | undefined> {
  const workshop = Workshop.of(t)
  const workingPath = workshop.path('working.pdf')
  const facts = await runner(t)(ingest, { source: workshop.source(bytes), workingPath })
  if (facts.state !== 'ready' || facts.working === null) return undefined
  t.same(facts.working.reasons, ['shared-annotations'])
  return readFileSync(workingPath)
}

async function layerOver(t: Test) {
  const bytes = await separated(t, rawPdf(objects))
  if (bytes === undefined) throw new Error('Ingest made no working copy')
  const layer = layerOf(t, bytes)
  const contents = (page: number) =>
    layer
      .reads(t)
      .annotations(page)
      .annotations.map((one) => one.contents)
  return { layer, contents, all: () => [3, 4, 5].map(contents) }
}

const picture = (path: string, page: number) =>
  judged('pdftoppm', ['-r', '36', '-f', String(page), '-l', String(page), path]).toString('latin1')
const pictures = (path: string) => [1, 2, 3].map((page) => picture(path, page))

t.test('a note added to one page appears on that page only', needs('qpdf', 'pdftoppm'), async (t) => {
  const { layer, all } = await layerOver(t)
  t.same(all(), [['first', null, 'inline'], ['first', null, 'inline'], ['first']])
  const before = pictures(layer.sent())
  const data = { subtype: 'square', rect: { x: 100, y: 20, width: 60, height: 60 }, contents: 'new' }
  await layer.apply({ type: 'annotations.create', page: pageRef(4), data })
  t.same(all(), [['first', null, 'inline'], ['first', null, 'inline', 'new'], ['first']])
  judged('qpdf', ['--check', layer.sent()])
  t.same(
    pictures(layer.sent()).map((one, page) => one === before[page]),
    [true, false, true],
  )
})

t.test(
  'annotations changed, deleted or flattened on one page are unchanged on the others',
  needs('pdftoppm'),
  async (t) => {
    const { layer, all } = await layerOver(t)
    const before = pictures(layer.sent())
    const [first] = layer.reads(t).annotations(4).annotations
    await layer.apply({ type: 'annotations.update', ref: first?.ref, patch: { contents: 'changed' } })
    t.same(all(), [['first', null, 'inline'], ['changed', null, 'inline'], ['first']])
    const { undo } = await layer.apply({ type: 'annotations.delete', ref: first?.ref })
    t.same(all(), [['first', null, 'inline'], ['inline'], ['first']])
    await layer.undo(undo)
    t.same(all(), [['first', null, 'inline'], ['changed', null, 'inline'], ['first']])
    await layer.apply({ type: 'pages.flatten', pages: [pageRef(3)], usage: 'display' })
    t.same(all(), [[], ['changed', null, 'inline'], ['first']])
    t.same(pictures(layer.sent()), before)
  },
)

t.test('a redaction of one page does not affect pages that share its content', needs('pdftotext'), async (t) => {
  const { layer } = await layerOver(t)
  const [upperLeft, upperRight] = [15, 115].map((x) => ({ x, y: 30 }))
  const [lowerLeft, lowerRight] = [15, 115].map((x) => ({ x, y: 60 }))
  const data = { subtype: 'redact', quadPoints: [{ upperLeft, upperRight, lowerLeft, lowerRight }] }
  await layer.apply({ type: 'annotations.create', page: pageRef(4), data })
  await layer.apply({ type: 'redactions.apply', pages: [pageRef(4)] })
  const texts = judged('pdftotext', [layer.sent(), '-']).toString().split('\f')
  t.same(
    texts.map((one) => one.includes('Shared')),
    [true, false, true, false],
  )
})

t.test('an empty shared array is separated too, and pages with their own arrays are unchanged', async (t) => {
  t.ok(await separated(t, rawPdf({ ...objects, 6: '[]' })))
  const own = { 4: '<</Type/Page/Parent 2 0 R/Annots[]>>', 5: '<</Type/Page/Parent 2 0 R>>' }
  t.equal(await separated(t, rawPdf({ ...objects, ...own })), undefined)
})

t.test('inserted pages do not share content or annotations either', async (t) => {
  const layer = layerOf(t, onePage(''))
  const op = { type: 'pages.insert', resources: { source: 'a' } }
  await layer.change({ ops: [op], resources: { a: { bytes: rawPdf(objects) } } })
  const [, ...pages] = layer.reads(t).layout().pages
  const refsOn = (page: number) =>
    layer
      .reads(t)
      .annotations(page)
      .annotations.map(({ ref }) => ref)
  const numbers = pages
    .flatMap(({ ref }) => refsOn(ref.objectNumber))
    .map((ref) => ('objectNumber' in ref ? ref.objectNumber : 0))
  t.equal(numbers.length, 7)
  t.equal(new Set(numbers).size, 7)
})
