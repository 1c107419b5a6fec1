// If the crop box lies outside the page, readers show the whole page, and so do layout, text and pictures here.
import sharp from 'sharp'
import t from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { layout } from '../../../workers/jobs/layout.js'
import { render } from '../../../workers/jobs/render.js'
import { text } from '../../../workers/jobs/text.js'
import { thumbnail } from '../../../workers/jobs/thumbnail.js'
import { layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'

const content = 'BT /F1 20 Tf 50 50 Td (Hello world) Tj ET 0 0 300 20 re f'
const strays = ['1000 1000 1200 1200', '300 0 400 200', '100 100 100 150', '-90 -90 -10 -10']

for (const box of strays) {
  t.test(`the crop box [${box}] of a page of 300 by 200 is ignored`, async (t) => {
    const source = Workshop.of(t).source(onePage(content, { resources: helvetica, page: `/CropBox[${box}]` }))
    const run = runner(t)
    t.match(await run(layout, { source }), { pages: [{ size: { width: 300, height: 200 } }] })
    t.match(await run(text, { source, page: 3 }), { text: /Hello world/ })
    const view = { viewport: { kind: 'scale', scale: 1 }, target: undefined, rotation: 0 } as const
    const shown = { source, page: 3, view, encoding: { format: 'png' }, background: 'white' } as const
    for (const family of ['pages', 'all'] as const) {
      const { bytes, width, height } = await run(render, { ...shown, family })
      t.same([width, height], [300, 200])
      t.same(await cornersOf(bytes), ['white', 'black'])
    }
    t.same(await cornersOf((await run(thumbnail, { source })).bytes), ['white', 'black'])
  })
}

/** Returns the colours at the top left and at the bottom left. */
async function cornersOf(bytes: Uint8Array): Promise<readonly string[]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const row = info.width * info.channels
  return [0, (info.height - 2) * row].map((place) => ((data[place] ?? 0) > 128 ? 'white' : 'black'))
}

t.test(
  'edits of a page whose crop box is ignored are placed correctly, and do not change the box',
  needs('pdftotext', 'qpdf'),
  async (t) => {
    const bytes = onePage(content, { resources: helvetica, page: '/CropBox[1000 1000 1200 1200]' })
    const layer = layerOf(t, bytes)
    const [upperLeft, upperRight] = [45, 100].map((x) => ({ x, y: 125 }))
    const [lowerLeft, lowerRight] = [45, 100].map((x) => ({ x, y: 160 }))
    const data = { subtype: 'redact', quadPoints: [{ upperLeft, upperRight, lowerLeft, lowerRight }] }
    await layer.apply({ type: 'annotations.create', page: pageRef(3), data })
    t.match(judged('qpdf', ['--show-object=3', layer.sent()]).toString(), '/CropBox [ 1000 1000 1200 1200 ]')
    await layer.apply({ type: 'redactions.apply', pages: [pageRef(3)] })
    const words = judged('pdftotext', [layer.sent(), '-']).toString()
    t.notMatch(words, 'Hello')
    t.match(words, 'world')
    t.match(judged('qpdf', ['--show-object=3', layer.sent()]).toString(), '/CropBox [ 1000 1000 1200 1200 ]')
  },
)
