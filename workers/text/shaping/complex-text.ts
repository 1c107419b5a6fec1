// Detects text that needs shaping: marks placed on letters, letters that change shape or order beside others, and
// scripts written from right to left.

/**
 * Matches characters of complex scripts. Scripts without marks and contextual forms (Georgian) are not included: they
 * only need more fonts.
 */
const complex =
  /[\p{M}\p{Bidi_Control}\p{Join_Control}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Thai}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Tamil}]/u

/** Matches characters from the first combining mark on; most text has none, which is a fast path. */
const beyondLatin = /[^\0-\u02ff]/

export const isComplex = (text: string): boolean => beyondLatin.test(text) && complex.test(text)

let graphemes: Intl.Segmenter | undefined
let words: Intl.Segmenter | undefined

/** Splits text into grapheme clusters: a letter with its marks. */
export function clustersOf(text: string): readonly string[] {
  if (!isComplex(text)) return Array.from(text)
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

/**
 * First code point of Chinese, Japanese and Korean; the range also contains presentation forms of Hebrew and Arabic.
 */
const breakableFrom = 0x2e80
const joined = /[\ufb1d-\ufdff\ufe70-\ufefe]/

/** True if a line may be broken before and after the character. */
const isBreakable = (cluster: string): boolean =>
  (cluster.codePointAt(0) ?? 0) >= breakableFrom && !joined.test(cluster)

const withoutBlanks = /\p{sc=Thai}/u
const runsOfThai = /\p{scx=Thai}+|\P{scx=Thai}+/gu

/**
 * Splits a line into pieces between which it may be broken: words, blanks between them, and characters of scripts
 * without blanks.
 */
export function piecesOf(line: string): readonly string[] {
  return (line.match(/\s+|\S+/g) ?? []).flatMap((word) => {
    if (Array.from(word).some(isBreakable)) return breakablePieces(word)
    return withoutBlanks.test(word) ? (word.match(runsOfThai) ?? []).flatMap(thaiWords) : [word]
  })
}

function breakablePieces(word: string): readonly string[] {
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
