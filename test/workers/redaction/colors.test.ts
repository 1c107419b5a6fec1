// Colours beside a mark are unchanged if a page or form has default colour spaces (ISO 32000-2, 8.6.5.6).
import t from 'tap'
import { layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'

const lab = '/ColorSpace<</DefaultRGB[/Lab<</WhitePoint[0.96 1 0.82]>>]>>'
const form = (resources: string, content: string) => ({
  body: `<</Type/XObject/Subtype/Form/BBox[0 0 300 200]${resources}>>`,
  stream: content,
})
const area = (x: number) => `60 70 -60 rg ${x} 20 40 40 re f`

/** Colours by the left edge of their area; `outer` has resources of its own, `inner` those of its form. */
const pages = {
  'of a page': { content: area(20), resources: lab, further: {} },
  'of forms in each other': {
    content: `/Outer Do ${area(20)}`,
    resources: '/XObject<</Outer 6 0 R>>',
    further: {
      6: form(`/Resources<</XObject<</Inner 7 0 R>>>>`, `/Inner Do ${area(80)}`),
      7: form(`/Resources<<${lab}>>`, area(140)),
    },
  },
  'of a form without resources of its own': {
    content: '/Outer Do',
    resources: `${lab}/XObject<</Outer 6 0 R>>`,
    further: { 6: form('', area(80)) },
  },
} as const

const picture = (path: string) => judged('pdftoppm', ['-r', '36', path])

for (const [name, { content, resources, further }] of Object.entries(pages)) {
  t.test(`default colour spaces ${name} still apply`, needs('pdftoppm', 'qpdf'), async (t) => {
    const marked = (mark: string) =>
      layerOf(
        t,
        onePage(`${content} 200 150 10 10 re f`, {
          size: [300, 200],
          resources,
          page: '/Annots[5 0 R]',
          further: { 5: `<</Type/Annot/Subtype/Redact/Rect[${mark}]>>`, ...further },
        }),
      )
    const layer = marked('260 150 280 170')
    const before = picture(layer.sent())
    await layer.apply({ type: 'redactions.apply' })
    t.ok(before.equals(picture(layer.sent())), 'no pixel changed')
    judged('qpdf', ['--check', layer.sent()])
    const file = judged('qpdf', ['--qdf', layer.sent(), '-']).toString('latin1')
    t.notMatch(file, /STWD_Spaces/)
  })
}
