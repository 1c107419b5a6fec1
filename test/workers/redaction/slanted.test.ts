// Slanted text: only the glyphs under a mark leave, and the others stay where they are.
import t from 'tap'
import { layerOf } from '../../support/pdf/changing.js'
import { everyObject } from '../../support/pdf/every-object.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'

const matrix = (degrees: number, x: number, y: number): string => {
  const [cosine, sine] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  return `${[cosine, sine, -sine, cosine].map((value) => value.toFixed(5)).join(' ')} ${x} ${y}`
}
const placed = (path: string): readonly string[] =>
  [
    ...judged('mutool', ['draw', '-q', '-F', 'stext', path])
      .toString()
      .matchAll(/<char .*? x="(.*?)" y="(.*?)".*? c="(\S)"/g),
  ].map(([, x, y, character]) => `${character} ${Number(x).toFixed(1)} ${Number(y).toFixed(1)}`)

for (const degrees of [10, 30, 45, 60, 135, 200, 300]) {
  t.test(
    `only the marked word leaves lines slanted by ${degrees} degrees`,
    needs('mutool', 'pdftotext', 'qpdf'),
    async (t) => {
      const drawing = '0 0 1 rg q 1 0 0 1 5 5 cm 300 20 20 20 re f Q'
      const lines = ['one SECRET two', 'above all of it'].map(
        (line, index) => `BT /F1 14 Tf 1 0 0 1 200 200 Tm ${matrix(degrees, 200, 200 + 30 * index)} Tm (${line}) Tj ET`,
      )
      const content = `${drawing} .5 0 0 .5 80 80 cm q ${lines.join(' Q q ')} Q BT /F1 9 Tf 20 380 Td (upright) Tj ET`
      const layer = layerOf(t, onePage(content, { size: [400, 400], resources: helvetica }))
      const before = placed(layer.sent())
      await layer.apply({ type: 'annotations.mark', text: 'SECRET' })
      await layer.apply({ type: 'redactions.apply' })
      const after = placed(layer.sent())
      t.equal(after.length, before.length - 'SECRET'.length)
      t.same(
        after.filter((one) => !before.includes(one)),
        [],
        'nothing moves',
      )
      t.notMatch(everyObject(layer.sent()), '9999999')
      t.notMatch(judged('pdftotext', ['-raw', layer.sent(), '-']).toString().replace(/\s/g, ''), /S|E|C|R|T/)
    },
  )
}
