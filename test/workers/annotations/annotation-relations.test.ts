import t from 'tap'
import { JobRefusal } from '../../../workers/contract/job-refusal.js'
import { annotatedPdf, pageNumber } from '../../support/pdf/annotated-pdf.js'
import { type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'
import { readsOf, readsOfFile } from '../../support/pdf/reads.js'
import { Workshop } from '../../support/pdf/workshop.js'

const rect = '/Rect[30 480 130 560]'
const page = { kind: 'objectNumber', objectNumber: pageNumber } as const
const numbered = (objectNumber: number) => ({ kind: 'objectNumber', page, objectNumber }) as const
const inline = (baseIndex: number) => ({ kind: 'baseIndex', page, baseIndex }) as const

t.test(
  'inline annotations are identified by their index in /Annots, others by their object number (shapes 1)',
  async (t) => {
    const reads = readsOf(
      t,
      annotatedPdf({
        inline: `<</Subtype/Square${rect}>> null 99 0 R (odd) [1] <</Subtype/Circle${rect}>> 10 0 R 10 0 R`,
        annotations: [`/Subtype/Text${rect}`, `/Subtype/Ink${rect}`],
      }),
    )
    t.same(
      reads.annotations().annotations.map(({ subtype, ref }) => [subtype, ref]),
      [
        ['square', inline(0)],
        ['circle', inline(5)],
        ['text', numbered(10)],
        ['ink', numbered(11)],
      ],
      'annotations in stacking order, each once, without other objects',
    )
  },
)

t.test('/Annots may be an indirect object, missing, or not an array', async (t) => {
  const file = (annots: string, further: RawObjects = {}): Buffer =>
    rawPdf({
      1: '<</Type/Catalog/Pages 2 0 R>>',
      2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      3: `<</Type/Page/Parent 2 0 R${annots}>>`,
      ...further,
    })
  const indirect = file('/Annots 4 0 R', { 4: '[5 0 R]', 5: `<</Subtype/Square${rect}>>` })
  t.same(
    readsOf(t, indirect)
      .annotations()
      .annotations.map(({ ref }) => ref),
    [numbered(5)],
  )
  for (const annots of ['', '/Annots 7', '/Annots 99 0 R', '/Annots<</A 1>>']) {
    t.same(readsOf(t, file(annots)).annotations(), { annotations: [], pages: [page] })
  }
})

t.test('a list covers all pages including those without annotations, or the requested page only', async (t) => {
  const file = rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    3: '<</Type/Page/Parent 2 0 R>>',
    4: `<</Type/Page/Parent 2 0 R/Annots[<</Subtype/Square${rect}>>]>>`,
  })
  const reads = readsOf(t, file)
  const second = { kind: 'objectNumber', objectNumber: 4 }
  t.same(reads.annotations().pages, [page, second])
  t.equal(reads.annotations().annotations.length, 1)
  t.same(reads.annotations(3), { annotations: [], pages: [page] })
  t.match(reads.annotations(4), {
    annotations: [{ page: second, ref: { kind: 'baseIndex', page: second, baseIndex: 0 } }],
  })
  t.throws(() => reads.annotations(5), { name: 'JobRefusal', code: 'NotFound' })
})

t.test('replies and group members name the annotation they refer to, if it is on the page', async (t) => {
  const { annotations } = readsOf(
    t,
    annotatedPdf({
      annotations: [
        `/Subtype/Text${rect}`,
        `/Subtype/Text${rect}/IRT 10 0 R`,
        `/Subtype/Text${rect}/IRT 11 0 R/RT/Group`,
        `/Subtype/Text${rect}/IRT 99 0 R`,
        `/Subtype/Text${rect}/IRT 14 0 R`,
        `/Subtype/Text${rect}/IRT(name)`,
      ],
    }),
  ).annotations()
  t.same(
    annotations.map(({ reply }) => reply),
    [null, { to: numbered(10), type: 'reply' }, { to: numbered(11), type: 'group' }, null, null, null],
  )
})

t.test('popup and parent are paired, whichever of the two refers to the other', async (t) => {
  const { annotations } = readsOf(
    t,
    annotatedPdf({
      inline: `<</Subtype/Text${rect}/Popup 13 0 R>>`,
      annotations: [
        `/Subtype/Text${rect}`,
        `/Subtype/Popup${rect}/Parent 10 0 R/Open true`,
        `/Subtype/Popup${rect}/Parent 10 0 R`,
        `/Subtype/Popup${rect}`,
        `/Subtype/Text${rect}/Popup 77 0 R`,
      ],
    }),
  ).annotations()
  t.match(annotations, [
    { ref: inline(0), popup: numbered(13) },
    { ref: numbered(10), popup: numbered(11) },
    { parent: numbered(10), open: true, popup: null },
    { parent: null, open: false },
    { parent: inline(0) },
    { popup: null },
  ])
})

t.test('annotations where every value is of the wrong type are read with defaults', async (t) => {
  const keys =
    'Rect F C IC CA BM BS Border BE RD NM Contents Subj T M CreationDate AP AS IRT RT Popup A AA QuadPoints Vertices InkList L LE LL CO Cap CP Measure DA DS RC Q CL Name State FS Dest Parent Open OverlayText Repeat MK FT Ff V DV Opt Rotate IT'
  const kinds =
    'Text Link FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Caret Stamp Ink Popup FileAttachment Redact Widget Sound'
  const values = [
    '7',
    '-1e38',
    '(text)',
    '/Name',
    'true',
    '[]',
    '[[[]]]',
    '<<>>',
    '<</S<<>>/N 5/W/x/D(x)>>',
    '[1 (a) null]',
    '3 0 R',
    '99 0 R',
    '10 0 R',
  ]
  for (const value of values) {
    const entries = keys
      .split(' ')
      .map((key) => `/${key} ${value}`)
      .join('')
    const annotations = kinds.split(' ').map((kind) => `/Subtype/${kind}${entries}`)
    const read = readsOf(t, annotatedPdf({ annotations })).annotations()
    t.equal(read.annotations.length, annotations.length, value)
  }
})

t.test('coordinates beyond any page size are read as numbers', async (t) => {
  const huge = '9'.repeat(300)
  const { annotations } = readsOf(
    t,
    annotatedPdf({
      annotations: [`/Subtype/Line/Rect[-${huge} 0 ${huge} 1]/L[${huge} ${huge} 0 -${huge}]/LL 1e400/F ${huge}`],
    }),
  ).annotations()
  t.equal(annotations.length, 1)
  t.notMatch(JSON.stringify(annotations), /null,"y"|"x":null|"width":null/)
})

t.test('20,000 inline annotations on one page are listed', async (t) => {
  const reads = readsOf(t, annotatedPdf({ inline: `<</Subtype/Square${rect}>>`.repeat(20_000) }))
  const { annotations } = reads.annotations()
  t.equal(annotations.length, 20_000)
  t.same(annotations.at(-1)?.ref, inline(19_999))
})

t.test('a response above its limit is refused before it is built', async (t) => {
  const small = readsOfFile(
    t,
    Workshop.of(t).source(annotatedPdf({ inline: `<</Subtype/Square${rect}>>`.repeat(11) })),
    10,
  )
  t.throws(
    () => small.annotations(),
    new JobRefusal('PayloadTooLarge', 'The document has more items than one answer may contain', {
      limit: 'items',
      max: 10,
      value: 11,
    }),
  )
  const long = readsOf(
    t,
    annotatedPdf({
      inline: `<</Subtype/Square${rect}/Contents 60 0 R>>`.repeat(2_000),
      further: { 60: `(${'x'.repeat(10_000)})` },
    }),
  )
  t.throws(() => long.annotations(), { code: 'PayloadTooLarge', details: { limit: 'characters' } })
  const dense = readsOf(
    t,
    annotatedPdf({
      inline: `<</Subtype/Ink${rect}/InkList[60 0 R 60 0 R 60 0 R]>>`.repeat(20),
      further: { 60: `[${'1 '.repeat(50_000)}]` },
    }),
  )
  t.throws(() => dense.annotations(), { code: 'PayloadTooLarge', details: { limit: 'values' } })
})
