// Vertical text, whether a font writes vertically or a program places the characters below each other: words of several
// characters are found, and a mark stands where its character is drawn.
import t, { type Test } from 'tap'
import type { PageGeometry } from '../../../workers/contract/page-geometry.js'
import { geometry } from '../../../workers/jobs/geometry.js'
import { search } from '../../../workers/jobs/search.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage, type RawObjects } from '../../support/pdf/raw-pdf.js'
import { runner } from '../../support/pdf/running.js'

const words = '縦書きの文'
const top = 170
const size = 20

const coded = (text: string) => `<${[...text].map((one) => one.charCodeAt(0).toString(16).padStart(4, '0')).join('')}>`

/** `metrics`: entries of the descendant font. */
const fontOf = (encoding: string, metrics = ''): RawObjects => ({
  5: `<</Type/Font/Subtype/Type0/BaseFont/HeiseiMin/Encoding/${encoding}/DescendantFonts[6 0 R]>>`,
  6: `<</Type/Font/Subtype/CIDFontType0/BaseFont/HeiseiMin/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/FontDescriptor 7 0 R${metrics}>>`,
  7: '<</Type/FontDescriptor/FontName/HeiseiMin/Flags 4/FontBBox[-123 -257 1001 910]/ItalicAngle 0/Ascent 709/Descent -241/CapHeight 709/StemV 69>>',
})

interface Sample {
  readonly content: string
  readonly font: RawObjects
  /** Distance of the characters in points. */
  readonly pitch: number
}

const stacked = [...words].map((word, index) => `1 0 0 1 100 ${top - 0.88 * size - index * size} Tm ${coded(word)} Tj`)
const samples: Readonly<Record<string, Sample>> = {
  'a vertical font': {
    content: `BT /F1 ${size} Tf 110 ${top} Td ${coded(words)} Tj ET`,
    font: fontOf('UniJIS-UCS2-V'),
    pitch: size,
  },
  'a vertical font with wide distances': {
    content: `BT /F1 ${size} Tf 110 ${top} Td ${coded(words)} Tj ET`,
    font: fontOf('UniJIS-UCS2-V', '/DW2[880 -1600]'),
    pitch: 1.6 * size,
  },
  'a horizontal font': {
    content: `BT /F1 ${size} Tf ${stacked.join(' ')} ET`,
    font: fontOf('UniJIS-UCS2-H'),
    pitch: size,
  },
}

const layerWith = (t: Test, { content, font }: Sample): ChangingLayer =>
  layerOf(t, onePage(content, { resources: '/Font<</F1 5 0 R>>', further: font }))
const drawn = (layer: ChangingLayer): string =>
  judged('mutool', ['draw', '-q', '-F', 'txt', layer.sent()]).toString().replace(/\s/g, '')

for (const [name, sample] of Object.entries(samples)) {
  t.test(`a word of several characters is found: ${name}`, async (t) => {
    const { source } = layerWith(t, sample)
    const query = {
      text: '書きの',
      matchCase: false,
      matchDiacritics: false,
      wholeWord: false,
      ignoreWhitespace: false,
    }
    for (const regex of [false, true]) {
      const input = { source, isFull: false, skip: 0, pagesMax: 1, matchesMax: 10 }
      const { matches } = await runner(t)(search, { ...input, query: { ...query, regex } })
      t.match(matches, [{ start: 2, count: 5, segments: [{}, {}, {}] }])
    }
  })

  t.test(`a mark removes its character and no other one: ${name}`, needs('mutool'), async (t) => {
    for (const [word, left] of [
      ['縦', '書きの文'],
      ['きの', '縦書文'],
    ] as const) {
      const layer = layerWith(t, sample)
      t.equal(drawn(layer), words)
      await layer.apply({ type: 'annotations.mark', text: word })
      await layer.apply({ type: 'redactions.apply' })
      t.equal(drawn(layer), left, word)
    }
  })
}

t.test('cells of a vertical font follow each other from the first one down', async (t) => {
  for (const sample of Object.values(samples).slice(0, 2)) {
    const { source } = layerWith(t, sample)
    const { runs }: PageGeometry = await runner(t)(geometry, { source, page: 3 })
    t.match(runs, Array(words.length).fill({ rotation: 90, ascentFlip: false, fontSize: size }))
    for (const [index, { rect }] of runs.entries()) {
      const expected = [100, 200 - top + index * sample.pitch, size, sample.pitch]
      for (const [at, value] of [rect.x, rect.y, rect.width, rect.height].entries())
        t.ok(Math.abs(value - (expected[at] ?? 0)) < 0.1, `${index}: ${JSON.stringify(rect)}`)
    }
  }
})
