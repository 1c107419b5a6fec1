// Search in the text of a document: what a person takes for the same text is found, poppler finds the same words at the same
// places, and no pattern takes more time than the text is long.
import t, { type Test } from 'tap'
import type { SearchQuery } from '../../../workers/contract/search.js'
import { type SearchInput, search } from '../../../workers/jobs/search.js'
import { text } from '../../../workers/jobs/text.js'
import { needsCorpus } from '../../support/pdf/corpus.js'
import { measuredCorpus } from '../../support/pdf/corpus-index.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { needlesOn } from '../../support/pdf/many-pages.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { readsOfFile } from '../../support/pdf/reads.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'

const resources = helvetica
const literal: SearchQuery = {
  text: '',
  regex: false,
  matchCase: false,
  matchDiacritics: false,
  wholeWord: false,
  ignoreWhitespace: false,
}
const everywhere = { isFull: true, skip: 0, pagesMax: 1000, matchesMax: 1000 }

const pageOf = (...lines: string[]): Buffer =>
  onePage(`BT /F1 12 Tf 14 TL 20 170 Td ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`, { resources })

function finder(t: Test, bytes: Buffer) {
  const source = Workshop.of(t).source(bytes)
  const run = runner(t)
  return {
    source,
    find: (query: Partial<SearchQuery>, more: Partial<SearchInput> = {}) =>
      run(search, { source, query: { ...literal, ...query }, ...everywhere, ...more }),
  }
}

t.test('case, accents, line breaks and divided words do not count, unless they are asked for', async (t) => {
  const { find } = finder(t, pageOf('The Caf\\351 of an exam-', 'ple, and the cafe', 'well-known caf\\351s'))
  const found = async (query: Partial<SearchQuery>) => (await find(query)).matches.map(({ snippet }) => snippet?.match)
  t.same(await found({ text: 'CAFÉ' }), ['Café', 'cafe', 'café'])
  t.same(await found({ text: 'café', matchDiacritics: true }), ['Café', 'café'])
  t.same(await found({ text: 'caf', matchCase: true }), ['caf', 'caf'])
  t.same(await found({ text: 'cafe', wholeWord: true }), ['Café', 'cafe'])
  t.same(await found({ text: 'example' }), ['exam- ple'])
  t.same(await found({ text: 'ple,  and\tthe' }), ['ple, and the'])
  t.same(await found({ text: 'andthecafe', ignoreWhitespace: true }), ['and the cafe'])
  t.same(await found({ text: 'well-known' }), ['well-known'])
  t.same(await found({ text: '.*' }), [], 'a literal text is no pattern')
  t.same(await found({ text: 'c.f[eé]', regex: true, matchDiacritics: true }), ['Café', 'cafe', 'café'])
  t.same(await found({ text: '^well', regex: true, matchCase: true }), ['well'])
})

t.test('a match has its place in the text, one segment a line, and the text around it', async (t) => {
  const { find, source } = finder(t, pageOf('one two three', 'four five'))
  const { text: characters } = await runner(t)(text, { source, page: 3 })
  const { matches } = await find({ text: 'three four' })
  t.equal(matches.length, 1)
  const [match] = matches
  t.equal(characters.slice(match?.start, (match?.start ?? 0) + (match?.count ?? 0)), 'three\nfour')
  t.equal(match?.segments.length, 2)
  t.same(match?.snippet, { before: 'one two ', match: 'three four', after: ' five ' })
  const [rects] = (await find({ text: 'three' }, { isFull: false })).matches
  t.notOk(rects && 'snippet' in rects)
})

t.test('poppler finds the words at the same places', needs('pdftotext'), async (t) => {
  const { find, source } = finder(
    t,
    onePage('BT /F1 12 Tf 20 100 Td (Plain words) Tj ET BT /F1 10 Tf 0 1 -1 0 200 20 Tm (Upwards) Tj ET', {
      resources,
    }),
  )
  const theirs = judged('pdftotext', ['-bbox', source.path, '-']).toString()
  for (const [, xMin, yMin, xMax, yMax, word = ''] of theirs.matchAll(
    /<word xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.*?)<\/word>/g,
  )) {
    const { rect } = (await find({ text: word })).matches[0]?.segments[0] ?? {}
    const ours = rect && [rect.x, rect.y, rect.x + rect.width, rect.y + rect.height]
    for (const [index, edge] of [xMin, yMin, xMax, yMax].entries())
      t.ok(Math.abs((ours?.[index] ?? Number.NaN) - Number(edge)) < 5, `${word} ${ours}`)
  }
})

t.test('turned text has corners along its direction', async (t) => {
  const { find } = finder(t, onePage('BT /F1 20 Tf 0 1 -1 0 150 50 Tm (Turned) Tj ET', { resources }))
  const { quad, advance } = (await find({ text: 'urne' })).matches[0]?.segments[0] ?? {}
  t.equal(advance, 1)
  t.equal(quad?.lowerLeft.x, quad?.lowerRight.x, 'the baseline runs upwards')
  t.ok((quad?.lowerLeft.y ?? 0) > (quad?.lowerRight.y ?? 0))
})

t.test('a slice ends after its pages or matches, begins anywhere, and the next one goes on', async (t) => {
  const source = Workshop.of(t).source(needlesOn(6))
  const run = runner(t)
  const slice = (more: Partial<SearchInput>) =>
    run(search, { source, query: { ...literal, text: 'needle' }, ...everywhere, ...more })
  const whole = await slice({})
  t.match(whole, { pagesSearched: 6, pageCount: 6, isOver: true })
  const numbers = whole.matches.map(({ page }) => page.objectNumber)
  const from = numbers[2]
  const turned = await slice({ from })
  t.same(
    turned.matches.map(({ page }) => page.objectNumber),
    [...numbers.slice(2), ...numbers.slice(0, 2)],
  )
  const collected: number[] = []
  for (let skip = 0, isOver = false; !isOver; ) {
    const part = await slice({ from, skip, matchesMax: 2, pagesMax: 3 })
    t.equal(part.matches.length, 2)
    collected.push(...part.matches.map(({ page }) => page.objectNumber))
    skip = part.pagesSearched
    isOver = part.isOver
  }
  t.same(collected, [...numbers.slice(2), ...numbers.slice(0, 2)])
  await t.rejects(slice({ from: 9999 }), { code: 'NotFound' })
})

t.test('patterns that stop other engines take no time here, and broken ones are explained', async (t) => {
  const { find } = finder(t, pageOf('a'.repeat(60)))
  t.same((await find({ text: '(a+)+$b', regex: true })).matches, [])
  t.same((await find({ text: '(a|aa)+!', regex: true })).matches, [])
  for (const broken of ['(', 'a{3,1}', '[z-a]', '(?=x)', '\\1', 'x{2000}', '((a{900}){900}){900}'])
    await t.rejects(find({ text: broken, regex: true }), { code: 'InvalidArg', message: /pattern/ }, broken)
  t.same((await find({ text: 'x*', regex: true })).matches, [], 'a match has at least one character')
  await t.rejects(find({ text: ' \n ' }), { code: 'InvalidArg' })
})

t.test('in real files, every word of a page is found on it', needsCorpus, async (t) => {
  const run = runner(t)
  let searched = 0
  for (const { file, record } of measuredCorpus()) {
    if (file.isHostile) continue
    const page = readsOfFile(t, file.source).layout().pages[0]?.ref.objectNumber
    if (page === undefined) continue
    const { text: characters } = await run(text, { source: file.source, page })
    for (const word of (characters.match(/\p{L}{5,}/gu) ?? []).slice(0, 5)) {
      const query = { ...literal, text: word, matchCase: true }
      const { matches } = await run(search, { source: file.source, query, ...everywhere, from: page, pagesMax: 1 })
      t.ok(matches.length > 0, `${record.file}: ${word}`)
      searched += 1
      for (const { segments } of matches) t.ok(segments.length > 0, `${record.file}: ${word} has a place`)
    }
  }
  t.ok(searched > 100, `${searched} words`)
})
