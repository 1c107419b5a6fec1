// Only the part of a drawing under a mark is removed: frames, backgrounds and tables look the same beside it.
import t, { type Test } from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { everyObject } from '../../support/pdf/every-object.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage, type RawObjects } from '../../support/pdf/raw-pdf.js'

interface Box {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

const size = [300, 200] as const
const scale = 2
const mark: Box = { left: 50, bottom: 80, right: 150, top: 120 }

interface Picture {
  readonly width: number
  readonly height: number
  readonly pixels: Buffer
}

/** Renders without snapping lines to whole pixels. */
function pictureOf(path: string, resolution = 72 * scale): Picture {
  const options = ['-r', String(resolution), '-thinlinemode', 'shape', '-f', '1', '-l', '1']
  const file = judged('pdftoppm', [...options, path])
  const [header = '', width, height] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(file.subarray(0, 40).toString('latin1')) ?? []
  return { width: Number(width), height: Number(height), pixels: file.subarray(header.length) }
}

/** Counts pixels of different colour where `isMeant`, given points from the lower left corner, is true. */
function differing(one: Picture, other: Picture, isMeant: (x: number, y: number) => boolean): number {
  let count = 0
  const pixelsPerPoint = one.width / size[0]
  for (let index = 0; index < one.width * one.height; index++) {
    const [x, y] = [(index % one.width) + 0.5, one.height - Math.floor(index / one.width) - 0.5]
    if (!isMeant(x / pixelsPerPoint, y / pixelsPerPoint)) continue
    const isOther = [0, 1, 2].some((color) => {
      return Math.abs((one.pixels[index * 3 + color] ?? 0) - (other.pixels[index * 3 + color] ?? 0)) > 96
    })
    if (isOther) count++
  }
  return count
}

const isIn = ({ left, bottom, right, top }: Box, margin: number) => {
  return (x: number, y: number) => x > left - margin && x < right + margin && y > bottom - margin && y < top + margin
}

interface Drawing {
  readonly content: string
  readonly resources?: string
  readonly page?: string
  readonly further?: RawObjects
  /** Maximum distance beside the mark at which ink may be missing: half the line width. */
  readonly margin?: number
  readonly mark?: string
}

const redact = '<</Type/Annot/Subtype/Redact/Rect[50 80 150 120]>>'

const pdfOf = ({ content, resources = '', page = '', further = {}, mark = redact }: Drawing): Buffer =>
  onePage(content, {
    size,
    resources: helvetica + resources,
    page: `${page}/Annots[5 0 R]`,
    further: { 5: mark, ...further },
  })

async function redacted(t: Test, drawing: Drawing) {
  const layer = layerOf(t, pdfOf(drawing))
  const before = pictureOf(layer.sent())
  const { items } = await layer.apply({ type: 'redactions.apply' })
  return { layer, before, after: pictureOf(layer.sent()), item: items[0] }
}

const blank = (picture: Picture): Picture => ({ ...picture, pixels: Buffer.alloc(picture.pixels.length, 255) })

/** Returns the point pairs of the remaining paths; valid for content without matrices. */
function pointsOf(layer: ChangingLayer): readonly (readonly [number, number])[] {
  const content = everyObject(layer.sent())
  return [...content.matchAll(/(-?[\d.]+) (-?[\d.]+)(?= (?:[mlc]|-?[\d.]+ -?[\d.]+ (?:c|-?[\d.]+ -?[\d.]+ c)))/g)].map(
    ([, x, y]) => [Number(x), Number(y)],
  )
}

const gradients = {
  resources: '/Shading<</Sh 6 0 R/Ring 7 0 R>>/Pattern<</P<</PatternType 2/Shading 6 0 R>>>>',
  further: {
    6: '<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 300 200]/Function 8 0 R/Extend[true true]>>',
    7: '<</ShadingType 3/ColorSpace/DeviceRGB/Coords[220 100 5 220 100 60]/Function 8 0 R>>',
    8: '<</FunctionType 2/Domain[0 1]/C0[1 .6 .6]/C1[.6 .6 1]/N 1>>',
  },
}

const star = '100 190 m 160 10 l 5 130 l 195 130 l 40 10 l h'
const drawings: Readonly<Record<string, Drawing>> = {
  'a frame around the page': { content: '1 0 0 RG 4 w 10 10 280 180 re S' },
  'a box around the words': { content: '1 0 0 RG 1 w 48 78 104 44 re S' },
  'frames in each other': {
    content: [10, 14, 18, 22, 26]
      .map((at) => `${at / 30} 0 1 RG ${at} ${at} ${300 - 2 * at} ${200 - 2 * at} re S`)
      .join(' '),
  },
  'a background': { content: '.8 .9 1 rg 0 0 300 200 re f' },
  'a banner on a background': { content: '.8 .9 1 rg 0 0 300 200 re f 0 0 .5 rg 20 70 260 60 re f' },
  'a background with a hole, by either rule': {
    content:
      '0 .6 0 rg 5 5 290 190 re 40 70 120 60 re f* 0 0 1 rg 170 20 100 100 re 200 40 m 200 80 l 240 80 l 240 40 l h f',
  },
  'an area gone round twice': { content: '0 .6 0 rg 5 5 290 190 re 10 10 280 180 re f' },
  'a star, by one rule': { content: `0 .6 0 rg ${star} f` },
  'a star, by the other': { content: `0 .6 0 rg ${star} f*` },
  'areas that overlap the mark': {
    content: '1 0 0 rg 20 100 60 60 re f 0 1 0 rg 100 40 20 120 re f 0 0 1 rg 140 110 100 50 re f',
  },
  curves: { content: '.5 0 .5 rg 20 20 m 20 300 280 300 280 20 c 200 120 100 90 20 20 c h f' },
  'curves that only come near': {
    content: '.5 0 .5 rg 20 20 m 100 78 100 78 180 20 c h f 0 .5 0 RG 2 w 20 180 m 100 120 120 123 180 180 c S',
    margin: 1.5,
  },
  'many areas as one path': {
    content: `0 g ${Array.from({ length: 60 }, (_, at) => `${(at % 10) * 30} ${Math.floor(at / 10) * 33} 17 19 re`).join(' ')} f`,
  },
  'a thick line that goes through': { content: '1 0 0 RG 12 w 5 100 m 290 100 l S 0 0 1 RG 100 5 m 100 195 l S' },
  'a thick line that goes through aslant': { content: '1 0 0 RG 12 w 5 20 m 290 170 l S', margin: 12 },
  'a line that goes along the edge': { content: '1 0 0 RG 2 w 5 121.1 m 290 121.1 l S 48.9 5 m 48.9 195 l S' },
  'a line whose ends are round or square': {
    content: '1 0 0 RG 10 w 1 J 5 100 m 290 100 l S 2 J 100 5 m 100 195 l S 1 J 200 50 m 200 50 l S',
    margin: 6,
  },
  'lines that meet in points': {
    content:
      '1 0 0 RG 6 w 20 140 m 100 125 l 180 140 l S 1 j 160 60 m 100 74 l 40 60 l S 2 j 160 20 m 100 40 l 40 20 l s',
    margin: 10,
  },
  'a dashed frame': { content: '1 0 0 RG 3 w [9 5] 2 d 40 100 220 70 re S 20 20 260 160 re s', margin: 2 },
  'a dashed curve': { content: '1 0 0 RG 3 w [9 5] 0 d 10 10 m 60 260 240 -60 290 190 c S', margin: 3 },
  'an area with its outline': {
    content: '.8 1 .8 rg 0 0 .5 RG 5 w 30 60 240 80 re B .9 .9 0 rg 60 10 m 130 190 l 180 10 l b*',
    margin: 5,
  },
  'a transparent area around the mark with its outline': {
    content: '/G gs .8 .2 .2 rg 0 0 .9 RG 12 w 30 50 240 100 re B',
    resources: '/ExtGState<</G<</ca .5/CA .5>>>>',
  },
  'what is scaled unevenly': {
    content: 'q 3 0 0 .5 0 0 cm 1 0 0 RG 4 w 5 20 85 360 re S 30 200 m 90 200 l S Q',
    margin: 7,
  },
  'what is turned and skewed': {
    content: 'q .8 .3 -.5 .9 90 10 cm .9 .8 .8 rg 0 0 150 150 re f 0 0 1 RG 5 w 0 0 150 150 re S Q',
    margin: 5,
  },
  'what is clipped': {
    content:
      'q 150 100 m 290 190 l 290 10 l h 10 10 120 180 re W n .8 .9 1 rg 0 0 300 200 re f 1 0 0 RG 8 w 5 100 m 290 100 l S Q',
  },
  'what clips as it is drawn': { content: 'q .8 .9 1 rg 10 10 200 180 re W f 1 0 0 rg 180 60 100 100 re f Q' },
  'a form that is drawn in several places': {
    content: '/Fm Do q 1 0 0 1 120 -70 cm /Fm Do Q q .5 0 0 .5 200 120 cm /Fm Do Q',
    resources: '/XObject<</Fm 6 0 R>>',
    further: {
      6: {
        body: '<</Type/XObject/Subtype/Form/BBox[0 0 300 200]/Matrix[1 0 0 1 5 5]/Resources<</XObject<</In 7 0 R>>>>>>',
        stream: '.9 .8 1 rg 30 70 100 40 re f /In Do',
      },
      7: {
        body: '<</Type/XObject/Subtype/Form/BBox[0 0 300 200]/Resources<<>>>>',
        stream: '3 w 1 0 0 RG 20 60 120 60 re S',
      },
    },
    margin: 2,
  },
  'a form that is drawn with the pen of the page': {
    content: '9 w 1 J 1 0 0 RG /Fm Do',
    resources: '/XObject<</Fm 6 0 R>>',
    further: {
      6: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 300 200]/Resources<<>>>>', stream: '20 100 m 280 100 l S' },
    },
    margin: 5,
  },
  'a pen of the resources': {
    content: '/G gs 1 0 0 RG 20 126 m 280 126 l S 20 60 m 280 60 l S',
    resources: '/ExtGState<</G<</LW 10/LC 0/D[[20 10] 0]>>>>',
  },
  'content that is left open, on a turned and cut page of another unit': {
    content: 'q .8 .9 1 rg 0 0 300 200 re f q 1 0 0 RG 4 w 30 30 240 140 re S',
    page: '/Rotate 90/CropBox[20 10 280 190]/UserUnit 1',
  },
  'a gradient behind the page': { content: '/Sh sh q 10 10 280 180 re W n /Ring sh Q', ...gradients },
  'an area with a gradient': { content: '/Pattern cs /P scn 20 70 260 60 re f 20 10 200 100 re f', ...gradients },
  'an area that is seen through a soft mask': {
    content: '/G gs .2 .4 .9 rg 10 10 280 180 re f',
    resources: '/ExtGState<</G<</SMask<</S/Luminosity/G 6 0 R>>>>>>',
    further: {
      6: {
        body: '<</Type/XObject/Subtype/Form/BBox[0 0 300 200]/Group<</S/Transparency/CS/DeviceGray>>/Resources<<>>>>',
        stream: '.8 g 20 20 260 160 re f 0 g 30 30 40 140 re f 1 G 6 w 20 60 m 280 140 l S',
      },
    },
  },
  'an area with a pattern as large as the page': {
    content: '/Pattern cs /P scn 5 5 290 190 re f',
    resources: '/Pattern<</P 6 0 R>>',
    further: {
      6: {
        body: '<</Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 300 200]/XStep 300/YStep 200/Resources<<>>>>',
        stream: '.8 1 .8 rg 0 0 300 200 re f 1 0 0 RG 3 w 0 100 m 300 100 l S 20 20 40 150 re S',
      },
    },
  },
  'a frame with a pattern': {
    content: '/Pattern cs /P scn 5 5 290 190 re 20 20 260 160 re f*',
    resources: '/Pattern<</P 6 0 R>>',
    further: {
      6: {
        body: '<</Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>>>',
        stream: '1 0 0 rg 0 0 5 5 re f',
      },
    },
  },
}

for (const [what, drawing] of Object.entries(drawings)) {
  t.test(`content beside a mark is unchanged: ${what}`, needs('pdftoppm', 'qpdf'), async (t) => {
    const { layer, before, after, item } = await redacted(t, drawing)
    t.match(item, { removedWhole: { length: 0 } })
    t.strictSame((item as { removedWhole: unknown[] }).removedWhole, [])
    if (drawing.page === undefined) {
      const outside = isIn(mark, (drawing.margin ?? 0) + 1)
      t.equal(
        differing(before, after, (x, y) => !outside(x, y)),
        0,
        'outside',
      )
      t.equal(differing(after, blank(after), isIn(mark, -1)), 0, 'inside')
      if (!/ cm|gs/.test(drawing.content)) {
        t.same(
          pointsOf(layer).filter(([x, y]) => isIn(mark, -0.01)(x, y)),
          [],
          'points',
        )
      }
    }
  })
}

t.test('an area around a mark is painted in one step with its outline, as transparency requires', async (t) => {
  const drawing = drawings['a transparent area around the mark with its outline'] ?? { content: '' }
  const layer = layerOf(t, pdfOf(drawing))
  await layer.apply({ type: 'redactions.apply' })
  t.match(everyObject(layer.sent()), /W n\n[^W]*\nB\nQ/)
})

t.test('the edges of a cut area keep the pixels that readers snap them to', needs('pdftoppm'), async (t) => {
  const banners = '0 0 .4 rg 20.3 75.4 260 50.7 re f 20.3 20.4 260 70.7 re f 20.3 83.4 260 30.2 re f'
  const layer = layerOf(t, pdfOf({ content: banners }))
  const coarse = (): Picture => pictureOf(layer.sent(), 40)
  const before = coarse()
  await layer.apply({ type: 'redactions.apply' })
  const isBeside = isIn(mark, 2)
  t.equal(
    differing(before, coarse(), (x, y) => !isBeside(x, y)),
    0,
  )
})

t.test('a pattern fill under a mark is removed as a whole and reported', async (t) => {
  const { content, ...patterned } = drawings['a frame with a pattern'] ?? { content: '' }
  const layer = layerOf(t, pdfOf({ ...patterned, content: `${content} 0 0 300 200 re f 0 0 1 rg 10 10 20 20 re f` }))
  const { items } = await layer.apply({ type: 'redactions.apply' })
  t.match(items, [{ removedWhole: [{ page: pageRef(3), kind: 'patterns', count: 1 }] }])
  t.match(everyObject(layer.sent()), /10 10 20 20 re/)
})

t.test('a path with too many edges to cut is removed as a whole and reported', async (t) => {
  const edges = Array.from({ length: 70_000 }, (_, at) => `${(at * 7919) % 300} ${(at * 104_729) % 200} l`)
  const marks = Array.from({ length: 40 }, (_, at) => 50 + at * 2).flatMap((x) => [
    x,
    120,
    x + 1,
    120,
    x,
    80,
    x + 1,
    80,
  ])
  const mark = redact.replace('>>', `/QuadPoints[${marks.join(' ')}]>>`)
  const layer = layerOf(t, pdfOf({ content: `0 0 m ${edges.join(' ')} f 200 20 20 20 re f`, mark }))
  const { items } = await layer.apply({ type: 'redactions.apply' })
  t.match(items, [{ removedWhole: [{ page: pageRef(3), kind: 'drawings', count: 1 }] }])
  t.match(everyObject(layer.sent()), /200 20 20 20 re/)
})

t.test('white words on a banner stay readable when another word of it is redacted', needs('pdftotext'), async (t) => {
  const words = '1 g BT /F1 14 Tf 60 95 Td (Topsecret) Tj 120 0 Td (Heading) Tj ET'
  const { layer, after } = await redacted(t, {
    content: `.8 .9 1 rg 0 0 300 200 re f 0 0 .5 rg 20 70 260 60 re f ${words}`,
  })
  t.equal(judged('pdftotext', [layer.sent(), '-']).toString().trim(), 'Heading')
  const isBanner = isIn({ left: 175, bottom: 72, right: 178, top: 128 }, 0)
  t.ok(differing(after, blank(after), isBanner) > 300, 'the banner is behind it')
})

const twoMarks = {
  5: redact.replace('50 80 150 120', '60 140 120 160'),
  9: redact.replace('50 80 150 120', '60 90 120 110'),
}

t.test('marks near each other take no more than each of them alone', needs('pdftoppm', 'qpdf'), async (t) => {
  const table =
    '0 0 1 RG 2 w 10 10 280 180 re S .8 .9 1 rg 20 135 260 30 re f 0 g 1 w 20 135 m 280 135 l S 20 85 m 280 85 l S 20 60 260 22 re f'
  const layer = layerOf(
    t,
    onePage(table, { size, resources: helvetica, page: '/Annots[5 0 R 9 0 R]', further: twoMarks }),
  )
  const before = pictureOf(layer.sent())
  const { items } = await layer.apply({ type: 'redactions.apply' })
  t.strictSame((items[0] as { removedWhole: unknown[] }).removedWhole, [])
  const [high, low] = [140, 90].map((bottom) => isIn({ left: 60, bottom, right: 120, top: bottom + 20 }, 1))
  const after = pictureOf(layer.sent())
  t.equal(
    differing(before, after, (x, y) => !high?.(x, y) && !low?.(x, y)),
    0,
  )
})

const thin: Readonly<Record<string, string>> = {
  'a line without a width': '0 w 100 10 m 100 190 l S 10 100 m 290 100 l s',
  'an area without a width': '100 10 0 180 re f',
  'an area without a height': '10 100 280 0 re f 10 90 m 290 90 l f',
}
for (const [what, content] of Object.entries(thin)) {
  t.test(`what readers draw as thin as they can is cut too: ${what}`, needs('qpdf'), async (t) => {
    const layer = layerOf(t, pdfOf({ content }))
    const { items } = await layer.apply({ type: 'redactions.apply' })
    t.strictSame((items[0] as { removedWhole: unknown[] }).removedWhole, [])
    const points = pointsOf(layer)
    t.ok(points.length > 1, 'the rest stays')
    t.same(
      points.filter(([x, y]) => isIn(mark, -0.01)(x, y)),
      [],
    )
  })
}
