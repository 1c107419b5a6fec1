import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { AnnotationRef } from '../../../workers/contract/annotation-ref.js'
import { readingLimits } from '../../../workers/objects/reading-limits.js'
import { type AnnotatedPdf, annotatedPdf, pageNumber } from '../../support/pdf/annotated-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { readsOf } from '../../support/pdf/reads.js'

const page = { kind: 'objectNumber', objectNumber: pageNumber } as const
const numbered = (objectNumber: number): AnnotationRef => ({ kind: 'objectNumber', page, objectNumber })

/** A drawing filled with one colour. */
const filled = (color: string, entries: string) => ({
  body: `<</Type/XObject/Subtype/Form${entries}>>`,
  stream: `${color} rg -500 -500 2000 2000 re f`,
})

/** Path of the exported file, which was checked with qpdf. */
async function exported(t: Test, file: AnnotatedPdf, refs: readonly AnnotationRef[]): Promise<string> {
  const path = join(t.testdir({}), 'appearance.pdf')
  const bytes = await readsOf(t, annotatedPdf(file)).appearances(pageNumber, refs)
  writeFileSync(path, bytes)
  judged('qpdf', ['--check', path])
  return path
}

const sizeOf = (t: Test, path: string): readonly number[] => {
  const reported = judged('pdfinfo', [path]).toString()
  t.match(reported, /Pages: +1\n/)
  return /Page size: +([\d.]+) x ([\d.]+)/.exec(reported)?.slice(1, 3).map(Number) ?? []
}

/** Pixels of the page drawn by poppler, one per point. */
function pixels(path: string): (x: number, y: number) => string {
  const image = judged('pdftoppm', ['-r', '72', '-aa', 'no', '-aaVector', 'no', path])
  const header = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(image.subarray(0, 64).toString('latin1'))
  const width = Number(header?.[1])
  const start = header?.[0].length ?? 0
  return (x, y) => image.subarray(start + 3 * (y * width + x), start + 3 * (y * width + x) + 3).toString('hex')
}

const judges = needs('qpdf', 'pdfinfo', 'pdftoppm')
const red = 'ff0000'
const blue = '0000ff'
const white = 'ffffff'

t.test(
  'the appearance of one annotation is exported as a page of the size of its rectangle (operations 7.2)',
  judges,
  async (t) => {
    const path = await exported(
      t,
      {
        annotations: ['/Subtype/Stamp/Rect[30 480 130 560]/AP<</N 60 0 R>>'],
        further: { 60: filled('1 0 0', '/BBox[0 0 10 10]/Matrix[0 1 -1 0 7 7]') },
      },
      [numbered(10)],
    )
    t.same(sizeOf(t, path), [100, 80])
    const at = pixels(path)
    t.same([at(1, 1), at(98, 78), at(50, 40)], [red, red, red], 'box and matrix are fitted to the rectangle')
  },
)

t.test(
  'several appearances are exported as one page, in stacking order whatever the order of the request',
  judges,
  async (t) => {
    const file = {
      annotations: [
        '/Subtype/Stamp/Rect[100 100 160 160]/AP<</N 60 0 R>>',
        '/Subtype/Stamp/Rect[140 140 200 180]/AP<</N 61 0 R>>',
        '/Subtype/Link/Rect[0 0 400 600]',
      ],
      further: { 60: filled('1 0 0', '/BBox[0 0 1 1]'), 61: filled('0 0 1', '/BBox[0 0 5 5]') },
    }
    const path = await exported(t, file, [numbered(12), numbered(11), numbered(10)])
    t.same(sizeOf(t, path), [100, 80], 'one without an appearance takes no room')
    const at = pixels(path)
    t.same([at(5, 75), at(95, 5), at(50, 30), at(5, 5)], [red, blue, blue, white])
  },
)

t.test('of an appearance with several states, the current one is exported', judges, async (t) => {
  const states = { 60: filled('1 0 0', '/BBox[0 0 1 1]'), 61: filled('0 0 1', '/BBox[0 0 1 1]') }
  const annotation = (state: string) => `/Subtype/Widget/Rect[0 0 20 20]${state}/AP<</N<</On 60 0 R/Off 61 0 R>>>>`
  t.equal(
    pixels(await exported(t, { annotations: [annotation('/AS/On')], further: states }, [numbered(10)]))(9, 9),
    red,
  )
  t.equal(
    pixels(await exported(t, { annotations: [annotation('/AS/Off')], further: states }, [numbered(10)]))(9, 9),
    blue,
  )
  const reads = readsOf(t, annotatedPdf({ annotations: [annotation('')], further: states }))
  await t.rejects(reads.appearances(pageNumber, [numbered(10)]), { code: 'NotFound' })
})

t.test('appearances of inline annotations are exported, with resources', judges, async (t) => {
  const further = {
    60: { body: '<</Subtype/Form/BBox[0 0 4 4]/Resources<</XObject<</X 61 0 R>>>>>>', stream: '/X Do' },
    61: filled('0 0 1', '/BBox[0 0 4 4]/PieceInfo<</Private 3 0 R>>'),
  }
  const inline = '<</Subtype/Stamp/Rect[0 0 20 20]/AP<</N 60 0 R>>>>'
  const path = await exported(t, { inline, further }, [{ kind: 'baseIndex', page, baseIndex: 0 }])
  t.equal(pixels(path)(9, 9), blue)
})

t.test('an annotation that is missing, or has nothing to show, is reported with NotFound', async (t) => {
  const reads = readsOf(
    t,
    annotatedPdf({
      annotations: [
        '/Subtype/Link/Rect[0 0 9 9]',
        '/Subtype/Square/Rect[5 5 5 5]/AP<</N 60 0 R>>',
        '/Subtype/Square/Rect[0 0 9 9]/AP<</N 61 0 R>>',
        '/Subtype/Square/Rect[0 0 9 9]/AP<</N 3 0 R>>',
      ],
      further: { 60: filled('1 0 0', '/BBox[0 0 1 1]'), 61: filled('1 0 0', '/BBox[0 0 1 1]/Matrix[0 0 0 0 0 0]') },
    }),
  )
  const elsewhere: AnnotationRef = { ...numbered(10), page: { kind: 'objectNumber', objectNumber: 4 } }
  for (const ref of [numbered(10), numbered(11), numbered(12), numbered(13), numbered(3), elsewhere]) {
    await t.rejects(reads.appearances(pageNumber, [ref]), { name: 'JobRefusal', code: 'NotFound' })
  }
  await t.rejects(reads.appearances(99, [numbered(10)]), { code: 'NotFound' })
})

t.test('an appearance that refers to too many or too deeply nested objects is refused', async (t) => {
  const appearance = (resources: string, further: AnnotatedPdf['further']) =>
    readsOf(
      t,
      annotatedPdf({
        annotations: ['/Subtype/Stamp/Rect[0 0 9 9]/AP<</N 60 0 R>>'],
        further: { 60: filled('1 0 0', `/BBox[0 0 1 1]/Resources<<${resources}>>`), ...further },
      }),
    )
  const chain: Record<number, string> = {}
  for (let link = 0; link < 2_000; link++) chain[100 + link] = `<</Next ${101 + link} 0 R>>`
  const deep = appearance('/Deep 100 0 R', chain)
  await t.rejects(deep.appearances(pageNumber, [numbered(10)]), {
    code: 'PayloadTooLarge',
    details: { limit: 'graftDepthMax' },
  })
  const wide = appearance('/Wide 100 0 R', { 100: `[${'[]'.repeat(readingLimits.graftObjectsMax)}]` })
  await t.rejects(wide.appearances(pageNumber, [numbered(10)]), {
    code: 'PayloadTooLarge',
    details: { limit: 'graftObjectsMax' },
  })
  const again = appearance('/Again 100 0 R', {
    100: `[${'101 0 R '.repeat(600_000)}]`,
    101: '<<>>',
  })
  await t.rejects(again.appearances(pageNumber, [numbered(10)]), {
    code: 'PayloadTooLarge',
    details: { limit: 'graftEntriesMax' },
  })
  const loop = appearance('/Loop 100 0 R', { 100: '<</Self 100 0 R/Form 60 0 R>>' })
  t.equal(
    Buffer.from(await loop.appearances(pageNumber, [numbered(10)]))
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  )
})

t.test('more annotations than one exported page can contain are refused', async (t) => {
  const refs = Array.from({ length: readingLimits.exportedAnnotationsMax + 1 }, () => numbered(10))
  const reads = readsOf(t, annotatedPdf({ annotations: ['/Subtype/Square/Rect[0 0 9 9]'] }))
  await t.rejects(reads.appearances(pageNumber, refs), {
    code: 'PayloadTooLarge',
    details: { limit: 'exportedAnnotationsMax' },
  })
})
