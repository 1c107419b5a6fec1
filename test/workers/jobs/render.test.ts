// Pictures: their exact size and content, checked by pixels and compared with poppler.
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { QuarterTurn } from '../../../workers/contract/quarter-turn.js'
import { type RenderInput, render } from '../../../workers/jobs/render.js'
import { thumbnail } from '../../../workers/jobs/thumbnail.js'
import type { PdfSource } from '../../../workers/messages/task.js'
import { misplaced } from '../../support/pdf/damaged-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { assembled, difference, pixelAt, pixelsOf, type Rgba } from '../../support/pdf/pictures.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'

const [red, green, blue, white]: readonly Rgba[] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
  [255, 255, 255, 255],
]

/** 300 x 200: red at the bottom left, green at the top left, blue at the bottom right, text in the middle. */
const marks = '1 0 0 rg 0 0 30 20 re f 0 1 0 rg 0 180 30 20 re f 0 0 1 rg 270 0 30 20 re f '
const text = '0 g BT /F1 24 Tf 80 95 Td (Quick brown fox) Tj ET 120 60 m 180 60 l 150 30 l h f'
const marked = onePage(marks + text, { resources: helvetica })

type Options = Partial<Omit<RenderInput, 'source' | 'view'>> & Partial<RenderInput['view']>

const picture = (source: PdfSource, { viewport, target, rotation = 0, ...rest }: Options = {}): RenderInput => ({
  source,
  page: 3,
  family: 'pages',
  encoding: { format: 'png' },
  background: 'white',
  view: { viewport: viewport ?? { kind: 'scale', scale: 1 }, target, rotation },
  ...rest,
})

t.test('the size of a picture is computed from page, scale and width', async (t) => {
  const run = runner(t)
  const source = Workshop.of(t).source(marked)
  const sizes: readonly [Options, number, number][] = [
    [{}, 300, 200],
    [{ viewport: { kind: 'scale', scale: 2.5 } }, 750, 500],
    [{ viewport: { kind: 'scale', scale: 0.001 } }, 1, 1],
    [{ viewport: { kind: 'width', width: 800 } }, 800, 533],
    [{ viewport: { kind: 'width', width: 800 }, rotation: 90 }, 800, 1200],
    [{ rotation: 270 }, 200, 300],
    [{ target: { x: 10, y: 20, width: 50, height: 40 } }, 50, 40],
    [{ target: { x: 10, y: 20, width: 50, height: 40 }, rotation: 90 }, 40, 50],
    [{ target: { x: 0, y: 0, width: 150, height: 100 }, viewport: { kind: 'width', width: 600 } }, 600, 400],
  ]
  for (const [options, width, height] of sizes) {
    const drawn = await run(render, picture(source, options))
    const { width: realWidth, height: realHeight } = await pixelsOf(drawn.bytes)
    t.same([drawn.width, drawn.height, realWidth, realHeight], [width, height, width, height], JSON.stringify(options))
  }
})

t.test('the origin is at the top left, and rotation is clockwise', async (t) => {
  const run = runner(t)
  const source = Workshop.of(t).source(marked)
  const corners = async (rotation: QuarterTurn): Promise<unknown> => {
    const drawn = await pixelsOf((await run(render, picture(source, { rotation }))).bytes)
    const [right, bottom] = [drawn.width - 5, drawn.height - 5]
    return [pixelAt(drawn, 5, 5), pixelAt(drawn, right, 5), pixelAt(drawn, right, bottom), pixelAt(drawn, 5, bottom)]
  }
  t.same(await corners(0), [green, white, blue, red])
  t.same(await corners(90), [red, green, white, blue])
  t.same(await corners(180), [blue, red, green, white])
  t.same(await corners(270), [white, blue, red, green])
})

t.test('a picture looks like that of poppler', needs('pdftoppm'), async (t) => {
  const run = runner(t)
  const source = Workshop.of(t).source(marked)
  const theirs = await pixelsOf(judged('pdftoppm', ['-png', '-r', '144', source.path]))
  const ours = await pixelsOf((await run(render, picture(source, { viewport: { kind: 'scale', scale: 2 } }))).bytes)
  t.same([ours.width, ours.height], [theirs.width, theirs.height])
  t.ok(difference(ours, theirs) < 3, `mean difference ${difference(ours, theirs)}`)
  const upsideDown = await pixelsOf(
    (await run(render, picture(source, { viewport: { kind: 'scale', scale: 2 }, rotation: 180 }))).bytes,
  )
  t.ok(difference(upsideDown, theirs) > 10, 'the comparison detects a picture that is upside down')
})

t.test('tiles combine to the whole page', async (t) => {
  const run = runner(t)
  const source = Workshop.of(t).source(marked)
  const [scale, points] = [2, 50]
  const viewport = { kind: 'scale', scale } as const
  const whole = await pixelsOf((await run(render, picture(source, { viewport }))).bytes)
  const tileAt = async (x: number, y: number): Promise<Uint8Array> =>
    (await run(render, picture(source, { viewport, target: { x, y, width: points, height: points } }))).bytes
  const rows = await Promise.all(
    [0, 50, 100, 150].map((y) => Promise.all([0, 50, 100, 150, 200, 250].map((x) => tileAt(x, y)))),
  )
  const together = await assembled(rows, { width: 600, height: 400, tile: points * scale })
  t.equal(difference(together, whole), 0)
})

t.test('a transparent picture contains only drawn content', async (t) => {
  const run = runner(t)
  const half = onePage('/H gs 1 0 0 rg 0 0 300 100 re f', { resources: '/ExtGState<</H<</ca .5>>>>' })
  const source = Workshop.of(t).source(half)
  for (const format of ['png', 'webp'] as const) {
    const drawn = await pixelsOf(
      (await run(render, picture(source, { background: 'transparent', encoding: { format } }))).bytes,
    )
    t.equal(pixelAt(drawn, 150, 20)[3], 0, `${format}: nothing there`)
    const [r, g, b, alpha] = pixelAt(drawn, 150, 150)
    t.ok(r > 250 && g < 5 && b < 5, `${format}: the colour is not darkened by its transparency`)
    t.ok(Math.abs(alpha - 128) <= 2, `${format}: half transparent`)
  }
  const solid = await pixelsOf((await run(render, picture(source))).bytes)
  t.same(pixelAt(solid, 150, 20), white)
})

t.test(
  "a page's rotation, user unit and origin are applied, and content outside the crop box is never drawn",
  async (t) => {
    const run = runner(t)
    const page = '/Rotate 90/UserUnit 2/CropBox[20 10 220 110]'
    const source = Workshop.of(t).source(onePage(`${marks} 0 1 0 rg 20 100 10 10 re f`, { page }))
    const drawn = await run(render, picture(source))
    t.same([drawn.width, drawn.height], [200, 100])
    t.same(pixelAt(await pixelsOf(drawn.bytes), 5, 5), green)
    const beyond = { x: -20, y: -90, width: 300, height: 200 }
    const around = await pixelsOf((await run(render, picture(source, { target: beyond }))).bytes)
    t.same(pixelAt(around, 25, 95), green, 'the corner of the crop box is where the rectangle has it')
    t.same(pixelAt(around, 5, 195), white, 'the red mark is outside')
  },
)

t.test('annotations and form fields are drawn only by render families that include them', async (t) => {
  const run = runner(t)
  const form = (color: string): { body: string; stream: string } => ({
    body: '<</Type/XObject/Subtype/Form/BBox[0 0 20 20]>>',
    stream: `${color} rg 0 0 20 20 re f`,
  })
  const source = Workshop.of(t).source(
    onePage('', {
      page: '/Annots[5 0 R 6 0 R]',
      further: {
        5: '<</Type/Annot/Subtype/Square/Rect[10 10 30 30]/F 4/AP<</N 7 0 R>>>>',
        6: '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/Rect[100 10 120 30]/F 4/AP<</N 8 0 R>>>>',
        7: form('1 0 0'),
        8: form('0 0 1'),
      },
    }),
  )
  const seen = async (family: RenderInput['family']): Promise<unknown> => {
    const drawn = await pixelsOf((await run(render, picture(source, { family }))).bytes)
    return [pixelAt(drawn, 20, 180), pixelAt(drawn, 110, 180)]
  }
  t.same(await seen('pages'), [white, white])
  t.same(await seen('annotations'), [red, white])
  t.same(await seen('fields'), [white, blue])
  t.same(await seen('all'), [red, blue])
})

t.test('WebP has the requested quality', async (t) => {
  const run = runner(t)
  const source = Workshop.of(t).source(marked)
  const viewport = { kind: 'scale', scale: 4 } as const
  const sizeAt = async (quality: number): Promise<number> => {
    const drawn = await run(render, picture(source, { viewport, encoding: { format: 'webp', quality } }))
    t.equal(drawn.contentType, 'image/webp')
    return drawn.bytes.byteLength
  }
  const sizes = [await sizeAt(0), await sizeAt(0.5), await sizeAt(1)]
  t.same(
    sizes,
    [...sizes].sort((a, b) => a - b),
    'higher quality means more bytes',
  )
  t.ok((sizes[0] ?? 0) < (sizes[2] ?? 0))
})

t.test('a picture above the pixel budget is refused before anything is drawn', async (t) => {
  const run = runner(t, { pixelsMax: 1_000_000 })
  const source = Workshop.of(t).source(marked)
  const tooLarge: readonly Options[] = [
    { viewport: { kind: 'scale', scale: 5 } },
    { viewport: { kind: 'width', width: 1e9 } },
    { viewport: { kind: 'scale', scale: Number.MAX_VALUE } },
    { target: { x: 0, y: 0, width: 1e-9, height: 100 }, viewport: { kind: 'width', width: 100 } },
  ]
  for (const options of tooLarge) await t.rejects(run(render, picture(source, options)), { code: 'InvalidArg' })
  t.match(await run(render, picture(source, { viewport: { kind: 'width', width: 1200 } })), {
    width: 1200,
    height: 800,
  })
})

t.test('a missing page is not found', async (t) => {
  await t.rejects(runner(t)(render, picture(Workshop.of(t).source(marked), { page: 4 })), { code: 'NotFound' })
})

t.test('a thumbnail shows the first page as opened: rotated, with annotations and fields', async (t) => {
  const run = runner(t)
  const workshop = Workshop.of(t)
  const turned = await run(thumbnail, { source: workshop.source(onePage(marks, { page: '/Rotate 90' })) })
  t.match(turned, { contentType: 'image/webp', width: 320, height: 480 })
  const drawn = await pixelsOf(turned.bytes)
  const [r, g, b] = pixelAt(drawn, 8, 8)
  t.ok(r > 230 && g < 30 && b < 30, 'the bottom left of the page is now at the top left')
  const strip = await run(thumbnail, { source: workshop.source(onePage('', { size: [3, 14400] })) })
  t.match(strip, { width: 1, height: 640 }, 'a long page stays within bounds')
})

t.test('a locked document is rendered only with its password', needs('qpdf'), async (t) => {
  const run = runner(t)
  const workshop = Workshop.of(t)
  const plain = workshop.source(marked)
  const path = workshop.path('locked.pdf')
  judged('qpdf', ['--encrypt', 'user', 'owner', '256', '--', plain.path, path])
  const locked = workshop.source(readFileSync(path))
  const withPassword = (password: string): RenderInput => picture({ ...locked, password: Buffer.from(password) })
  await t.rejects(run(render, picture(locked)), { code: 'DocPasswordRequired' })
  await t.rejects(run(render, withPassword('wrong')), { code: 'DocPasswordIncorrect' })
  const expected = await run(render, picture(plain))
  for (const password of ['user', 'owner']) t.same((await run(render, withPassword(password))).bytes, expected.bytes)
  await t.rejects(run(render, withPassword('wrong')), { code: 'DocPasswordIncorrect' }, 'open copies open no door')
  await t.rejects(run(render, picture(locked)), { code: 'DocPasswordRequired' })
})

t.test('annotations are drawn even if the engine detects damage while preparing or drawing the page', async (t) => {
  const sound = onePage('0 0 1 rg 0 0 20 20 re f', {
    page: '/Annots[5 0 R<</Type/Annot/Subtype/Square/F 4/Rect[220 50 280 150]/C[0 1 0]/IC[0 1 0]>>7 0 R]',
    further: {
      5: '<</Type/Annot/Subtype/Square/F 4/Rect[100 50 200 150]/AP<</N 6 0 R>>>>',
      6: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 100 100]>>', stream: '1 0 0 rg 0 0 100 100 re f' },
      7: '<</Type/Annot/Subtype/Circle/F 4/Rect[30 50 90 150]/C[0 0 1]/IC[0 0 1]>>',
    },
  })
  const workshop = Workshop.of(t)
  const looks = async (file: Buffer) => {
    const run = runner(t)
    const source = workshop.source(file)
    const small = await run(thumbnail, { source })
    const [first, second] = [
      await run(render, picture(source, { family: 'all' })),
      await run(render, picture(source, { family: 'all' })),
    ]
    return { small: small.bytes, first: first.bytes, second: second.bytes }
  }
  const expected = await looks(sound)
  const drawn = await pixelsOf(expected.first)
  t.same([pixelAt(drawn, 150, 100), pixelAt(drawn, 250, 100), pixelAt(drawn, 60, 100)], [red, green, blue])
  for (const number of [4, 5, 6, 7]) {
    t.same(await looks(misplaced(sound, number, 7)), expected, `object ${number} is elsewhere`)
    const run = runner(t)
    const source = workshop.source(misplaced(sound, number, 7))
    const { bytes } = await run(render, picture(source, { family: 'all' }))
    t.same(bytes, expected.first, 'also where nothing was read before')
  }
})
