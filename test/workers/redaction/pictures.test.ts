// Redaction of pictures, judged by external programs: stored samples under a mark are removed, and the rest of the
// picture is drawn as before.
import { writeFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { layerOf } from '../../support/pdf/changing.js'
import { type Differences, differencesOf, drawingJudges, drawnBy } from '../../support/pdf/drawn-difference.js'
import { everyObject } from '../../support/pdf/every-object.js'
import { needs } from '../../support/pdf/judges.js'
import { type NoisyPicture, noise, noisyPictures } from '../../support/pdf/noisy-pictures.js'
import { onePage, type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'

interface Scene {
  readonly content: string
  /** Marks in user space, as lists of corners in order. */
  readonly marks: readonly (readonly number[])[]
  readonly picture: NoisyPicture
  readonly page?: string
  readonly further?: RawObjects
  readonly resources?: string
}

const size = [150, 130] as const
const box = (left: number, bottom: number, right: number, top: number) => [
  left,
  bottom,
  right,
  bottom,
  right,
  top,
  left,
  top,
]

/** Corners of a quad in the common order: upper left, upper right, lower left, lower right. */
const quadOf = ([ax, ay, bx, by, cx, cy, dx, dy]: readonly number[]) => [dx, dy, cx, cy, ax, ay, bx, by].join(' ')
const rectOf = (shapes: readonly (readonly number[])[]): string => {
  const [xs, ys] = [0, 1].map((odd) => shapes.flat().filter((_, index) => index % 2 === odd))
  return `[${[Math.min(...(xs ?? [])), Math.min(...(ys ?? [])), Math.max(...(xs ?? [])), Math.max(...(ys ?? []))].join(' ')}]`
}

const pdfOf = ({ content, marks, picture, page = '', further = {}, resources = '' }: Scene): Buffer =>
  onePage(content, {
    size,
    resources: `/XObject<</Im 6 0 R${resources}>>`,
    page: `${page}/Annots[5 0 R]`,
    further: {
      5: `<</Type/Annot/Subtype/Redact/Rect${rectOf(marks)}/QuadPoints[${marks.map(quadOf).join(' ')}]>>`,
      6: picture.image,
      ...picture.further,
      ...further,
    },
  })

const marksAlone = ({ marks, page = '' }: Scene): Buffer =>
  onePage(marks.map(([x, y, ...rest]) => `${x} ${y} m ${rest.join(' ').replace(/(\S+ \S+)/g, '$1 l')} h f`).join(' '), {
    size,
    page,
  })

interface Options {
  readonly margin?: number
  readonly tolerance?: number
}

async function redacted(t: Test, scene: Scene, options: Options = {}) {
  const layer = layerOf(t, pdfOf(scene))
  const before = layer.sent()
  const marks = `${before}.marks.pdf`
  writeFileSync(marks, marksAlone(scene))
  const { items } = await layer.apply({ type: 'redactions.apply' })
  const after = layer.sent()
  const judges = drawingJudges.filter((judge) => judge !== scene.picture.notBy)
  const differences = judges.map((judge): readonly [string, Differences] => {
    const [one, other, where] = [before, after, marks].map((path) => drawnBy(judge, path))
    if (one === undefined || other === undefined || where === undefined) throw new Error('Nothing was drawn')
    return [judge, differencesOf(one, other, where, options)]
  })
  return { path: after, differences, item: items[0] }
}

async function staysBeside(t: Test, scene: Scene, options: Options = {}): Promise<string> {
  const tolerance = scene.picture.isLossy === true ? 12 : 1
  const { path, differences, item } = await redacted(t, scene, { tolerance, ...options })
  for (const [judge, { beside, under }] of differences) {
    t.ok(beside.pixels > 3_000 && under.pixels > 50, `${judge}: ${beside.pixels} beside, ${under.pixels} under`)
    t.equal(beside.changed, 0, `${judge}: pixels beside the marks are unchanged`)
    t.equal(under.colors, 1, `${judge}: pixels under the marks have one colour`)
  }
  t.match(item, { removedWhole: { length: 0 } })
  return path
}

const pictures = await noisyPictures()

for (const [kind, picture] of Object.entries(pictures)) {
  t.test(`samples under a mark are removed from ${kind}`, needs('pdftoppm', 'mutool'), async (t) => {
    // Each pixel is two points wide and high.
    const [wide, high] = [2 * picture.width, 2 * picture.height]
    const content = `0 .3 .6 rg q ${wide} 0 0 ${high} 3 5 cm /Im Do Q`
    const marks = [box(3 + wide / 4, 5 + high / 4, 3 + 0.6 * wide, 5 + 0.55 * high)]
    // Lossy pictures may store colours per second pixel, and readers smooth them.
    await staysBeside(t, { content, marks, picture }, { margin: picture.isLossy === true ? 14 : 6 })
  })
}

const [picture] = Object.entries(pictures).flatMap(([kind, one]) => (kind === 'RGB of 8 bits' ? [one] : []))
if (picture === undefined) throw new Error('The samples contain no picture with RGB of 8 bits')
const [middle, small] = [box(40, 35, 85, 62), box(90, 80, 104, 88)]

const placements: Readonly<Record<string, Partial<Scene> & Options>> = {
  upright: {},
  'mirrored top to bottom': { content: 'q 144 0 0 -120 3 125 cm /Im Do Q' },
  'mirrored left to right': { content: 'q -144 0 0 120 147 5 cm /Im Do Q' },
  'turned by a quarter': { content: 'q 0 120 -144 0 147 5 cm /Im Do Q' },
  'turned by 30 degrees': { content: 'q 96 55.4 -43 74.5 50 5 cm /Im Do Q', margin: 8 },
  'turned by 200 degrees': { content: 'q -103.4 -37.6 27.4 -75.2 115 120 cm /Im Do Q', margin: 8 },
  skewed: { content: 'q 110 0 40 110 0 10 cm /Im Do Q', margin: 8 },
  'by pixels smaller than points': { content: 'q 36 0 0 30 40 30 cm /Im Do Q', marks: [box(45, 35, 58, 50)] },
  'under several marks': { marks: [middle, small, box(50, 45, 100, 50), box(10, 90, 40, 100)] },
  'under a mark that lies aslant': { marks: [[40, 40, 70, 25, 85, 55, 55, 70]] },
  'under a mark that begins beside it': { content: 'q 72 0 0 60 30 30 cm /Im Do Q', marks: [box(10, 15, 60, 55)] },
  'on a page that is turned, cut and scaled': { page: '/Rotate 90/CropBox[6 8 140 120]/UserUnit 1.5' },
  'on a page upside down whose corner is elsewhere': {
    page: '/Rotate 180/MediaBox[-20 -30 130 100]',
    content: 'q 144 0 0 120 -17 -25 cm /Im Do Q',
    marks: [box(20, 5, 65, 32)],
  },
  'in a form that is drawn twice': {
    content: 'q 1 0 0 1 0 60 cm /Fm Do Q /Fm Do',
    resources: '/Fm 7 0 R',
    further: {
      7: {
        body: '<</Type/XObject/Subtype/Form/BBox[0 0 150 60]/Resources<</XObject<</Im 6 0 R>>>>>>',
        stream: 'q 144 0 0 56 3 2 cm /Im Do Q',
      },
    },
    marks: [box(40, 10, 85, 40)],
  },
  'in forms within each other': {
    content: 'q 2 0 0 2 0 0 cm /Fm Do Q',
    resources: '/Fm 7 0 R',
    further: {
      7: {
        body: '<</Type/XObject/Subtype/Form/BBox[0 0 150 130]/Matrix[.5 0 0 .5 3 5]/Resources<</XObject<</Fm 8 0 R>>>>>>',
        stream: 'q 1 0 0 -1 0 110 cm /Fm Do Q',
      },
      8: {
        body: '<</Type/XObject/Subtype/Form/BBox[0 0 150 130]/Resources<</XObject<</Im 6 0 R>>>>>>',
        stream: 'q 132 0 0 110 0 0 cm /Im Do Q',
      },
    },
  },
  'several times, once under the mark': {
    content: 'q 60 0 0 50 5 5 cm /Im Do Q q 60 0 0 50 80 5 cm /Im Do Q q 60 0 0 50 5 70 cm /Im Do Q',
    marks: [box(90, 15, 120, 45)],
  },
  'through a clip': { content: 'q 20 20 100 80 re W n 144 0 0 120 3 5 cm /Im Do Q' },
}

for (const [where, { margin = 6, ...scene }] of Object.entries(placements)) {
  t.test(`samples beside the marks are kept in a picture ${where}`, needs('pdftoppm', 'mutool'), async (t) => {
    const upright = 'q 144 0 0 120 3 5 cm /Im Do Q'
    await staysBeside(t, { content: upright, marks: [middle], picture, ...scene }, { margin })
  })
}

const gray = noise(40 * 30).replaceAll('EI', 'ie')
const treacherous = `${gray.slice(0, 500)} EI ${gray.slice(504)}`
const deflated = (data: string): string => deflateSync(Buffer.from(data, 'latin1')).toString('latin1')

const inlines: Readonly<Record<string, string>> = {
  'gray with an end among its samples': `/W 40/H 30/CS/G/BPC 8 ID ${treacherous}\nEI`,
  'a palette': `/W 40/H 30/CS[/I/RGB 3<ff0000 00ff00 0000ff 808080>]/BPC 2 ID ${noise(300)}\nEI`,
  'a named space': `/W 40/H 30/CS/Named/BPC 8/F/Fl ID ${deflated(noise(3_600))}\nEI`,
  'hexadecimal digits': `/W 40/H 30/CS/G/BPC 8/F[/AHx] ID ${Buffer.from(gray, 'latin1').toString('hex')}> EI`,
  'a stencil': `/W 40/H 30/IM true/D[1 0] ID ${noise(150)} EI`,
}

for (const [kind, inline] of Object.entries(inlines)) {
  t.test(`an inline image (${kind}) keeps the samples beside the marks`, needs('pdftoppm', 'mutool'), async (t) => {
    const content = `q 120 0 0 90 10 10 cm BI ${inline} Q 1 0 0 rg 5 110 20 10 re f`
    const scene = { content, marks: [middle], picture, resources: '>>/ColorSpace<</Named/DeviceRGB' }
    await staysBeside(t, scene, { margin: 8 })
  })
}

const shared: RawObjects = {
  1: '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 20 0 R>>',
  2: '<</Type/Pages/Kids[3 0 R 30 0 R]/Count 2/MediaBox[0 0 300 300]/Resources 9 0 R>>',
  3: '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[5 0 R]>>',
  4: { body: '<<>>', stream: 'q 200 0 0 200 0 0 cm /Im Do Q /Fm Do' },
  5: '<</Type/Annot/Subtype/Redact/Rect[50 50 100 100]>>',
  6: {
    body: '<</Subtype/Image/Width 4/Height 4/BitsPerComponent 8/ColorSpace/DeviceGray/Alternates[<</Image 8 0 R>>]>>',
    stream: 'aaaaSeCrSeCrtttt',
  },
  7: { body: '<</Subtype/Form/BBox[0 0 300 300]>>', stream: '1 0 0 rg 60 61.5 10 10 re f' },
  8: { body: '<</Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray>>', stream: 'AlTs' },
  9: '<</XObject<</Im 6 0 R/Fm 7 0 R>>>>',
  20: '<</Type/StructTreeRoot/K[21 0 R]>>',
  21: '<</S/Figure/P 20 0 R/Pg 3 0 R/K[<</Type/OBJR/Obj 6 0 R>>]>>',
  30: '<</Type/Page/Parent 2 0 R/Contents 31 0 R>>',
  31: { body: '<<>>', stream: '0 0 10 10 re f' },
}

t.test('streams that no page draws any more are removed even if other objects refer to them', async (t) => {
  const layer = layerOf(t, rawPdf(shared))
  await layer.apply({ type: 'redactions.apply' })
  const written = everyObject(layer.sent())
  for (const gone of ['SeCr', 'AlTs', '61.5']) t.notOk(written.includes(gone), gone)
})

const others: Readonly<Record<string, RawObjects>> = {
  'another page draws': { 31: { body: '<<>>', stream: '/Fm Do /Im Do' } },
  'an annotation shows': {
    30: '<</Type/Page/Parent 2 0 R/Contents 31 0 R/Annots[33 0 R]>>',
    33: '<</Type/Annot/Subtype/Stamp/Rect[0 0 9 9]/AP<</N 34 0 R>>>>',
    34: { body: '<</Subtype/Form/BBox[0 0 9 9]/Resources 9 0 R>>', stream: '/Fm Do /Im Do' },
  },
  'a pattern of another page draws': {
    30: '<</Type/Page/Parent 2 0 R/Contents 31 0 R/Resources<</Pattern<</P 34 0 R>>>>>>',
    31: { body: '<<>>', stream: '/Pattern cs /P scn 0 0 9 9 re f' },
    34: {
      body: '<</PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources 9 0 R>>',
      stream: '/Fm Do /Im Do',
    },
  },
  'a glyph of another page draws': {
    30: '<</Type/Page/Parent 2 0 R/Contents 31 0 R/Resources<</Font<</T 34 0 R>>>>>>',
    34: '<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 35 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1]/Resources 9 0 R>>',
    35: { body: '<<>>', stream: '1 0 d0 /Fm Do /Im Do' },
  },
}

for (const [where, further] of Object.entries(others)) {
  t.test(`what ${where} is unchanged`, async (t) => {
    const layer = layerOf(t, rawPdf({ ...shared, ...further }))
    await layer.apply({ type: 'redactions.apply' })
    const written = everyObject(layer.sent())
    for (const retained of ['SeCr', '61.5']) t.ok(written.includes(retained), retained)
  })
}
