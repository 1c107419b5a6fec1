// Redaction of pictures, judged by programs that share nothing with it: what a mark covers is gone from the stored samples,
// and everything else of a picture is drawn as before.
import t from 'tap'
import { layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'

const noise = (length: number): string => {
  let state = 7
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCharCode(state & 0xff)
  }).join('')
}

const drawn = (path: string): Buffer => judged('pdftoppm', ['-r', '72', '-gray', path])

for (const [what, mark] of Object.entries({ above: '[20 130 60 160]', below: '[20 30 60 60]' })) {
  for (const [side, place] of Object.entries({ upright: '200 0 0 180 10 10', mirrored: '200 0 0 -180 10 190' })) {
    t.test(
      `a mark ${what} the middle of a picture placed ${side} leaves the rest of it`,
      needs('pdftoppm'),
      async (t) => {
        const layer = layerOf(
          t,
          onePage(`q ${place} cm /Im Do Q`, {
            resources: '/XObject<</Im 6 0 R>>',
            page: '/Annots[5 0 R]',
            further: {
              5: `<</Type/Annot/Subtype/Redact/Rect${mark}>>`,
              6: {
                body: '<</Type/XObject/Subtype/Image/Width 200/Height 180/ColorSpace/DeviceGray/BitsPerComponent 8>>',
                stream: noise(200 * 90) + '\xff'.repeat(200 * 90),
              },
            },
          }),
        )
        const before = drawn(layer.sent())
        await layer.apply({ type: 'redactions.apply' })
        const after = drawn(layer.sent())
        const differing = before.filter((value, at) => value !== after[at]).length
        t.ok(differing < 42 * 32, `${differing} pixels differ`)
      },
    )
  }
}
