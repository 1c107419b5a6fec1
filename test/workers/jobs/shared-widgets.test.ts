// Widgets that several pages list: each page gets its own widget of the field, in responses and in the file.
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { ingest } from '../../../workers/jobs/ingest.js'
import { layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage, type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'

const drawing = (color: string) => ({ body: '<</Subtype/Form/BBox[0 0 20 20]>>', stream: `${color} rg 2 2 16 16 re f` })
const button = (y: number, state: string, more: string) =>
  `<</Subtype/Widget/Rect[100 ${y} 120 ${y + 20}]/P 3 0 R/F 4/AP<</N<</${state} 20 0 R/Off 21 0 R>>>>${more}>>`

/** Two pages list one array; a third lists two of its widgets, of which one is a field too. */
const objects: RawObjects = {
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm 12 0 R/StructTreeRoot 22 0 R>>',
  2: '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3/MediaBox[0 0 200 200]>>',
  3: '<</Type/Page/Parent 2 0 R/Annots 6 0 R>>',
  4: '<</Type/Page/Parent 2 0 R/Annots 6 0 R>>',
  5: '<</Type/Page/Parent 2 0 R/Annots[7 0 R 9 0 R]>>',
  6: '[7 0 R 9 0 R 10 0 R 11 0 R]',
  7: '<</Subtype/Widget/Rect[10 150 90 170]/P 3 0 R/F 4/FT/Tx/T(name)/V(Ada)/DA(/F1 12 Tf 0 g)/StructParent 0/AA<</K 13 0 R/E 13 0 R>>>>',
  8: '<</FT/Btn/Ff 49152/T(color)/V/1/Opt[(green)(blue)]/Kids[9 0 R 10 0 R]>>',
  9: button(100, '0', '/Parent 8 0 R/AS/Off'),
  10: button(60, '1', '/Parent 8 0 R/AS/1'),
  11: button(20, '0', '/FT/Btn/T(agree)/V/Off/AS/Off/Opt[(yes)]'),
  12: `<</Fields[7 0 R 8 0 R 11 0 R]/CO[7 0 R]/DA(/F1 12 Tf 0 g)/DR<<${helvetica}>>>>`,
  13: '<</S/JavaScript/JS(1)>>',
  20: drawing('1 0 0'),
  21: drawing('0 1 0'),
  22: '<</Type/StructTreeRoot/K 23 0 R/ParentTree<</Nums[0 23 0 R]>>>>',
  23: '<</Type/StructElem/S/Form/P 22 0 R/K<</Type/OBJR/Obj 7 0 R/Pg 3 0 R>>>>',
}

async function separated(t: Test, bytes: Uint8Array): Promise<Buffer> {
  const workshop = Workshop.of(t)
  const workingPath = workshop.path('working.pdf')
  const facts = await runner(t)(ingest, { source: workshop.source(bytes), workingPath })
  if (facts.state !== 'ready' || facts.working === null) throw new Error('There is no working copy')
  return readFileSync(workingPath)
}

async function formOver(t: Test, bytes: Uint8Array = rawPdf(objects)) {
  const layer = layerOf(t, await separated(t, bytes))
  const fields = () => layer.reads(t).form().fields
  const field = (name: string) => {
    const found = fields().find((one) => one.name === name)
    if (found === undefined) throw new Error(`There is no field ${name}`)
    return found
  }
  const pagesOf = (name: string) => field(name).widgets.map(({ page }) => page?.objectNumber)
  return { layer, fields, field, pagesOf }
}

const words = (path: string) => judged('pdftotext', [path, '-']).toString().split('\f').slice(0, 3)
const picture = (path: string, page: number) =>
  judged('pdftoppm', ['-r', '36', '-f', String(page), '-l', String(page), path]).toString('latin1')

t.test('a field lists its widgets on all pages', needs('qpdf'), async (t) => {
  const { layer, fields, pagesOf } = await formOver(t)
  t.same(
    fields().map(({ name, origin }) => [name, origin]),
    [
      ['name', 'acroform'],
      ['color', 'acroform'],
      ['agree', 'acroform'],
    ],
  )
  t.same(pagesOf('name'), [3, 4, 5])
  t.same(pagesOf('color').sort(), [3, 3, 4, 4, 5])
  t.same(pagesOf('agree'), [3, 4])
  await layer.apply({ type: 'metadata.update', patch: { title: 'x' } })
  judged('qpdf', ['--check', layer.sent()])
})

t.test(
  'a new value is shown in all widgets, and other changes affect a single widget',
  needs('pdftotext', 'pdftoppm'),
  async (t) => {
    const { layer, field } = await formOver(t)
    const shown = () => words(layer.sent()).map((text) => text.includes('Grace'))
    await layer.apply({ type: 'forms.setValue', field: field('name').ref, value: { value: 'Grace' } })
    t.same(shown(), [true, true, true])
    const before = layer.sent()
    const second = field('name').widgets[1]
    await layer.apply({ type: 'forms.deleteWidget', widget: second?.ref })
    const after = layer.sent()
    t.same(
      [1, 2, 3].map((page) => picture(after, page) === picture(before, page)),
      [true, false, true],
    )
    const { undo } = await layer.apply({ type: 'forms.delete', field: field('name').ref })
    t.same(shown(), [false, false, false])
    await layer.undo(undo)
    t.same(shown(), [true, false, true])
  },
)

t.test('removing a button keeps the meaning of the others', needs('pdftoppm'), async (t) => {
  const { layer, field } = await formOver(t)
  const stands = (name: string) => {
    const found = field(name)
    if (!('widgets' in found) || (found.family !== 'radio' && found.family !== 'checkbox')) throw new Error('No button')
    return found.widgets.map(({ exportValue, checked, page }) => [page?.objectNumber, exportValue, checked])
  }
  const all = [
    [3, 'green', false],
    [3, 'blue', true],
    [4, 'green', false],
    [4, 'blue', true],
    [5, 'green', false],
  ]
  t.same(stands('color'), all)
  t.same(stands('agree'), [
    [3, 'yes', false],
    [4, 'yes', false],
  ])
  const before = layer.sent()
  const [first] = field('color').widgets
  const { undo } = await layer.apply({ type: 'forms.deleteWidget', widget: first?.ref })
  t.same(stands('color'), all.slice(1))
  t.equal(picture(layer.sent(), 2), picture(before, 2))
  await layer.undo(undo)
  t.same(stands('color'), all)
  await layer.apply({ type: 'forms.setValue', field: field('color').ref, value: { value: 'green' } })
  t.same(
    stands('color').map(([, , checked]) => checked),
    [true, false, true, false, true],
  )
})

t.test('the structure tree still refers to the widget, and calculations to the field', needs('qpdf'), async (t) => {
  const workshop = Workshop.of(t)
  const { path } = workshop.source(await separated(t, rawPdf(objects)))
  const shown = (number: number) => judged('qpdf', [`--show-object=${number}`, path]).toString()
  const [, widget = ''] = /\/Obj (\d+) 0 R/.exec(shown(23)) ?? []
  t.match(shown(Number(widget)), /\/Parent 7 0 R[\s\S]*\/StructParent 0/)
  t.match(shown(Number(widget)), /\/AA << \/E /)
  t.match(shown(7), /\/AA << \/K /)
  const [, kids = ''] = /\/Kids \[ ([^\]]*) \]/.exec(shown(7)) ?? []
  const numbers = kids.split(' 0 R').flatMap((kid) => (kid.trim() === '' ? [] : [Number(kid)]))
  t.same(
    numbers.map((number) => shown(number).includes('/Parent 7 0 R')),
    [true, true, true],
  )
  t.match(shown(12), /\/CO \[ 7 0 R \]/)
})

t.test('widgets listed by a field without naming it as parent belong to it on every page', async (t) => {
  const stray = {
    7: '<</Subtype/Widget/Rect[10 150 90 170]/F 4/DA(/F1 12 Tf 0 g)>>',
    24: '<</FT/Tx/T(name)/V(Ada)/Kids[7 0 R]>>',
  }
  const form = `<</Fields[24 0 R 8 0 R 11 0 R]/DA(/F1 12 Tf 0 g)/DR<<${helvetica}>>>>`
  const { layer, field, pagesOf } = await formOver(t, rawPdf({ ...objects, ...stray, 12: form }))
  t.same(pagesOf('name'), [3, 4, 5])
  await layer.apply({ type: 'forms.setValue', field: field('name').ref, value: { value: 'Grace' } })
  t.same(
    words(layer.sent()).map((text) => text.includes('Grace')),
    [true, true, true],
  )
})

t.test('a parent that is not a field is unchanged', async (t) => {
  const layer = layerOf(t, await separated(t, rawPdf({ ...objects, 9: button(100, '0', '/Parent 2 0 R/AS/Off') })))
  t.same(
    layer
      .reads(t)
      .layout()
      .pages.map(({ ref }) => ref.objectNumber),
    [3, 4, 5],
  )
})

t.test('widgets of an inserted form are separated too', async (t) => {
  const layer = layerOf(t, onePage(''))
  await layer.change({
    ops: [{ type: 'pages.insert', resources: { source: 'a' } }],
    resources: { a: { bytes: rawPdf(objects) } },
  })
  t.same(
    layer
      .reads(t)
      .form()
      .fields.map(({ widgets }) => widgets.length),
    [3, 5, 2],
  )
})
