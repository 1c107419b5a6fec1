// A query finds words that are divided at the ends of lines, in any reading, and no text or query extends its time without
// bound.
import t from 'tap'
import type { SearchQuery } from '../../../workers/contract/search.js'
import { compilePattern } from '../../../workers/pages/search-pattern.js'

const query = (text: string, more: Partial<SearchQuery> = {}): SearchQuery => ({
  text,
  regex: false,
  matchCase: false,
  matchDiacritics: false,
  wholeWord: false,
  ignoreWhitespace: false,
  ...more,
})

function found(text: string, sought: SearchQuery, columnBreaks: readonly number[] = []): readonly string[] {
  const points = [...text]
  const searched = { text, columnBreaks: new Set(columnBreaks) }
  return [...compilePattern(sought).matches(searched)].map(({ start, count }) =>
    points.slice(start, start + count).join(''),
  )
}

const regex: Partial<SearchQuery> = { regex: true }
const close: Partial<SearchQuery> = { ignoreWhitespace: true }

t.test('a hyphen at the end of a line is one of the word, or divides it', async (t) => {
  const text = 'Anna Müller-\nSchmidt-\n\nhausen, a well- \nknown one'
  for (const [sought, more] of [
    ['müller-schmidthausen', {}],
    ['Müller-Schmidt-hausen', {}],
    ['MüllerSchmidt-Hausen', {}],
    ['mullerschmidt', {}],
    ['Müller\u2010Schmidt', {}],
    ['Müller- Schmidt', {}],
    ['Mül\u00adler-Schmidt', {}],
    ['well-known', {}],
    ['wellknown', {}],
    ['Anna Müller-Schmidt', close],
    ['annamüllerschmidthausen', close],
    ['well -known', close],
    ['Müller-Schmidt', regex],
    ['MüllerSchmidt', regex],
    ['Müller-\\nSchmidt', regex],
    ['well-?known', regex],
  ] as const)
    t.equal(found(text, query(sought, more)).length, 1, `${sought} ${JSON.stringify(more)}`)
  t.same(found(text, query('M\\w+r-\\w+t', { regex: true })), [], 'ü is no letter of \\w')
  t.same(found('ver\u00ad\nsteckt ver\u00adsteckt', query('versteckt')), ['ver\u00ad\nsteckt', 'ver\u00adsteckt'])
  t.same(found('ver\u00ad\nsteckt', query('ver.?steckt', regex)), ['ver\u00ad\nsteckt'])
  t.same(found('one- two', query('one-two')), [], 'within a line a space counts')
  t.same(found('a Müller-\nSchmidt', query('Schmidt', { wholeWord: true })), ['Schmidt'])
  t.same(found('Müller-\nSchmidt', query('\\w+', regex)), ['M', 'ller-\nSchmidt'], 'overlapping spans become one')
})

t.test('a word is found with its letters set apart, and not across words', async (t) => {
  t.same(found('a S E C R E T w o r d', query('secret')), ['S E C R E T'])
  t.same(found('a S E C R E T w o r d', query('secret', { wholeWord: true })), ['S E C R E T'])
  t.same(found('a S E C R E T w o r d', query('secret word')), ['S E C R E T w o r d'])
  t.same(found('S\nE\nC\n\nR\nE\nT', query('secret')), ['S\nE\nC\n\nR\nE\nT'])
  t.same(found('S E CR E T', query('secret')), ['S E CR E T'], 'a pair that is close together')
  t.same(found('U S A', query('usa')), ['U S A'])
  t.same(found('Der,S E C R E T-Report', query('secret')), ['S E C R E T'], 'words right beside it')
  t.same(found('S E C R E T', query('secret', { matchCase: true })), [])
  t.same(found('S E C R E T', query('secret', regex)), [], 'a pattern says itself where spaces may be')
  for (const [text, sought] of [
    ['a sec retain', 'secret'],
    ['SEC RET', 'secret'],
    ['is it', 'isit'],
    ['us a', 'usa'],
    ['i s', 'is'],
  ] as const)
    t.same(found(text, query(sought)), [], text)
})

t.test('characters of one column are one line, as well as lines of their own', async (t) => {
  const text = 'A\n縦\n書\n\nき\n1\n2\n'
  const breaks = [3, 5, 6]
  t.same(found(text, query('縦書き'), breaks), ['縦\n書\n\nき'])
  t.same(found(text, query('縦.き', regex), breaks), ['縦\n書\n\nき'])
  t.same(found(text, query('書'), breaks), ['書'])
  t.same(found(text, query('縦書'), []), [])
  t.same(found(text, query('12'), breaks), [])
  t.same(found(text, query('縦書', { wholeWord: true }), breaks), [])
  t.same(found(text, query('縦書き', { wholeWord: true }), breaks).length, 1)
})

t.test('a text of soft hyphens is no text', (t) => {
  t.throws(() => compilePattern(query('\u00ad \u00ad')), { code: 'InvalidArg' })
  t.end()
})

const exactly: Partial<SearchQuery> = { matchDiacritics: true, matchCase: true }

t.test('characters without ink, and those that people type for one another, do not count', async (t) => {
  for (const [text, sought, more] of [
    ['se\u200bc\u2060r\u200ce\u200et', 'secret', {}],
    ['se\u200bc\u2060r\u200ce\u200et', 'secret', exactly],
    ['se\u200bcret', 'se.ret', regex],
    ['secret', 'se\u200dcr\u00adet', {}],
    ['می\u200cخواهم', 'میخواهم', {}],
    ['O’Brien', "O'Brien", exactly],
    ["O'Brien", 'O‘Brien', {}],
    ['„Haus“', '"Haus"', exactly],
    ['«thé»', '“the”', {}],
    ['1990–2000', '1990-2000', exactly],
    ['a−b', 'a-b', {}],
    ['בית־ספר', 'בית-ספר', {}],
    ['10\u00a0000\u202fEUR', '10 000 EUR', exactly],
    ['cafe\u0301', 'café', exactly],
    ['café', 'cafe\u0301', exactly],
    ['\u1112\u1161\u11ab국', '한국', exactly],
    ['ＡＢＣ１２３', 'ABC123', exactly],
    ['\ufefb\ufe8f', 'لاب', exactly],
    ['ﷲ', 'الله', {}],
    ['محـــمد', 'محمد', {}],
    ['مُحَمَّد', 'محمد', {}],
    ['مُحَم\u0651\u064eد', 'مُحَم\u064e\u0651د', exactly],
    ['کتاب', 'كتاب', {}],
    ['١٢٣', '123', {}],
    ['۱۲۳', '١٢٣', {}],
    ['שָׁלוֹם', 'שלום', {}],
    ['ΛΌΓΟΣ', 'λόγος', {}],
  ] as const)
    t.same(found(text, query(sought, more)), [text], `${sought} in ${text}`)
})

t.test('what is another text to people is not found', async (t) => {
  for (const [text, sought, more] of [
    ['கொண்டு', 'கண்டு', {}],
    ['दिन', 'दान', {}],
    ['ที่', 'ทุ', {}],
    ['각', '가', {}],
    ['cafe\u0301', 'cafe', exactly],
    ['x\u0304y', 'x', exactly],
    ['١٢٣', '123', exactly],
    ['می\u200cخواهم', 'خواهم', { wholeWord: true }],
  ] as const)
    t.same(found(text, query(sought, more)), [], `${sought} in ${text}`)
  t.same(found('cafe\u0301s', query('cafe')), ['cafe\u0301'], 'a hit has the accents of its last letter')
})

// Nothing here measures time: a search whose steps grow with the square of a text does not end before the runner's limit.
t.test('no text and no query makes the search slow', async (t) => {
  const dashes = '-\n'.repeat(30_000)
  const soft = `${'\u00ad'.repeat(30_000)}${'\u00ad\n'.repeat(14_000)}`
  for (const text of [dashes, soft, `${'a'.repeat(60_000)}b`, '- \n- '.repeat(12_000), 'a-\n\n'.repeat(15_000)])
    for (const sought of [
      '-'.repeat(30),
      '-a'.repeat(200),
      'a'.repeat(300),
      '- '.repeat(50),
      '\u00ad-'.repeat(50),
      'a'.repeat(990),
    ])
      for (const more of [{}, close])
        t.same(found(text, query(`${sought}Z`, more)), [], JSON.stringify([text.slice(0, 4), sought.slice(0, 4), more]))
})

t.test(
  'a pattern that compiles to a large program is refused; names and repetitions of usual size are not',
  async (t) => {
    for (const text of ['[\\pL ]{0,900}'.repeat(70), '(?:a{1000}|b{1000}){1}'.repeat(3), '\\pL{1000}'.repeat(9)])
      t.throws(() => compilePattern(query(text, regex), '/regex'), { code: 'InvalidArg', message: /too large/ })
    const names = Array.from({ length: 100 }, (_, index) => `Name ${index}`).join('|')
    for (const text of ['.{0,400}z', '[\\pL ]{0,400}@', names, '\\d{4}(?:[ -]?\\d{4}){3}'])
      t.doesNotThrow(() => compilePattern(query(text, regex)))
  },
)
