// Objects of a generated file: three pages with text, drawings and annotations, varied by its dimensions.
import type { RawObject, RawObjects } from '../../support/pdf/raw-pdf.js'
import type { Spec } from './dimensions.js'
import { formOf } from './forms.js'
import { inlinePicture, pictureBox, pictureOf } from './pictures.js'

/** Size of the visible part of a page. */
export const pageSize = { width: 300, height: 400 } as const
export const pageNumbers = [3, 4, 5] as const
const contentNumbers = [6, 7, 8] as const
const pictureNumber = 12

interface Geometry {
  readonly entries: string
  /** Lower left corner of the visible part. */
  readonly origin: readonly [number, number]
}

const geometries: Readonly<Record<Spec['geometry'], Geometry>> = {
  upright: { entries: '/MediaBox[0 0 300 400]', origin: [0, 0] },
  'rotate-90': { entries: '/MediaBox[0 0 300 400]/Rotate 90', origin: [0, 0] },
  'rotate-180': { entries: '/MediaBox[0 0 300 400]/Rotate 180', origin: [0, 0] },
  'rotate-270': { entries: '/MediaBox[0 0 300 400]/Rotate 270', origin: [0, 0] },
  'crop-inside': { entries: '/MediaBox[0 0 400 500]/CropBox[50 60 350 460]', origin: [50, 60] },
  'crop-rotate-90': { entries: '/MediaBox[0 0 400 500]/CropBox[50 60 350 460]/Rotate 90', origin: [50, 60] },
  'negative-origin': { entries: '/MediaBox[-100 -50 200 350]', origin: [-100, -50] },
  'user-unit': { entries: '/MediaBox[0 0 300 400]/UserUnit 2', origin: [0, 0] },
  'crop-outside': { entries: '/MediaBox[0 0 300 400]/CropBox[-50 -50 400 500]', origin: [0, 0] },
}

export async function objectsOf(spec: Spec): Promise<RawObjects> {
  const { entries, origin } = geometries[spec.geometry]
  const form = formOf(spec, { origin, pages: [3, 4] })
  const picture = await pictureOf(spec.picture, pictureNumber)
  const annotations = annotationsOf(spec, origin, form.widgets)
  const resources = resourcesOf(spec, picture !== undefined)
  const isInherited = spec.sharing === 'inherited'
  const inherited = `${entries}/Resources ${resources}`
  const pages = pageNumbers.map((number, index): readonly [number, string] => {
    const own = isInherited ? '' : `${entries}/Resources ${spec.sharing === 'shared-resources' ? '11 0 R' : resources}`
    const content = spec.sharing === 'shared-contents' && index === 1 ? contentNumbers[0] : contentNumbers[index]
    const contents =
      spec.content === 'split-streams' ? `[${content} 0 R ${Number(content) + 80} 0 R]` : `${content} 0 R`
    return [number, `<</Type/Page/Parent 2 0 R${own}/Contents ${contents}${annotations.entries[index] ?? ''}>>`]
  })
  return {
    1: `<</Type/Catalog/Pages 2 0 R/PageLabels<</Nums[0<</S/r>>1<</S/D>>]>>${form.catalog}>>`,
    2: `<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3${isInherited ? inherited : ''}>>`,
    ...Object.fromEntries(pages),
    ...contentsOf(spec, origin, picture?.isScan),
    9: font('Helvetica'),
    10: font('Times-Roman'),
    11: resources,
    ...Object.fromEntries((picture?.objects ?? []).map((object, index) => [pictureNumber + index, object])),
    19: '<</Title(A made file)/Author(Ada)/Project(Matrix)>>',
    ...annotations.objects,
    ...form.objects,
  }
}

const font = (name: string): string => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`

const namesOf = ({ names }: Spec) =>
  names === 'raw-names' ? { font: 'F#fc', picture: 'Im#e9' } : { font: 'F2', picture: 'Im1' }

function resourcesOf(spec: Spec, hasPicture: boolean): string {
  const { font, picture } = namesOf(spec)
  const pictures = hasPicture ? `/XObject<</${picture} ${pictureNumber} 0 R>>` : ''
  return `<</Font<</F1 9 0 R/${font} 10 0 R>>${pictures}>>`
}

/** A note without appearance, a square with one, an inline highlight, a link, and a free text. */
function annotationsOf({ sharing }: Spec, [left, bottom]: Geometry['origin'], widgets: readonly (readonly number[])[]) {
  const rect = (x: number, y: number, width: number, height: number) =>
    `/Rect[${left + x} ${bottom + y} ${left + x + width} ${bottom + y + height}]`
  const quad = [
    [180, 292],
    [240, 292],
    [180, 280],
    [240, 280],
  ].flatMap(([x = 0, y = 0]) => [left + x, bottom + y])
  const inline = `<</Type/Annot/Subtype/Highlight${rect(180, 280, 60, 12)}/QuadPoints[${quad.join(' ')}]/C[1 1 0]/F 4>>`
  const drawing = (width: number, height: number, stream: string): RawObject => ({
    body: `<</Type/XObject/Subtype/Form/BBox[0 0 ${width} ${height}]/Resources<</Font<</F1 9 0 R>>>>>>`,
    stream,
  })
  const listed = (numbers: readonly number[]) => numbers.map((number) => `${number} 0 R`).join(' ')
  const [first = [], second = []] = widgets
  const isShared = sharing === 'shared-annots'
  const array = isShared ? '/Annots 29 0 R' : undefined
  return {
    entries: [
      array ?? `/Annots[20 0 R 21 0 R ${inline} 22 0 R ${listed(first)}]`,
      array ?? `/Annots[23 0 R ${listed(second)}]`,
      '',
    ],
    objects: {
      20: `<</Type/Annot/Subtype/Text${rect(200, 240, 20, 20)}/Contents(A note)/T(Ada)/C[1 .5 0]/F 4>>`,
      21: `<</Type/Annot/Subtype/Square${rect(180, 200, 60, 30)}/C[0 .5 0]/IC[.5 1 .5]/F 4/AP<</N 24 0 R>>>>`,
      22: `<</Type/Annot/Subtype/Link${rect(30, 20, 60, 14)}/Border[0 0 0]/Dest[5 0 R/Fit]>>`,
      23: `<</Type/Annot/Subtype/FreeText${rect(180, 200, 90, 20)}/DA(/Helv 10 Tf 0 g)/Contents(Free words)/F 4/AP<</N 25 0 R>>>>`,
      24: drawing(60, 30, '.5 1 .5 rg 0 .5 0 RG 1 1 58 28 re B'),
      25: drawing(90, 20, '1 1 .8 rg 0 0 90 20 re f 0 g BT /F1 10 Tf 3 6 Td (Free words) Tj ET'),
      ...(isShared ? { 29: `[20 0 R 21 0 R ${listed([...first, ...second])}]` } : {}),
    },
  }
}

function contentsOf(spec: Spec, origin: Geometry['origin'], isScan: boolean | undefined): RawObjects {
  const contents = contentNumbers.flatMap((number, index): readonly (readonly [number, RawObject])[] => {
    const text = contentOf(spec, origin, { index, isScan })
    if (spec.content !== 'split-streams') return [[number, { body: '<<>>', stream: text }]]
    const middle = text.indexOf('charlie')
    const cut = text.lastIndexOf(' Td', middle)
    return [
      [number, { body: '<<>>', stream: text.slice(0, cut) }],
      [number + 80, { body: '<<>>', stream: text.slice(cut) }],
    ]
  })
  return Object.fromEntries(contents)
}

interface Drawn {
  readonly index: number
  /** True if the picture is a scan; undefined without a picture. */
  readonly isScan: boolean | undefined
}

function contentOf(spec: Spec, [left, bottom]: Geometry['origin'], { index, isScan }: Drawn): string {
  const { font, picture } = namesOf(spec)
  const at = (x: number, y: number) => `${left + x} ${bottom + y}`
  const words = (name: string, size: number, x: number, y: number, text: string) =>
    `BT /${name} ${size} Tf ${at(x, y)} Td (${text}) Tj ET`
  const page = ['one', 'two', 'three'][index]
  const box = isScan === true ? { x: 0, y: 0, ...pageSize } : pictureBox
  const place = `q ${box.width} 0 0 ${box.height} ${at(box.x, box.y)} cm`
  const drawing = spec.picture === 'inline' ? inlinePicture() : `/${picture} Do`
  const hasPicture = isScan !== undefined || spec.picture === 'inline'
  return [
    index === 1 ? `.97 .97 .88 rg ${at(0, 0)} 300 400 re f` : '',
    hasPicture ? `${place} ${drawing} Q` : '',
    `0 .6 0 RG 2 w ${at(10, 10)} 280 380 re S 1 w`,
    `.1 .1 .5 rg ${at(20, 350)} 260 30 re f 1 g`,
    words('F1', 14, 30, 360, `header ${page} alpha bravo`),
    '0 g',
    words('F1', 12, 30, 330, `charlie delta echo ${page}`),
    words(font, 12, 30, 310, `foxtrot golf hotel ${page}`),
    `.7 G ${at(140, 300)} 140 24 re S`,
    words('F1', 10, 146, 308, `cell ${page} india`),
    words('F1', 10, 30, 24, `footer ${page} zulu`),
    endings[spec.content](at),
  ].join('\n')
}

const endings: Readonly<Record<Spec['content'], (at: (x: number, y: number) => string) => string>> = {
  balanced: () => '',
  'open-q-cm': () => 'q .5 0 0 .5 40 60 cm q 1 0 0 1 30 10 cm',
  'open-bt': (at) => `BT /F1 10 Tf 1 0 0 1 ${at(200, 24)} Tm (openbt) Tj`,
  'open-clip': (at) => `q ${at(0, 0)} 150 200 re W n`,
  'split-streams': () => '',
  // At the end of the content, because poppler draws nothing of a page that begins with a stray Q.
  'stray-q': () => 'Q Q',
}
