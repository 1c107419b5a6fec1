// Text of a page: the same as read by poppler, and the units in which characters are counted.
import t from 'tap'
import { text } from '../../../workers/jobs/text.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'

const lines = (...texts: readonly string[]): string =>
  `BT /F1 12 Tf 14 TL 20 170 Td ${texts.map((line) => `(${line}) Tj T*`).join(' ')} ET`

/** A font whose character A maps to U+1F600 (grinning face), and B to B. */
const emoji = {
  resources: '/Font<</F1 5 0 R>>',
  further: {
    5: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>',
    6: {
      body: '<<>>',
      stream: [
        '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def',
        '1 begincodespacerange <00> <FF> endcodespacerange',
        '2 beginbfchar <41> <D83DDE00> <42> <0042> endbfchar',
        'endcmap CMapName currentdict /CMap defineresource pop end end',
      ].join('\n'),
    },
  },
}

t.test('the text of a page equals that of poppler, in the same order', needs('pdftotext'), async (t) => {
  const run = runner(t)
  const workshop = Workshop.of(t)
  const left = 'BT /F1 10 Tf 12 TL 20 170 Td (The first column is) Tj T* (read to its end.) Tj ET'
  const right = 'BT /F1 10 Tf 12 TL 180 170 Td (Then the second) Tj T* (has its turn.) Tj ET'
  const pages = [
    onePage(lines('One line of text', 'and \\(another\\) with caf\\351 in it'), { resources: helvetica }),
    onePage(`${left} ${right}`, { resources: helvetica }),
    onePage('BT /F1 12 Tf 20 100 Td [(K)80(er)-20(ned)-800(words)] TJ ET', { resources: helvetica }),
  ]
  for (const bytes of pages) {
    const source = workshop.source(bytes)
    const { text: ours } = await run(text, { source, page: 3 })
    const theirs = judged('pdftotext', ['-enc', 'UTF-8', source.path, '-']).toString()
    t.same(words(ours), words(theirs))
    t.ok(words(ours).length > 1)
  }
})

t.test('without characters outside the basic plane, characters are counted in UTF-16 units', async (t) => {
  const source = Workshop.of(t).source(onePage(lines('Hello'), { resources: helvetica }))
  const answer = await runner(t)(text, { source, page: 3 })
  t.match(answer.text, /^Hello\s*$/)
  t.equal(answer.charCount, answer.text.length)
  t.notOk('charMap' in answer)
})

t.test('a character outside the basic plane counts as one, and charMap contains its offset', async (t) => {
  const source = Workshop.of(t).source(onePage(lines('BABAA'), emoji))
  const answer = await runner(t)(text, { source, page: 3 })
  t.match(answer.text, /^B\u{1f600}B\u{1f600}\u{1f600}/u)
  t.equal(answer.charCount, [...answer.text].length)
  t.same(answer.charMap, [
    [0, 0],
    [2, 3],
    [4, 6],
    [5, 8],
  ])
  const characters = [...answer.text]
  for (let index = 0; index < characters.length; index++) {
    const [anchor = 0, offset = 0] = answer.charMap?.findLast(([from]) => from <= index) ?? []
    t.ok(answer.text.startsWith(characters[index] ?? '', offset + index - anchor), `character ${index} is found`)
  }
})

t.test('text of annotations and form fields is not included', async (t) => {
  const source = Workshop.of(t).source(
    onePage(lines('Content'), {
      resources: helvetica,
      page: '/Annots[5 0 R]',
      further: {
        5: '<</Type/Annot/Subtype/FreeText/Contents(Remark)/Rect[10 10 90 30]/F 4/DA(/Helv 9 Tf)/AP<</N 6 0 R>>>>',
        6: {
          body: `<</Type/XObject/Subtype/Form/BBox[0 0 80 20]/Resources<<${helvetica}>>>>`,
          stream: 'BT /F1 9 Tf 2 5 Td (Remark) Tj ET',
        },
      },
    }),
  )
  t.same(words((await runner(t)(text, { source, page: 3 })).text), ['Content'])
})

t.test('a page with more text than a response may contain is refused', async (t) => {
  const source = Workshop.of(t).source(onePage(lines('Twelve chars'), { resources: helvetica }))
  await t.rejects(runner(t, { textCharactersMax: 5 })(text, { source, page: 3 }), {
    code: 'PayloadTooLarge',
    details: { limit: 'textCharactersMax', max: 5 },
  })
})

function words(characters: string): readonly string[] {
  return characters.split(/\s+/).filter((word) => word !== '')
}
