// Text is read in logical order (UAX 9), whatever the order in which a program drew it, in every script.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import type { SearchQuery } from '../../../workers/contract/search.js'
import { geometry } from '../../../workers/jobs/geometry.js'
import { layout } from '../../../workers/jobs/layout.js'
import { search } from '../../../workers/jobs/search.js'
import { text } from '../../../workers/jobs/text.js'
import type { PdfSource } from '../../../workers/messages/task.js'
import { layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { type Run, runner } from '../../support/pdf/running.js'
import { wordsOf } from '../../support/pdf/words-of.js'
import { Workshop } from '../../support/pdf/workshop.js'

/** Glyph that is drawn: what it stands for, and its place in cells from the left; marks have no width. */
type Shown = readonly [stands: string, cell: number]

const utf16 = (characters: string): string => Buffer.from(characters, 'utf16le').swap16().toString('hex')
const isMark = (stands: string): boolean => /^\p{M}$/u.test(stands)
const cell = 12

/** A page that draws glyphs of its own in a given order, each as large as a cell. */
function drawn(lines: readonly (readonly Shown[])[]): Buffer {
  const all = [...new Set(lines.flat().map(([stands]) => stands))]
  const codeOf = (stands: string) => (all.indexOf(stands) + 1).toString(16).padStart(2, '0')
  const codes = all.map((_, index) => index + 1)
  const content = lines.map((shown, line) =>
    shown
      .map(([stands, at]) => `BT /F1 ${cell} Tf ${10 + at * cell} ${180 - 40 * line} Td <${codeOf(stands)}> Tj ET`)
      .join('\n'),
  )
  const widths = all.map((stands) => (isMark(stands) ? 0 : 1))
  const names = codes.map((code) => `/${isMark(all[code - 1] ?? '') ? 'M' : 'L'}${code}`)
  const procedures = names.map((name) => `${name} ${name.startsWith('/M') ? 7 : 6} 0 R`).join('')
  const further = {
    5: `<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<<${procedures}>>/FirstChar 1/LastChar ${all.length}/Widths[${widths.join(' ')}]/Encoding<</Differences[1 ${names.join(' ')}]>>/ToUnicode 8 0 R/Resources<<>>>>`,
    6: { body: '<<>>', stream: '1 0 d0 0.1 0 0.8 0.7 re f' },
    7: { body: '<<>>', stream: '0 0 d0 0.4 0.8 0.2 0.1 re f' },
    8: {
      body: '<<>>',
      stream: `1 begincodespacerange <00><ff> endcodespacerange ${all.length} beginbfchar ${all.map((stands) => `<${codeOf(stands)}><${utf16(stands)}>`).join(' ')} endbfchar`,
    },
  }
  return onePage(content.join('\n'), { size: [600, 220], resources: '/Font<</F1 5 0 R>>', further })
}

const letters = (characters: string): readonly string[] => [...characters]
const fromLeft = (glyphs: readonly string[], from = 0): readonly Shown[] =>
  glyphs.map((stands, index) => [stands, from + index])
const fromRight = (glyphs: readonly string[], to = 0): readonly Shown[] =>
  glyphs.map((stands, index) => [stands, to + glyphs.length - 1 - index])
const backwards = (shown: readonly Shown[]): readonly Shown[] => shown.toReversed()

/** Texts, and the glyphs of a line that show them. */
const lines: readonly (readonly [string, string, readonly Shown[]])[] = [
  ['Arabic digits', '١٢٣', fromLeft(letters('١٢٣'))],
  ['a ligature, drawn from the right', 'سلام', fromRight(['س', 'لا', 'م'])],
  ['a ligature, drawn from the left', 'سلام', backwards(fromRight(['س', 'لا', 'م']))],
  ['ligatures of three letters', 'الله لله', fromRight(['ا', 'لله', ' ', 'لله'])],
  ['letters drawn from the left', 'مرحبا بكم', backwards(fromRight(letters('مرحبا بكم')))],
  ['digits after letters', 'رقم ١٢٣٤', [...fromRight(letters('رقم '), 4), ...fromLeft(letters('١٢٣٤'))]],
  [
    'digits between words, drawn from the left',
    'رقم ١٢ نعم',
    [...fromLeft(letters('معن '), 0), ...fromLeft(letters('١٢'), 4), ...fromLeft(letters(' مقر'), 6)],
  ],
  [
    'European digits and a hyphen',
    'טל 03-12 כאן',
    [...fromRight(letters(' כאן')), ...fromLeft(letters('03-12'), 4), ...fromRight(letters('טל '), 9)],
  ],
  [
    'Latin words',
    'עם Windows 10 היום',
    [...fromRight(letters(' היום')), ...fromLeft(letters('Windows 10'), 5), ...fromRight(letters('עם '), 15)],
  ],
  ['brackets that are named by what they mean', 'אב (גד) הו', [...fromRight(letters('אב (גד) הו'))]],
  ['brackets that are named by what they look like', 'אב (גד) הו', fromRight(letters('אב )גד( הו'))],
  [
    'a word in text from left to right',
    'a אבג b',
    [...fromLeft(['a', ' ']), ...fromRight(letters('אבג'), 2), ...fromLeft([' ', 'b'], 5)],
  ],
  [
    'points drawn behind their letters',
    'בִּג',
    [
      ['ב', 1],
      ['ִ', 1],
      ['ּ', 1],
      ['ג', 0],
    ],
  ],
  [
    'points drawn before their letters',
    'בִּג',
    [
      ['ג', 0],
      ['ּ', 1],
      ['ִ', 1],
      ['ב', 1],
    ],
  ],
  ['words apart without a space', 'אב גד', [...fromRight(letters('אב'), 2.5), ...fromRight(letters('גד'))]],
]

const textOf = async (run: Run, source: PdfSource, page = 3): Promise<string> =>
  (await run(text, { source, page })).text.normalize('NFC')

t.test('a line is read in logical order, whatever the order in which it is drawn', async (t) => {
  for (const [name, wanted, shown] of lines) {
    const source = Workshop.of(t).source(drawn([shown]))
    const run = runner(t)
    t.equal((await textOf(run, source)).trim(), wanted.normalize('NFC'), name)
    const { runs } = await run(geometry, { source, page: 3 })
    const count = runs.reduce((sum, { glyphs }) => sum + glyphs.length, 0)
    t.equal(count, [...wanted].length, `${name}: geometry has the same characters`)
  }
})

t.test('cells of a row are read from the right where the page is', async (t) => {
  const cells = [...fromRight(letters('אבגד')), ...fromRight(letters('הוזח'), 20)]
  const source = Workshop.of(t).source(drawn([cells, fromRight(letters('טיכל'))]))
  t.same((await textOf(runner(t), source)).split(/\n+/), ['הוזח', 'אבגד', 'טיכל', ''])
})

const literal = { regex: false, matchCase: false, matchDiacritics: false, wholeWord: false, ignoreWhitespace: false }
const everywhere = { isFull: false, skip: 0, pagesMax: 100, matchesMax: 1000 }

async function matches(run: Run, source: PdfSource, sought: string, page?: number) {
  const query: SearchQuery = { ...literal, text: sought }
  const { matches: found } = await run(search, { source, query, ...everywhere })
  return found.filter((match) => page === undefined || match.page.objectNumber === page)
}

t.test('a hit where the direction changes has a segment for each place, and nothing between them', async (t) => {
  const shown = [...fromRight(letters(' כאן')), ...fromLeft(letters('03-12'), 4), ...fromRight(letters('טל '), 9)]
  const source = Workshop.of(t).source(drawn([shown]))
  const [match] = await matches(runner(t), source, 'ל 03')
  t.same(
    match?.segments.map(({ rect: { x, width } }) => [(x - 10) / cell, width / cell]),
    [
      [9, 2],
      [4, 2],
    ],
  )
})

t.test('a mark by text removes that text of a right-to-left line and nothing else', needs('pdftotext'), async (t) => {
  const row = [...fromRight(letters(' כאן')), ...fromLeft(letters('03-12'), 4), ...fromRight(letters('טל '), 9)]
  for (const [sought, left] of [
    ['03-12', 'טלכאן'],
    ['ל 03', 'ט-12כאן'],
    ['כאן', 'טל03-12'],
  ] as const) {
    const layer = layerOf(t, drawn([row]))
    await layer.apply({ type: 'annotations.mark', text: sought })
    const { items } = await layer.apply({ type: 'redactions.apply' })
    t.match(items, [{ removedWhole: { length: 0 } }])
    const inOrder = (characters: string): string =>
      [...characters.replace(/[\s\p{Bidi_Control}]/gu, '')].sort().join('')
    t.equal(inOrder(judged('pdftotext', [layer.sent(), '-']).toString()), inOrder(left), sought)
  }
})

const folder = join(import.meta.dirname, 'scripts')
const texts: Readonly<Record<string, readonly string[]>> = JSON.parse(readFileSync(join(folder, 'texts.json'), 'utf8'))

/** Scripts that poppler reads without a fault: of the others it turns or splits words. */
const readByPoppler = new Set('Latin Greek Cyrillic Thai Devanagari Bengali Tamil'.split(' '))

t.test('text in 13 scripts, shaped by HarfBuzz, is read and found as it was written', needs('pdftotext'), async (t) => {
  const path = join(folder, 'scripts.pdf')
  const source = Workshop.of(t).source(readFileSync(path))
  const run = runner(t)
  const { pages } = await run(layout, { source })
  const theirs = judged('pdftotext', [path, '-']).toString().split('\f')
  for (const [index, [script, written]] of Object.entries(texts).entries()) {
    const page = pages[index]?.ref.objectNumber ?? 0
    const words = wordsOf(written.join(' '))
    t.same(wordsOf(await textOf(run, source, page)), words, script)
    if (readByPoppler.has(script)) t.same(wordsOf(theirs[index] ?? ''), words, `${script} in poppler`)
    for (const word of words) t.not((await matches(run, source, word, page)).length, 0, `${script}: ${word}`)
  }
})

t.test('a mark takes the glyphs of a vowel that stands on both sides of its letter', needs('pdftotext'), async (t) => {
  const layer = layerOf(t, readFileSync(join(folder, 'scripts.pdf')))
  const { pages } = await runner(t)(layout, { source: layer.source })
  const tamil = Object.keys(texts).indexOf('Tamil')
  const page = pages[tamil]?.ref.objectNumber ?? 0
  await layer.apply({ type: 'annotations.mark', text: 'கொண்டு', pages: [pageRef(page)] })
  await layer.apply({ type: 'redactions.apply' })
  const left = judged('pdftotext', [layer.sent(), '-']).toString().split('\f')[tamil] ?? ''
  t.match(left, /தமிழ்/)
  const parts = [...left.normalize('NFD')]
  t.equal(parts.filter((character) => character === '\u0bc6').length, 1, 'only that of the other word is left')
})
