// Our reader of content knows the glyphs that the engine shows: as many, in the same order, at the same places.
import type { Matrix } from 'mupdf'
import t from 'tap'
import type { PdfRect } from '../../../workers/contract/pdf-rect.js'
import { mupdf } from '../../../workers/engine/library.js'
import { contentsDrawnBy } from '../../../workers/redaction/content/contents-drawn.js'
import { siftPage } from '../../../workers/redaction/content/sift-page.js'
import { inspectPage } from '../../../workers/redaction/inspect-region.js'
import { PictureBlanker } from '../../../workers/redaction/pictures/picture-blanker.js'
import { placedBounds, Region } from '../../../workers/redaction/region.js'
import { RemovedWhole } from '../../../workers/redaction/removed-counts.js'
import { RemovedText } from '../../../workers/redaction/removed-text.js'
import { FontMeasures, type MeasuredCode } from '../../../workers/redaction/text/font-measures.js'
import { layerOf } from '../../support/pdf/changing.js'
import { onePage, type RawObjects } from '../../support/pdf/raw-pdf.js'

const composite = (encoding: string, ordering: string, metrics = ''): RawObjects => ({
  10: `<</Type/Font/Subtype/Type0/BaseFont/Some/Encoding/${encoding}/DescendantFonts[11 0 R]>>`,
  11: `<</Type/Font/Subtype/CIDFontType0/BaseFont/Some/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>/FontDescriptor 12 0 R${metrics}>>`,
  12: '<</Type/FontDescriptor/FontName/Some/Flags 4/FontBBox[-123 -257 1001 910]/ItalicAngle 0/Ascent 709/Descent -241/CapHeight 709/StemV 69>>',
})
const simple = (name: string, entries = ''): string =>
  `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding${entries}>>`
const resources = `/Font<</F1 ${simple('Helvetica')}/F2 ${simple('Courier-Bold', '/FirstChar 97/LastChar 99/Widths[500 900 250]')}/F3 10 0 R/F4 20 0 R>>/XObject<</Fm 30 0 R>>/ExtGState<</G<</Font[10 0 R 9]>>>>`
const further: RawObjects = {
  20: '<</Type/Font/Subtype/Type3/FontBBox[0 0 700 700]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</a 21 0 R/b 22 0 R>>/FirstChar 97/LastChar 98/Widths[600 800]/Encoding<</Differences[97/a/b]>>/Resources<<>>>>',
  21: { body: '<<>>', stream: '600 0 0 0 500 600 d1 0 0 500 600 re f' },
  22: { body: '<<>>', stream: '800 0 50 0 700 650 d1 50 0 650 650 re f' },
  30: {
    body: `<</Type/XObject/Subtype/Form/BBox[0 0 300 200]/Matrix[.9 .1 0 1 3 4]/Resources<<${resources.replace(/\/XObject.*/, '')}>>>>`,
    stream: 'BT 5 100 Td (inherited) Tj /F2 9 Tf (abc) Tj ET',
  },
}

const contents: Readonly<Record<string, readonly [content: string, font: RawObjects]>> = {
  'every operator of text': [
    String.raw`BT /F1 12 Tf 14 TL 20 180 Td (a\(b\)\\ (nested) \101\r) Tj (next) ' 3 .5 (and one) " T* [(x)-120(y z)300<4142 4>] TJ ET
    q BT 1 .2 -.1 1 20 90 Tm /F2 20 Tf 80 Tz 4 Ts (abc abc) Tj 0 Ts -2 Tc (cab) Tj 3 Tr (abc) Tj ET Q
    BT /F4 10 Tf 20 60 Td (abba) Tj /F1 -9 Tf (minus) Tj 2 0 TD (moved) Tj T* (down) Tj ET`,
    composite('Identity-H', 'Japan1'),
  ],
  'forms, scales and fonts of states': [
    'q .5 0 0 -.5 10 190 cm BT /F1 30 Tf 7 Tr (clip) Tj ET Q /F1 8 Tf 2 Tc q 1 0 0 1 50 20 cm /Fm Do Q q /G gs BT 10 10 Td <00220023> Tj ET Q /Fm Do',
    composite('Identity-H', 'Japan1', '/DW 700/W[34[400 1200]]'),
  ],
  'codes of one and two bytes': [
    'BT /F3 14 Tf 3 Tw 20 150 Td <41208ABF8E9A20B1DF> Tj [<8ABF>500<4142>] TJ ET',
    composite('90ms-RKSJ-H', 'Japan1'),
  ],
  'text that runs downwards': [
    'BT /F3 14 Tf .7 Tc 120 Tz 60 190 Td <7E2666F84D> Tj [<7E26>-500<66F8>] TJ /F1 9 Tf (across) Tj ET',
    composite('UniJIS-UCS2-V', 'Japan1', '/DW2[880 -1300]'),
  ],
  'a code space of a file': [
    'BT /F3 14 Tf 20 100 Td <41AABB4342CCDD> Tj ET',
    {
      ...composite('Identity-H', 'Identity'),
      10: '<</Type/Font/Subtype/Type0/BaseFont/Some/Encoding 13 0 R/DescendantFonts[11 0 R]>>',
      13: {
        body: '<</Type/CMap/CMapName/Own/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>',
        stream:
          'begincmap 2 begincodespacerange <41> <43> <AA00> <DDFF> endcodespacerange 2 begincidrange <41> <43> 34 <AA00> <DDFF> 50 endcidrange endcmap',
      },
    },
  ],
}

const edgesOf = ({ left, bottom, right, top }: PdfRect): readonly number[] => [left, bottom, right, top]

for (const [name, [content, font]] of Object.entries(contents)) {
  t.test(`glyphs are where the engine shows them: ${name}`, async (t) => {
    const layer = layerOf(t, onePage(content, { resources, further: { ...font, ...further } }))
    await layer.alter((change) => {
      const nothing = new Region([])
      const object = change.touch(change.document.pageObject(3))
      const { things } = inspectPage(change.document, 3, nothing)
      const back = change.document.withContent(3, (loaded) => mupdf.Matrix.invert(loaded.getTransform()))
      const shown = things
        .filter(({ kind }) => kind === 'glyph')
        .map(({ bounds }) => edgesOf(placedBounds(bounds, back)))
      const measures = new FontMeasures(change, 3)
      const read: (readonly number[])[] = []
      const isTaken = ({ extent, isSpaced }: MeasuredCode, place: Matrix): boolean => {
        if (isSpaced) read.push(edgesOf(placedBounds(extent, place)))
        return false
      }
      siftPage(
        {
          change,
          region: nothing,
          removed: new RemovedWhole(),
          effort: { left: 0 },
          pictures: new PictureBlanker(change, nothing),
          glyphs: { measures, isTaken },
          text: new RemovedText([]),
        },
        object,
        [...contentsDrawnBy(object)],
      )
      measures.destroy()
      t.ok(shown.length > 4)
      t.equal(read.length, shown.length)
      const apart = read.map((box, at) =>
        Math.max(...box.map((edge, side) => Math.abs(edge - (shown[at]?.[side] ?? 0)))),
      )
      t.ok(Math.max(...apart) < 0.01, `${Math.max(...apart)} points apart`)
    })
  })
}
