import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openFile } from '../../../workers/document/open-file.js'
import { mupdf } from '../../../workers/engine/library.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { difference, type Pixels, pixelAt, pixelsOf } from '../../support/pdf/pictures.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { files, page, quad, type Sample, samples } from './support/drafts.js'

/** 300 by 200 points: one pixel for each. A black bar lies from (0, 150) to (300, 170). */
const base = onePage('0 0 0 rg 0 30 300 20 re f')

async function drawn(
  ...all: readonly Sample[]
): Promise<{ readonly layer: ChangingLayer; readonly rects: readonly Box[] }> {
  const layer = layerOf(t, base)
  const ops = all.map((sample) => ({ type: 'annotations.create', page, ...sample }))
  const { items } = await layer.change({ ops, resources: files })
  return { layer, rects: items.map((item) => Object(item).annotation.rect) }
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Raw pixels of the engine: encoding and decoding a picture would take longer than drawing it. */
function picture(layer: ChangingLayer): Pixels {
  const document = openFile({ path: layer.sent() })
  try {
    return document.withPage(3, (shown) => {
      const pixmap = shown.toPixmap(mupdf.Matrix.identity, mupdf.ColorSpace.DeviceRGB, false, true)
      const [width, height, rgb] = [pixmap.getWidth(), pixmap.getHeight(), pixmap.getPixels()]
      const rgba = Uint8Array.from({ length: width * height * 4 }, (_, index) =>
        index % 4 === 3 ? 255 : (rgb[Math.floor(index / 4) * 3 + (index % 4)] ?? 0),
      )
      pixmap.destroy()
      return { width, height, rgba }
    })
  } finally {
    document.destroy()
  }
}

const isBare = (pixels: Pixels, x: number, y: number): boolean => {
  const [red, green, blue] = pixelAt(pixels, x, y)
  const isBar = y >= 150 && y < 170
  return [red, green, blue].every((value) => (isBar ? value < 8 : value > 247))
}

for (const [name, sample] of Object.entries(samples).filter(([, { data }]) => data.subtype !== 'link')) {
  t.test(`${name}: the annotation is drawn, within its rectangle only`, async (t) => {
    const { layer, rects } = await drawn(sample)
    const pixels = picture(layer)
    const [rect = { x: 0, y: 0, width: 0, height: 0 }] = rects
    let [inside, outside] = [0, 0]
    for (let y = 0; y < pixels.height; y++) {
      for (let x = 0; x < pixels.width; x++) {
        if (isBare(pixels, x, y)) continue
        const isIn = x >= rect.x - 1 && x <= rect.x + rect.width && y >= rect.y - 1 && y <= rect.y + rect.height
        if (isIn) inside++
        else outside++
      }
    }
    t.ok(inside > 8, `${inside} pixels`)
    t.equal(outside, 0)
  })
}

t.test('colour, opacity, blend mode and interior colour are visible where they should be', async (t) => {
  const box = { x: 20, y: 20, width: 60, height: 60 }
  const common = { subtype: 'square', strokeWidth: 10, color: '#ff0000', interiorColor: '#0000ff' } as const
  const { layer } = await drawn(
    { data: { ...common, box } },
    { data: { ...common, box: { ...box, x: 120 }, opacity: 0.5 } },
    { data: { subtype: 'highlight', quadPoints: [quad(200, 140, 40, 40)], color: '#ffff00' } },
    {
      data: { subtype: 'square', box: { ...box, x: 250, y: 130, width: 40 }, strokeWidth: 0, interiorColor: '#00ff00' },
    },
  )
  const pixels = picture(layer)
  const at = (x: number, y: number) => pixelAt(pixels, x, y).slice(0, 3)
  t.same(at(25, 50), [255, 0, 0], 'the line lies inside of the box')
  t.same(at(50, 50), [0, 0, 255])
  const [red, green, blue] = at(125, 50)
  t.ok(
    (red ?? 0) > 250 && Math.abs((green ?? 0) - 128) < 3 && Math.abs((blue ?? 0) - 128) < 3,
    'opacity applies once where line and interior overlap',
  )
  t.same(at(220, 145), [255, 255, 0])
  t.same(at(220, 160), [0, 0, 0], 'text under a highlight stays black')
  t.same(at(270, 160), [0, 255, 0], 'an opaque interior covers the page')
})

t.test(
  'a visible update rewrites the same appearance objects, and unused ones are absent from downloads',
  async (t) => {
    const { layer } = await drawn({
      data: { subtype: 'square', box: { x: 20, y: 20, width: 60, height: 60 }, opacity: 0.5 },
    })
    const numbers = layer.images.map(({ number }) => number)
    const [{ ref }] = [layer.reads(t).annotations(3).annotations[0] ?? t.fail('there is none')].map((one) =>
      Object(one),
    )
    await layer.apply({ type: 'annotations.update', ref, patch: { color: '#00ff00', opacity: 1 } })
    t.same(
      layer.images.map(({ number }) => number),
      numbers,
    )
    t.equal(
      layer.images.filter(({ isHidden }) => isHidden).length,
      1,
      'the inner form, which was needed for blending only',
    )
    t.same(pixelAt(picture(layer), 50, 20).slice(0, 3), [0, 255, 0])
  },
)

t.test(
  'appearances are valid for qpdf, and poppler draws them like the engine',
  needs('qpdf', 'pdftoppm'),
  async (t) => {
    const { layer } = await drawn(
      {
        data: {
          subtype: 'square',
          box: { x: 10, y: 10, width: 60, height: 40 },
          rotation: 20,
          strokeWidth: 3,
          opacity: 0.5,
        },
      },
      { data: { subtype: 'highlight', quadPoints: [quad(10, 140, 80, 40)] } },
      {
        data: { subtype: 'free-text', box: { x: 90, y: 10, width: 80, height: 30 }, contents: 'Words', strokeWidth: 2 },
      },
      {
        data: {
          subtype: 'circle',
          box: { x: 190, y: 20, width: 60, height: 40 },
          cloudyIntensity: 1,
          interiorColor: '#ccffcc',
        },
      },
      {
        data: { subtype: 'stamp', rect: { x: 100, y: 60, width: 60, height: 60 } },
        resources: { appearance: 'drawing' },
      },
      {
        data: { subtype: 'stamp', rect: { x: 180, y: 80, width: 40, height: 40 } },
        resources: { appearance: 'picture' },
      },
    )
    const sent = layer.sent()
    t.match(judged('qpdf', ['--check', sent]).toString(), /No syntax or stream encoding errors/)
    const prefix = join(t.testdir(), 'poppler')
    judged('pdftoppm', ['-r', '72', '-png', '-singlefile', sent, prefix])
    const [ours, theirs] = [picture(layer), await pixelsOf(readFileSync(`${prefix}.png`))]
    t.ok(difference(ours, theirs) < 2, `difference between the pictures: ${difference(ours, theirs)}`)
  },
)

t.test('text of every script that the engine has fonts for is drawn and can be extracted', needs('qpdf'), async (t) => {
  const data = {
    subtype: 'free-text',
    box: { x: 10, y: 10, width: 200, height: 60 },
    contents: 'Grüße Привет 中文',
  } as const
  const { layer } = await drawn({ data })
  t.match(judged('qpdf', ['--check', layer.sent()]).toString(), /No syntax or stream encoding errors/)
  await layer.apply({
    type: 'annotations.update',
    ref: Object(layer.reads(t).annotations(3).annotations[0]).ref,
    patch: { contents: 'Plain' },
  })
  t.ok(
    layer.images.some(({ isHidden }) => isHidden),
    'fonts that are no longer used are hidden',
  )
})
