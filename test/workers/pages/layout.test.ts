import t from 'tap'
import type { PageBox } from '../../../workers/contract/page-box.js'
import type { PageLayout } from '../../../workers/contract/page-layout.js'
import { annotatedPdf } from '../../support/pdf/annotated-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'
import { readsOf } from '../../support/pdf/reads.js'

/** Makes pages numbered from 10, under one node with inheritable /MediaBox and /Rotate. */
function pages(entries: readonly string[], { node = '', catalog = '', further = {} as RawObjects } = {}): Buffer {
  const kids = entries.map((_, index) => `${10 + index} 0 R`)
  return rawPdf({
    1: `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    2: `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${entries.length}${node}>>`,
    ...Object.fromEntries(entries.map((page, index) => [10 + index, `<</Type/Page/Parent 2 0 R${page}>>`])),
    ...further,
  })
}

const boxNames = { media: 'MediaBox', crop: 'CropBox', bleed: 'BleedBox', trim: 'TrimBox', art: 'ArtBox' } as const

const userBox = ({ pdfCropBox }: PageLayout, { x, y, width, height }: PageBox): readonly number[] => [
  pdfCropBox.left + x,
  pdfCropBox.top - y - height,
  pdfCropBox.left + x + width,
  pdfCropBox.top - y,
]

const lineOf = (reported: string, label: string): string => new RegExp(`^${label}:(.*)$`, 'm').exec(reported)?.[1] ?? ''

t.test('boxes, sizes and rotations equal those of pdfinfo', needs('pdfinfo'), async (t) => {
  const reads = readsOf(
    t,
    pages(
      [
        '',
        '/CropBox[10 20 500 700]/Rotate 90',
        '/MediaBox[-50 -60 350 540]/CropBox[-40 -50 300 500]/BleedBox[-30 -40 290 490]/TrimBox[0 0 200 300]/ArtBox[5 6 70 80]',
        '/MediaBox[300 400 0 0]/CropBox[100 100 390 480]/Rotate 450',
        '/Rotate -90/MediaBox[0 0 72.1 719.9]',
      ],
      { node: '/MediaBox[0 0 612 792]/Rotate 180' },
    ),
  )
  const reported = judged('pdfinfo', ['-box', '-f', '1', '-l', '5', reads.source.path]).toString()
  const { pages: layouts } = reads.layout()
  t.equal(layouts.length, 5)
  for (const layout of layouts) {
    const page = layout.index + 1
    t.equal(layout.rotation, Number(lineOf(reported, `Page\\s+${page} rot`)), `rotation of page ${page}`)
    for (const [name, key] of Object.entries(boxNames)) {
      const box = layout.boxes[name as keyof typeof boxNames]
      const expected = lineOf(reported, `Page\\s+${page} ${key}`).trim().split(/\s+/).map(Number)
      t.same(
        userBox(layout, box).map((side) => Number(side.toFixed(2))),
        expected,
        `${key} of page ${page}`,
      )
    }
    t.same(layout.boxes.crop, { x: 0, y: 0, ...layout.size })
  }
})

t.test('the user unit is reported, and boxes are not scaled by it (shapes 2)', async (t) => {
  const [page] = readsOf(t, pages(['/MediaBox[0 0 100 200]/UserUnit 2.5'])).layout().pages
  t.match(page, { userUnit: 2.5, size: { width: 100, height: 200 } })
})

t.test('absurd boxes, rotations and units have sensible defaults', async (t) => {
  const absurd = [
    '/MediaBox 7',
    '/MediaBox[1 2 3]',
    '/MediaBox[(a) 0 0 0]',
    '/MediaBox[5 5 5 5]',
    '/MediaBox[0 0 612 792]/CropBox[900 900 950 950]/TrimBox[0 0 0 0]',
    '/MediaBox[0 0 612 792]/Rotate/Ninety/UserUnit -3',
    '/MediaBox[0 0 612 792]/Rotate 37/UserUnit(x)',
  ]
  for (const page of readsOf(t, pages(absurd)).layout().pages) {
    t.match(page, { size: { width: 612, height: 792 }, rotation: 0, userUnit: 1 }, absurd[page.index] ?? '')
    t.same(page.boxes.trim, page.boxes.crop)
  }
})

t.test('labels are numbered in the style and from the start of their range', async (t) => {
  const labels = '<</Nums[0<</S/r>> 2<</S/D/P(A-)/St 9>> 4<</S/A/St 26>> 6<</P(cover)>> 7<</S/R/St 1999>> 8<</S/X>>]>>'
  const reads = readsOf(t, pages(Array(9).fill('/MediaBox[0 0 10 10]'), { catalog: `/PageLabels${labels}` }))
  t.same(
    reads.layout().pages.map(({ label }) => label),
    ['i', 'ii', 'A-9', 'A-10', 'Z', 'AA', 'cover', 'MCMXCIX', ''],
  )
})

t.test('pages before the first label range, or of a document without labels, have no label', async (t) => {
  t.equal(readsOf(t, pages(['/MediaBox[0 0 10 10]'])).layout().pages[0]?.label, null)
  const late = readsOf(t, pages(['', ''], { catalog: '/PageLabels<</Nums[1<</S/D>>]>>' })).layout().pages
  t.same(
    late.map(({ label }) => label),
    [null, '1'],
  )
})

t.test('a label too large for roman numerals or letters is written in digits', async (t) => {
  const labels = '/PageLabels<</Nums[0<</S/R/St 2000000000>> 1<</S/a/St 2000000000>>]>>'
  const reads = readsOf(t, pages(['', ''], { catalog: labels }))
  t.same(
    reads.layout().pages.map(({ label }) => label),
    ['2000000000', '2000000000'],
  )
})

t.test('a name refers to a page, to a template outside the page tree, or is dangling (shapes 3)', async (t) => {
  const catalog = '/Names<</Pages<</Kids[30 0 R 31 0 R 30 0 R]>>/Templates<</Names[(form) 40 0 R]>>>>'
  const reads = readsOf(
    t,
    pages(['', ''], {
      catalog,
      further: {
        30: '<</Names[(one) 10 0 R(two) 11 0 R]>>',
        31: '<</Kids[30 0 R]/Names[(gone) 99 0 R(one) 11 0 R(odd) 7(\xfe\xff\x26\x3a) 10 0 R]>>',
        40: '<</Type/Template/MediaBox[0 0 1 1]>>',
      },
    }),
  )
  const page = (objectNumber: number) => ({ kind: 'page', page: { kind: 'objectNumber', objectNumber } })
  t.same(reads.layout().namedPages, [
    { name: 'one', target: page(10) },
    { name: 'two', target: page(11) },
    { name: 'gone', target: { kind: 'dangling' } },
    { name: 'odd', target: { kind: 'dangling' } },
    { name: '☺', target: page(10) },
    { name: 'form', target: { kind: 'template', objectNumber: 40 } },
  ])
})

t.test('reading of cyclic or leafless trees of names and labels ends', async (t) => {
  const reads = readsOf(
    t,
    pages([''], {
      catalog: '/Names<</Pages 30 0 R>>/PageLabels 31 0 R',
      further: {
        30: '<</Kids[30 0 R 31 0 R[1 2]7]/Names[(a) 10 0 R(odd)]>>',
        31: '<</Kids[30 0 R 31 0 R]/Nums[0<</S/D>>(x)<</S/r>> 5]>>',
      },
    }),
  )
  t.same(
    reads.layout().namedPages.map(({ name }) => name),
    ['a'],
  )
  t.equal(reads.layout().pages[0]?.label, '1')
})

t.test('actions on opening or closing a page are reported', async (t) => {
  const page = '/AA<</O<</S/JavaScript/JS(app.beep\\(\\))>>/X 1>>'
  const [opened] = readsOf(t, annotatedPdf({ page })).layout().pages
  t.same(opened?.actions, {
    open: {
      root: { type: 'javascript', subtype: 'JavaScript', script: 'app.beep()', next: [] },
      incomplete: false,
      warningFlags: 0,
      warnings: [],
    },
  })
  const [plain] = readsOf(t, annotatedPdf({})).layout().pages
  t.notOk(plain !== undefined && 'actions' in plain)
})

t.test('a page tree 3,000 levels deep and a parent that is its own parent are read', async (t) => {
  const depth = 3_000
  const further: Record<number, string> = {}
  for (let level = 0; level < depth; level++) {
    further[100 + level] = `<</Type/Pages/Count 1/Parent ${level === 0 ? 2 : 99 + level} 0 R/Kids[${101 + level} 0 R]>>`
  }
  further[100 + depth] = `<</Type/Page/Parent ${99 + depth} 0 R>>`
  const deep = rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[100 0 R]/Count 1/MediaBox[0 0 50 60]>>',
    ...further,
  })
  t.match(readsOf(t, deep).layout(), { pageCount: 1, pages: [{ size: { width: 50, height: 60 } }] })
  const loop = rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1/Parent 2 0 R>>',
    3: '<</Type/Page/Parent 2 0 R>>',
  })
  t.match(readsOf(t, loop).layout(), { pageCount: 1, pages: [{ size: { width: 612, height: 792 } }] })
})
