// For arbitrary values in a PDF, every read returns its shape or a refusal with a code.
import fc from 'fast-check'
import t from 'tap'
import { JobRefusal } from '../../../workers/contract/job-refusal.js'
import { annotatedPdf, pageNumber } from '../../support/pdf/annotated-pdf.js'
import { readsOf } from '../../support/pdf/reads.js'
import { isLong, seed } from '../../support/sample.js'

const words = (text: string): readonly string[] => text.split(/\s+/)

const keys =
  words(`Rect F C IC CA BM BS Border BE RD NM Contents Subj T M CreationDate AP N D AS IRT RT Popup A AA QuadPoints Vertices
  Path InkList L LE LL LLE LLO CO Cap CP Measure DA DS RC Q CL Name State StateModel FS EF UF Desc Params Size CheckSum Dest Parent
  Open OverlayText Repeat MK R BC BG FT Ff V DV Opt MaxLen Kids TU TM I Rotate IT S W E X U Fo Bl JS Next URI Subtype Names Nums P St
  Annots CropBox MediaBox BleedBox UserUnit VP BBox Resources ExtGState Matrix Limits First Type`)
const names = words(
  'Text Link FreeText Line Square Polygon PolyLine Highlight Ink Stamp Popup FileAttachment Redact Widget Tx Btn Ch Sig RL GEO S D C XYZ FitR GoTo URI JavaScript Off On Yes Group Times constructor __proto__',
)

const name = fc.constantFrom(...names).map((text) => `/${text}`)
const reference = fc.constantFrom('1 0 R', '3 0 R', '10 0 R', '11 0 R', '60 0 R', '61 0 R', '62 0 R', '99 0 R')
const scalar = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '(text)', '()', '<FEFF26>', '<EFBBBF41>', '1e400', '-0', '.5', '4294967297'),
  fc.integer({ min: -300, max: 300 }).map(String),
  name,
  reference,
)
const { value } = fc.letrec<{ value: string; entries: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 3, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 8 }).map((items) => `[${items.join(' ')}]`) },
    { weight: 2, arbitrary: tie('entries').map((entries) => `<<${entries}>>`) },
  ),
  entries: fc
    .array(fc.tuple(fc.constantFrom(...keys), tie('value')), { maxLength: 8 })
    .map((pairs) => pairs.map(([key, entry]) => `/${key} ${entry}`).join('')),
}))
const entries = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 30, selector: ([key]) => key })
  .map((pairs) => pairs.map(([key, entry]) => `/${key} ${entry}`).join(''))

t.test('reads of random values return their shape, or a refusal with a code', async (t) => {
  const property = fc.asyncProperty(
    fc.array(fc.tuple(name, entries), { minLength: 1, maxLength: 5 }),
    fc.tuple(value, value, value, value),
    fc.tuple(entries, entries, entries),
    async (annotations, [labels, namesTree, form, viewports], [first, second, third]) => {
      const bytes = annotatedPdf({
        annotations: annotations.map(([subtype, rest]) => `/Subtype${subtype}${rest}`),
        page: `/VP ${viewports}/AA ${form}`,
        catalog: `/PageLabels ${labels}/Names<</Pages ${namesTree}/Dests ${namesTree}>>/AcroForm<</Fields[10 0 R 60 0 R ${form}]/CO ${form}>>/Metadata 62 0 R`,
        trailer: '/Info 61 0 R',
        further: { 60: `<<${first}>>`, 61: `<<${second}>>`, 62: { body: `<<${third}>>`, stream: '<a><b c="d">e' } },
      })
      const reads = readsOf(t, bytes)
      const all = [
        () => reads.layout(),
        () => reads.metadata(),
        () => reads.customMetadata(),
        () => reads.viewports(pageNumber),
        () => reads.annotations(),
        () => reads.form(),
        () =>
          reads.appearances(pageNumber, [
            { kind: 'objectNumber', page: { kind: 'objectNumber', objectNumber: 3 }, objectNumber: 10 },
          ]),
      ]
      for (const read of all) await answerOrRefusal(read)
    },
  )
  await t.resolves(fc.assert(property, { seed, numRuns: isLong ? 5_000 : 150 }))
})

async function answerOrRefusal(read: () => unknown): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!(error instanceof JobRefusal)) throw error
  }
}
