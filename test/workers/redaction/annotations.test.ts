// Annotations leave with what is drawn for them, wherever their rectangle is; those drawn elsewhere stay.
import t, { type Test } from 'tap'
import { layerOf } from '../../support/pdf/changing.js'
import { drawingJudges, drawnBy } from '../../support/pdf/drawn-difference.js'
import { everyObject } from '../../support/pdf/every-object.js'
import { needs } from '../../support/pdf/judges.js'
import { onePage, type RawObjects } from '../../support/pdf/raw-pdf.js'

const size = [400, 400] as const

/** Entries of annotations that are drawn between x 200 and 260, y 205 and 340, though their rectangles are elsewhere. */
const shapes: Readonly<Record<string, string>> = {
  ink: '/Subtype/Ink/InkList[[200 300 220 340 240 300]]',
  line: '/Subtype/Line/L[200 280 260 280]',
  'line with a leader from outside': '/Subtype/Line/L[200 150 260 150]/LL -100/BS<</W 3>>',
  polyline: '/Subtype/PolyLine/Vertices[200 260 230 270 260 260]',
  polygon: '/Subtype/Polygon/Vertices[200 260 230 270 260 260]',
  'callout line': '/Subtype/FreeText/DA(/Helv 8 Tf 0 g)/Contents(A)/CL[20 40 210 300]/IT/FreeTextCallout',
  highlight: '/Subtype/Highlight/QuadPoints[200 250 260 250 200 230 260 230]',
  underline: '/Subtype/Underline/QuadPoints[200 220 260 220 200 205 260 205]',
  squiggly: '/Subtype/Squiggly/QuadPoints[200 220 260 220 200 205 260 205]',
  'struck text': '/Subtype/StrikeOut/QuadPoints[200 220 260 220 200 205 260 205]',
}

const marked = (t: Test, entries: string, others: RawObjects = {}) =>
  layerOf(
    t,
    onePage('', {
      size,
      page: '/Annots[5 0 R 6 0 R 7 0 R 8 0 R]',
      further: {
        5: '<</Type/Annot/Subtype/Redact/Rect[190 195 270 350]>>',
        6: `<</Type/Annot/F 4/C[1 0 0]/Rect[10 10 50 50]/T(subject)${entries}>>`,
        7: '<</Type/Annot/Subtype/Text/F 2/Rect[300 10 320 30]/IRT 6 0 R/Contents(answer)>>',
        8: '<</Type/Annot/Subtype/Square/F 2/Rect[350 10 390 50]/Contents(bystander)>>',
        ...others,
      },
    }),
  )

for (const [name, entries] of Object.entries(shapes)) {
  t.test(`nothing of a shape is drawn under a mark: ${name}`, needs(...drawingJudges, 'qpdf'), async (t) => {
    const layer = marked(t, entries)
    await layer.apply({ type: 'redactions.apply' })
    const written = everyObject(layer.sent())
    t.notMatch(written, 'subject')
    t.notMatch(written, 'answer', 'replies leave with it')
    t.match(written, 'bystander')
    for (const judge of drawingJudges) {
      const { rgb } = drawnBy(judge, layer.sent())
      let reds = 0
      for (let at = 0; at < rgb.length; at += 3) if ((rgb[at] ?? 0) > 150 && (rgb[at + 2] ?? 0) < 100) reds++
      t.equal(reds, 0, judge)
    }
  })
}

t.test('an annotation with an appearance is where its rectangle is, whatever its points say', async (t) => {
  const appearance = { body: '<</Type/XObject/Subtype/Form/BBox[0 0 40 40]>>', stream: '1 0 0 rg 0 0 40 40 re f' }
  const layer = marked(t, '/Subtype/Ink/InkList[[200 300 240 300]]/AP<</N 9 0 R>>', { 9: appearance })
  await layer.apply({ type: 'redactions.apply' })
  t.match(everyObject(layer.sent()), 'subject')
})

t.test('a shape without an appearance beside the mark stays', async (t) => {
  for (const entries of ['/Subtype/Ink/InkList[[100 300 186 300]]', '/Subtype/Line/L[20 20 40 40]']) {
    const layer = marked(t, entries)
    await layer.apply({ type: 'redactions.apply' })
    t.match(everyObject(layer.sent()), 'subject', entries)
  }
})
