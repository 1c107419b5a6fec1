// Which text takes more than one letter after the other: marks that sit on others, letters that change their shape or their
// order beside each other, and scripts that run from right to left.

/** Scripts without marks and changes (Georgian) are not here: their letters are only looked for in more fonts. */
const complex =
  /[\p{M}\p{Bidi_Control}\p{Join_Control}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Thai}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Tamil}]/u

/** Latin ends before the first mark: most text is through here. */
const beyondLatin = /[^\0-\u02ff]/

export const isComplex = (text: string): boolean => beyondLatin.test(text) && complex.test(text)

let graphemes: Intl.Segmenter | undefined
let words: Intl.Segmenter | undefined

/** Splits text into characters as a reader sees them: a letter with its marks. */
export function clustersOf(text: string): readonly string[] {
  if (!isComplex(text)) return Array.from(text)
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

/** Chinese, Japanese and Korean begin here; among them are older forms of Hebrew and Arabic letters. */
const breakableFrom = 0x2e80
const joined = /[\ufb1d-\ufdff\ufe70-\ufefe]/

/** Whether a line may end before and behind any character of the kind. */
const isBreakable = (cluster: string): boolean =>
  (cluster.codePointAt(0) ?? 0) >= breakableFrom && !joined.test(cluster)

const withoutBlanks = /\p{sc=Thai}/u
const runsOfThai = /\p{scx=Thai}+|\P{scx=Thai}+/gu

/** Between any two of them a line may end: words, the blanks between them, and characters of scripts without blanks. */
export function piecesOf(line: string): readonly string[] {
  return (line.match(/\s+|\S+/g) ?? []).flatMap((word) => {
    if (Array.from(word).some(isBreakable)) return parted(word)
    return withoutBlanks.test(word) ? (word.match(runsOfThai) ?? []).flatMap(thaiWords) : [word]
  })
}

function parted(word: string): readonly string[] {
  const pieces: string[] = []
  let rest = ''
  for (const cluster of clustersOf(word)) {
    if (!isBreakable(cluster)) {
      rest += cluster
      continue
    }
    if (rest !== '') pieces.push(rest)
    rest = ''
    pieces.push(cluster)
  }
  if (rest !== '') pieces.push(rest)
  return pieces
}

function thaiWords(text: string): readonly string[] {
  if (!withoutBlanks.test(text)) return [text]
  words ??= new Intl.Segmenter('th', { granularity: 'word' })
  return Array.from(words.segment(text), ({ segment }) => segment)
}
