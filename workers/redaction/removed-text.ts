// The words that a redaction removed, in a form in which they are compared with other texts.

/** Characters of words; all others divide them. */
const between = /[^\p{L}\p{N}\p{M}]+/u
const betweenAll = new RegExp(between, 'gu')
const isSpelled = /[\p{L}\p{N}]/u

/** Form in which texts are compared: without case, and without compatibility forms of characters. */
export const comparable = (text: string): string => text.normalize('NFKC').toLowerCase()

/** Returns the words of a text, compared without what divides them. */
export const wordsIn = (text: string): readonly string[] => comparable(text).split(between)

/** Returns the characters of all words of a text, joined. */
export const lettersIn = (text: string): string => comparable(text).replace(betweenAll, '')

/** Least length of a word: a single letter is in every text. */
const shortMin = 2
/** Least length of a word of which parts are looked for. */
const longMin = 4
/** Greatest length of a part: scripts without spaces have words as long as a line. */
const partMax = 8
/** An ideograph is a syllable or a word. */
const isIdeographic = /\p{Ideographic}/u
/** Greatest length of a word that is looked for as a whole. */
const wordMax = 64

type ByLength = Map<number, Set<string>>

export class RemovedText {
  readonly #short: ByLength = new Map()
  readonly #long: ByLength = new Map()
  /** Parts of long words. */
  readonly #parts: ByLength = new Map()
  readonly #seen = new Set<string>()

  constructor(lines: Iterable<string>) {
    this.add(lines)
  }

  add(lines: Iterable<string>): void {
    for (const line of lines)
      for (const word of wordsIn(line)) {
        if (word.length < shortMin || this.#seen.has(word) || !isSpelled.test(word)) continue
        this.#seen.add(word)
        const length = partLength(word)
        addTo(word.length < length ? this.#short : this.#long, word.slice(0, wordMax))
        for (let from = 0; from + length <= word.length; from++) addTo(this.#parts, word.slice(from, from + length))
      }
  }

  /** True if the text has half of a word, or a short one: within words too if `isStrict`, otherwise as one of its own. */
  isIn(text: string, isStrict: boolean): boolean {
    const letters = lettersIn(text)
    if (isFound(this.#parts, letters, [0, letters.length])) return true
    if (isStrict) return isFound(this.#short, letters, [0, letters.length])
    return wordsIn(text).some((word) => this.#short.get(word.length)?.has(word))
  }

  /**
   * True if a word lies in the letters so that some of it is between the two places. `effort`: number of comparisons that
   * may be made; without any left the answer is true.
   */
  isAt(letters: string, [from, to]: readonly [number, number], effort: { left: number }): boolean {
    for (const length of this.#long.keys()) effort.left -= length + to - from
    return effort.left < 0 || isFound(this.#long, letters, [from, to])
  }
}

/** Returns the length of a part that tells which word it is of. */
function partLength(word: string): number {
  const least = isIdeographic.test(word) ? 2 : longMin
  return Math.min(partMax, Math.max(least, Math.ceil(word.length / 2)))
}

function addTo(sets: ByLength, word: string): void {
  const set = sets.get(word.length) ?? new Set()
  sets.set(word.length, set.add(word))
}

function isFound(sets: ByLength, letters: string, [from, to]: readonly [number, number]): boolean {
  for (const [length, set] of sets)
    for (let at = Math.max(0, from - length + 1); at < to && at + length <= letters.length; at++)
      if (set.has(letters.slice(at, at + length))) return true
  return false
}
