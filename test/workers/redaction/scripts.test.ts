// Text beside the marks reads as before in every script: of many glyphs only an /ActualText says what they are. It stays
// where it says nothing about what was removed (rule 4.7).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { layout } from '../../../workers/jobs/layout.js'
import { text } from '../../../workers/jobs/text.js'
import { qpdfOf } from '../../support/pdf/bases.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { runner } from '../../support/pdf/running.js'
import { wordsOf } from '../../support/pdf/words-of.js'

const folder = join(import.meta.dirname, '../pages/scripts')
const texts: Readonly<Record<string, readonly string[]>> = JSON.parse(readFileSync(join(folder, 'texts.json'), 'utf8'))
const pdf = readFileSync(join(folder, 'scripts.pdf'))

const sorted = (characters: string): string => [...wordsOf(characters).join('')].sort().join('')

const textsOf = async (t: Test, layer: ChangingLayer): Promise<readonly string[]> => {
  const run = runner(t)
  const { pages } = await run(layout, { source: layer.source })
  return Promise.all(
    pages.map(async ({ ref }) => (await run(text, { source: layer.source, page: ref.objectNumber })).text),
  )
}
const popplers = (layer: ChangingLayer): readonly string[] =>
  judged('pdftotext', [layer.sent(), '-']).toString().split('\f')

for (const place of [0, 1, -1]) {
  t.test(`a redacted page keeps the text of all other words in 14 scripts: ${place}`, needs('pdftotext'), async (t) => {
    const layer = layerOf(t, pdf)
    const before = { ours: await textsOf(t, layer), poppler: popplers(layer) }
    const { pages } = await runner(t)(layout, { source: layer.source })
    const marked = Object.values(texts).map((lines) => wordsOf(lines.join(' ')).at(place) ?? '')
    for (const [index, word] of marked.entries())
      await layer.apply({
        type: 'annotations.mark',
        text: word,
        wholeWord: true,
        pages: [pageRef(pages[index]?.ref.objectNumber ?? 0)],
      })
    const { items } = await layer.apply({ type: 'redactions.apply' })
    const [{ removedWhole }] = items as unknown as readonly [AppliedItem]
    const whole = removedWhole.flatMap(({ characters = [] }) => characters.map((character) => character.text))
    t.ok(
      whole.every((character) => character === '\ufffd'),
      'but for glyphs of the marked words that have no text',
    )
    const [ours, poppler] = [await textsOf(t, layer), popplers(layer)]
    for (const [index, script] of Object.keys(texts).entries()) {
      const word = marked[index] ?? ''
      const without = wordsOf(before.ours[index] ?? '').filter((one) => one !== word)
      t.same(wordsOf(ours[index] ?? ''), without, `${script} without ${word}`)
      t.equal(sorted((poppler[index] ?? '') + word), sorted(before.poppler[index] ?? ''), `${script} in poppler`)
    }
  })
}

interface AppliedItem {
  readonly removedWhole: readonly { readonly characters?: readonly { readonly text: string }[] }[]
  readonly alsoFound: readonly { readonly where: string; readonly page: { readonly objectNumber: number } }[]
}

t.test('a removed word is found on other pages in every script', needs('qpdf'), async (t) => {
  const count = Object.keys(texts).length
  const layer = layerOf(t, qpdfOf(pdf, ['--pages', '.', `1-${count},1-${count}`, '--']))
  const { pages } = await runner(t)(layout, { source: layer.source })
  const refs = pages.map(({ ref }) => pageRef(ref.objectNumber))
  for (const [index, lines] of Object.values(texts).entries()) {
    const word = wordsOf(lines.join(' ')).find((one) => [...one].length > 3) ?? ''
    await layer.apply({ type: 'annotations.mark', text: word, wholeWord: true, pages: [refs[index]] })
  }
  const { items } = await layer.apply({ type: 'redactions.apply' })
  const [item] = items as readonly unknown[] as readonly AppliedItem[]
  const found = item?.alsoFound.filter(({ where }) => where === 'pages').map(({ page }) => page.objectNumber)
  for (const [index, script] of Object.keys(texts).entries())
    t.ok(found?.includes(refs[count + index]?.objectNumber ?? 0), script)
})

t.test('a mark above the last letter leaves with it, though it begins behind the line', needs('mutool'), async (t) => {
  const font = `<</Type/Font/Subtype/Type3/FontBBox[-1 0 1 2]/FontMatrix[1 0 0 1 0 0]/FirstChar 65/LastChar 66/Widths[1 0]/Encoding<</Differences[65/A/B]>>/CharProcs<</A 21 0 R/B 22 0 R>>/Resources<<>>/ToUnicode 23 0 R>>`
  const shown = 'BT /F1 12 Tf 20 50 Td (A) Tj 12.2 0 Td (B) Tj ET'
  const layer = layerOf(
    t,
    onePage(shown, {
      resources: '/Font<</F1 20 0 R>>',
      further: {
        20: font,
        21: { body: '<<>>', stream: '1 0 d0 0.1 0 0.8 0.7 re f' },
        22: { body: '<<>>', stream: '0 0 d0 -0.6 1.2 0.3 0.2 re f' },
        23: {
          body: '<<>>',
          stream: '1 begincodespacerange <00><ff> endcodespacerange 2 beginbfchar <41><0e01> <42><0e49> endbfchar',
        },
      },
    }),
  )
  await layer.apply({ type: 'annotations.mark', text: 'ก้' })
  await layer.apply({ type: 'redactions.apply' })
  t.equal(judged('mutool', ['draw', '-q', '-F', 'text', layer.sent()]).toString().trim(), '')
})
