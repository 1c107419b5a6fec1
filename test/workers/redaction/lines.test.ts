// The rest of a line stays where it is, whatever changes within the line: font, size, scale, rise or spacing.
import t, { type Test } from 'tap'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { everyObject } from '../../support/pdf/every-object.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'

const fonts =
  '/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>/F2<</Type/Font/Subtype/Type1/BaseFont/Courier-Bold/Encoding/WinAnsiEncoding>>>>'

type Placed = readonly [word: string, left: number, right: number]

/** Returns words with the edges that poppler measures. */
function placedWords(layer: ChangingLayer): readonly Placed[] {
  const found = judged('pdftotext', ['-bbox', layer.sent(), '-']).toString()
  return [...found.matchAll(/<word xMin="(.*?)" yMin=".*?" xMax="(.*?)" yMax=".*?">(.*?)</g)].map(
    ([, left, right, word = '']) => [word, Number(left), Number(right)],
  )
}

/** Checks that after the redaction of a word all others are where they were. */
async function redactedAlone(t: Test, bytes: Uint8Array, name: string, word = 'SECRET'): Promise<ChangingLayer> {
  const layer = layerOf(t, bytes)
  const others = placedWords(layer).filter(([one]) => one !== word)
  await layer.apply({ type: 'annotations.mark', text: word })
  await layer.apply({ type: 'redactions.apply' })
  const left = placedWords(layer)
  t.same(
    left.map(([one]) => one),
    others.map(([one]) => one),
    name,
  )
  const moves = left.map(
    ([, from, to], index) => Math.abs(from - (others[index]?.[1] ?? 0)) + Math.abs(to - (others[index]?.[2] ?? 0)),
  )
  t.ok(Math.max(0, ...moves) < 1, `nothing moves: ${name}`)
  return layer
}

const page = (content: string): Buffer => onePage(content, { size: [900, 200], resources: fonts })

/** The content as a form, which the page draws with other spacing, and another page draws too. */
const form = (content: string): Buffer =>
  onePage('2 Tc q .8 0 0 .8 10 10 cm /Fm Do Q', {
    size: [900, 200],
    resources: '/XObject<</Fm 8 0 R>>',
    further: {
      2: '<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>',
      6: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 900 200]/Contents 7 0 R/Resources<</XObject<</Fm 8 0 R>>>>>>',
      7: { body: '<<>>', stream: 'q /Fm Do Q' },
      8: { body: `<</Type/XObject/Subtype/Form/BBox[0 0 900 200]/Resources<<${fonts}>>>>`, stream: content },
    },
  })

const lines: Readonly<Record<string, string>> = {
  'a raised note': '(Signed by SECRET) Tj /F1 7 Tf 4 Ts (12) Tj 0 Ts /F1 11 Tf ( on behalf of the buyer) Tj',
  'smaller text': '(Signed by SECRET) Tj /F1 9 Tf ( \\(managing director\\)) Tj /F1 11 Tf ( for the buyer) Tj',
  'narrow text before': '50 Tz (narrow SECRET) Tj 100 Tz ( wide tail) Tj',
  'wide text before': '150 Tz (wide SECRET) Tj 8 Ts 100 Tz ( raised tail) Tj',
  'a number at the end of an array': '[(first SECRET)-900] TJ /F2 22 Tf [300(second)-200( third)] TJ',
  'spacing within the line': '2 Tw .4 Tc (first SECRET ) Tj /F2 22 Tf 0 Tw (second ) Tj .2 Tc /F1 8 Tf (third) Tj',
}

for (const [name, line] of Object.entries(lines)) {
  t.test(`only the marked word leaves a line with ${name}`, needs('pdftotext', 'qpdf'), async (t) => {
    const layer = await redactedAlone(t, page(`BT /F1 11 Tf 60 100 Td ${line} Tj ET`), name)
    t.notMatch(everyObject(layer.sent()), /SECRET|Anchor|9999999/)
  })
}

t.test(
  'text of a form stays, and another page that draws the form is as before',
  needs('pdftotext', 'qpdf'),
  async (t) => {
    const content = 'BT /F1 11 Tf 0 Tc 60 100 Td (Signed by SECRET) Tj /F1 7 Tf ( and so on) Tj ET'
    const layer = layerOf(t, form(content))
    const [, before] = [1, 2].map((number) => pageWords(layer, number))
    const first = pageWords(layer, 1).filter((word) => !/SECRET/.test(word))
    await layer.apply({ type: 'annotations.mark', text: 'SECRET', pages: [{ objectNumber: 3 }] })
    await layer.apply({ type: 'redactions.apply' })
    t.same(pageWords(layer, 1), first)
    t.same(pageWords(layer, 2), before)
    t.notMatch(everyObject(layer.sent()), /Anchor|9999999/)
  },
)

/** Returns the words of a page with rounded places, as lines of text. */
const pageWords = (layer: ChangingLayer, number: number): readonly string[] =>
  judged('pdftotext', ['-bbox', '-f', `${number}`, '-l', `${number}`, layer.sent(), '-'])
    .toString()
    .split('\n')
    .filter((line) => line.includes('<word'))
    .map((line) => line.replace(/\d+\.\d+/g, (value) => Number(value).toFixed(1)))

t.test('only the marked words leave lines with random changes', needs('pdftotext', 'qpdf'), async (t) => {
  let state = 11
  const random = (count: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % count
  }
  const oneOf = (...values: readonly string[]): string => values[random(values.length)] ?? ''
  const changes = [
    () => `/F${1 + random(2)} ${7 + random(12)} Tf`,
    () => `/F1 ${7 + random(12)} Tf`,
    () => `${oneOf('60', '90', '100', '140')} Tz`,
    () => `${oneOf('-3', '0', '4')} Ts`,
    () => `${oneOf('0', '.3', '-.2')} Tc`,
    () => `${oneOf('0', '2', '5')} Tw`,
    () => '0 0 1 rg',
    () => '/Span <<>> BDC EMC',
    () => '',
  ]
  for (let round = 0; round < 40; round++) {
    const secret = random(7)
    const parts = Array.from({ length: 7 }, (_, index) => {
      const word = index === secret ? 'SECRET' : `word${index}`
      const shown = oneOf(`(${word} ) Tj`, `[(${word})-${random(300)}( )-40] TJ`, `[-${random(200)}(${word} )] TJ`)
      const change = changes[random(changes.length)]?.() ?? ''
      const other = changes[random(changes.length)]?.() ?? ''
      return `${change} ${other} ${shown}`
    })
    await redactedAlone(t, page(`BT /F1 11 Tf 30 100 Td ${parts.join('\n')} ET`), `round ${round}: ${parts.join(' ')}`)
  }
})

t.test('a page may use thousands of names for its fonts', needs('pdftotext', 'qpdf'), async (t) => {
  const names = Array.from({ length: 3000 }, (_, index) => `N${index}`)
  const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>'
  const shown = (index: number) => (index % 10 === 0 ? 'SECRET' : 'word')
  const content = names.map((name, index) => `/${name} ${1 + (index % 2)} Tf (${shown(index)} ) Tj`).join('\n')
  const layer = layerOf(
    t,
    onePage(`BT 0 20 Td ${content} ET`, {
      size: [14_400, 40],
      resources: `/Font<<${names.map((name) => `/${name} ${font}`).join('')}>>`,
    }),
  )
  await layer.apply({ type: 'annotations.mark', text: 'SECRET' })
  await layer.apply({ type: 'redactions.apply' })
  const words = judged('pdftotext', [layer.sent(), '-']).toString().split(/\s+/)
  t.notMatch(words.join(' '), /SECRET/)
  t.ok(words.filter((word) => word === 'word').length > 2600, 'the other words')
})
