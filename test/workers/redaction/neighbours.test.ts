// Text beside a mark stays, however tight the lines are; text under it is removed, even if no reader shows it.
import t, { type Test } from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { everyObject } from '../../support/pdf/every-object.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { inNarrowFont, narrowFont } from '../../support/pdf/narrow-font.js'
import { helvetica, onePage, type RawObjects } from '../../support/pdf/raw-pdf.js'

const [width, height] = [300, 200]

interface Marked {
  readonly content: string
  /** Mark as `left bottom right top`. */
  readonly mark: string
  readonly resources?: string
  readonly further?: RawObjects
}

const layerWith = (t: Test, { content, mark, resources = helvetica, further = {} }: Marked): ChangingLayer =>
  layerOf(
    t,
    onePage(content, {
      size: [width, height],
      resources,
      page: '/Annots[5 0 R]',
      further: { 5: `<</Type/Annot/Subtype/Redact/Rect[${mark}]>>`, ...further },
    }),
  )

const wordsOf = (layer: ChangingLayer): readonly string[] =>
  judged('pdftotext', ['-layout', layer.sent(), '-']).toString().split(/\s+/).filter(Boolean)

/** Returns poppler's box of a word, `left bottom right top`: it extends from the font's descent to its ascent. */
function boxOf(layer: ChangingLayer, word: string): string {
  const text = judged('pdftotext', ['-bbox', layer.sent(), '-']).toString()
  const found = new RegExp(`xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">${word}<`).exec(text) ?? []
  const [left = 0, top = 0, right = 0, bottom = 0] = found.slice(1).map(Number)
  return [left, height - bottom, right, height - top].join(' ')
}

const linesAt = (leading: number): string =>
  `BT /F1 12 Tf ${leading} TL 50 160 Td (Upper betaj gammapq) Tj T* (Deltagy SECRETgy kappa) Tj T* (Lower TbetaJ gamma) Tj ET`

t.test('only the marked word is removed from tightly set lines', needs('pdftotext'), async (t) => {
  for (const leading of [11, 12, 13, 14.4]) {
    const content = linesAt(leading)
    const mark = boxOf(layerWith(t, { content, mark: '0 0 1 1' }), 'SECRETgy')
    const layer = layerWith(t, { content, mark })
    await layer.apply({ type: 'redactions.apply' })
    t.same(
      wordsOf(layer),
      ['Upper', 'betaj', 'gammapq', 'Deltagy', 'kappa', 'Lower', 'TbetaJ', 'gamma'],
      `leading of ${leading} points`,
    )
  }
})

const blankGlyph = {
  6: '<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<</S 7 0 R>>/FirstChar 83/LastChar 83/Widths[0.5]/Encoding<</Differences[83/S]>>/ToUnicode 8 0 R>>',
  7: { body: '<<>>', stream: '0.5 0 d0' },
  8: { body: '<<>>', stream: '1 begincodespacerange <00><ff> endcodespacerange 1 beginbfchar <53><0053> endbfchar' },
}

const hidden: Readonly<Record<string, Omit<Marked, 'mark'>>> = {
  'scaled to no width': { content: 'BT /F1 12 Tf 0 Tz 60 160 Td (SECRET) Tj ET' },
  'of size 0': { content: 'BT /F1 0 Tf 60 160 Td (SECRET) Tj ET' },
  'clipped away': { content: 'q 0 0 10 10 re W n BT /F1 12 Tf 60 160 Td (SECRET) Tj ET Q' },
  'in no color': { content: 'BT 3 Tr /F1 12 Tf 60 160 Td (SECRET) Tj ET' },
  'in glyphs that draw nothing': {
    content: 'BT /F2 12 Tf 60 160 Td (S) Tj (S) Tj (S) Tj ET',
    resources: '/Font<</F2 6 0 R>>',
    further: blankGlyph,
  },
}

for (const [name, marked] of Object.entries(hidden)) {
  t.test(`text ${name} is removed under a mark`, needs('qpdf'), async (t) => {
    const layer = layerWith(t, { ...marked, mark: '50 150 200 180' })
    await layer.apply({ type: 'redactions.apply' })
    const file = judged('qpdf', ['--qdf', '--object-streams=disable', layer.sent(), '-']).toString('latin1')
    t.notMatch(file, /\([^)]*[SECRET][^)]*\)\s*TJ?j?/)
  })
}

t.test('content drawn through words stays where the words do', needs('pdftoppm'), async (t) => {
  const through = '0 .6 0 rg 10 10 280 180 re f 1 0 0 rg 0 80 300 40 re f Q 200 20 20 20 re f'
  const coloured = (path: string, from: number, to: number): number => {
    const pixels = judged('pdftoppm', ['-r', '72', path]).subarray(-3 * width * height)
    const rows = Array.from({ length: 60 }, (_, row) =>
      pixels.subarray(3 * (70 + row) * width).subarray(3 * from, 3 * to),
    )
    return rows.reduce((sum, row) => sum + row.filter((value, at) => at % 3 === 2 && value < 200).length, 0)
  }
  const redacted = async (words: string): Promise<string> => {
    const layer = layerWith(t, { content: `q BT 7 Tr /F1 14 Tf ${words} ET ${through}`, mark: '50 80 150 120' })
    const { items } = await layer.apply({ type: 'redactions.apply' })
    t.match(items, [{ removedWhole: { length: 0 } }])
    t.match(everyObject(layer.sent()), '200 20 20 20 re')
    return layer.sent()
  }
  const some = await redacted('60 95 Td (Some words that go on beside the mark) Tj')
  t.equal(coloured(some, 50, 150), 0, 'nothing is seen through the words that left')
  t.ok(coloured(some, 160, 290) > 100, 'the others are as they were')
  t.ok(coloured(await redacted('160 95 Td (Beside) Tj'), 160, 290) > 50)
  t.equal(coloured(await redacted('100 95 Td (a) Tj'), 50, 290), 0, 'nothing is seen where all words left')
})

const layers = { 1: '<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R]/D<<>>>>>>', 6: '<</Type/OCG/Name(Layer)>>' }
const plain = '/Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding'
const threeLines = (size: number, mode = 0): string =>
  `BT /F1 ${size} Tf ${mode} Tr ${1.15 * size} TL 50 160 Td (First jgpqy gjpqyg jpqy) Tj T* (Second SEgpET keeps others) Tj T* (Third hdklb fhdklb hdklb) Tj ET`

const tight: Readonly<Record<string, Omit<Marked, 'mark'>>> = {
  'in a file with layers': { content: threeLines(12), further: layers },
  'on a page that lists a font of drawings': {
    content: threeLines(12),
    resources: `/Font<</F1<<${plain}>>/F2 6 0 R>>`,
    further: blankGlyph,
  },
  'that nobody sees': { content: threeLines(12, 3) },
  'in a font that claims tall letters': {
    content: threeLines(11),
    resources: `/Font<</F1<<${plain}/FontDescriptor<</Type/FontDescriptor/FontName/Helvetica/Flags 32/FontBBox[-1475 -2463 2867 3117]/Ascent 3117/Descent -2463/ItalicAngle 0/CapHeight 644/StemV 80>>>>>>`,
  },
}

for (const [name, marked] of Object.entries(tight)) {
  t.test(`a word marked by its text leaves the lines around it: text ${name}`, needs('pdftotext'), async (t) => {
    const layer = layerOf(t, onePage(marked.content, { size: [width, height], resources: helvetica, ...marked }))
    await layer.apply({ type: 'annotations.mark', text: 'SEgpET' })
    const { items } = await layer.apply({ type: 'redactions.apply' })
    t.strictSame((items[0] as { removedWhole: unknown[] }).removedWhole, [])
    t.equal(wordsOf(layer).join(' '), 'First jgpqy gjpqyg jpqy Second keeps others Third hdklb fhdklb hdklb')
  })
}

t.test('a character of which little is marked leaves whole, and is counted', async (t) => {
  const words = 'BT /F1 40 Tf 50 100 Td (MM) Tj ET'
  const counted = async (mark: string) => {
    const { items } = await layerWith(t, { content: words, mark }).apply({ type: 'redactions.apply' })
    return items.flatMap((item) => (item as { removedWhole: unknown[] }).removedWhole)
  }
  t.same(await counted('40 90 84 140'), [], 'the first one is marked')
  t.match(await counted('40 90 64 140'), [
    { page: pageRef(3), kind: 'text', count: 1, characters: [{ text: 'M', rect: { x: Number, y: Number } }] },
  ])
})

t.test('the letter after a mark stays although its font program has no width for it', needs('pdftotext'), async (t) => {
  const content = `BT /F1 20 Tf 50 100 Td ${inNarrowFont('abcd')} Tj ET`
  // Letters are 10 points wide; the mark reaches 0.3 points beyond the second one.
  const layer = layerWith(t, { content, mark: '60 98 70.3 115', ...narrowFont })
  await layer.apply({ type: 'redactions.apply' })
  t.same(wordsOf(layer).join(''), 'acd')
})
