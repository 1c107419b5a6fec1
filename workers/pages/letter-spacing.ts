// Recognises words whose letters are set apart, as headings have them: `S E C R E T` reads as one word to people.

import { type Reading, readingOf } from './search-readings.js'

/** Least number of letters: two that are set apart are as a rule two words. */
const lettersMin = 3

/**
 * True if more of the neighbouring characters in a range of a text have white space between them than not. Words that
 * follow each other, as `a sec retain`, do not.
 */
export function isLetterSpaced(points: readonly string[], [start, end]: readonly [number, number]): boolean {
  let [letters, gaps, isApart] = [0, 0, false]
  for (let at = start; at < end; at++) {
    if (isWhite(points[at])) {
      isApart = true
      continue
    }
    letters++
    if (isApart && letters > 1) gaps++
    isApart = false
  }
  return letters >= lettersMin && gaps * 2 > letters - 1
}

const isWhite = (point: string | undefined): boolean => point !== undefined && /\s/u.test(point)

/** Number of characters at each end of a word that may belong to letters beside it. */
const endLetters = 2

/** Stands for characters within words; no text contains it. */
const inside = '\ufffe'

/** Returns a text without the characters within words, which no word with its letters set apart contains. */
export function withoutInsides(points: readonly string[]): readonly string[] {
  const left = [...points]
  for (let at = 0; at < points.length; at++) {
    const start = at
    while (at < points.length && !isWhite(points[at])) at++
    if (at - start > 2 * endLetters) left.fill(inside, start + endLetters, at - endLetters)
  }
  return left
}

/** Text in which words with their letters set apart are counted. */
export class LetterSpacedText {
  readonly #close: string
  #divided: { readonly points: readonly string[]; readonly close: Reading } | undefined

  constructor(private readonly text: string) {
    this.#close = text.replace(/\s+/gu, '')
  }

  /** `word`: without white space. */
  count(word: string): number {
    if (!this.#close.includes(word)) return 0
    const { points, close } = this.#read()
    let count = 0
    for (let at = close.text.indexOf(word); at >= 0; ) {
      const isFound = isLetterSpaced(points, [close.indexAt(at), close.indexAt(at + word.length - 1) + 1])
      if (isFound) count++
      at = close.text.indexOf(word, at + (isFound ? word.length : 1))
    }
    return count
  }

  #read() {
    if (this.#divided !== undefined) return this.#divided
    const points = [...this.text]
    this.#divided = { points, close: readingOf(points, (point) => (isWhite(point) ? '' : point)) }
    return this.#divided
  }
}
