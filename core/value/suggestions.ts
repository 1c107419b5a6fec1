// Finds the known word that is most similar to an unknown one, for "Did you mean …".
import { distance } from 'fastest-levenshtein'

/** Characters of the longest word that is compared: the time grows with the product of both lengths. */
const comparedMax = 100

/** Returns the closest candidate, or undefined when none is close. Case and separators hardly count. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > comparedMax) return undefined
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(word.length * 0.4)) + 1
  for (const candidate of candidates) {
    if (candidate.length > comparedMax) continue
    const found = differenceOf(word, candidate)
    if (found < bestDistance) [best, bestDistance] = [candidate, found]
  }
  return best
}

function differenceOf(word: string, candidate: string): number {
  if (isShuffled(candidate, word)) return bare(candidate) === bare(word) ? 0.5 : 1
  return Math.min(distance(word, candidate), distance(bare(word), bare(candidate)) + 0.5)
}

/** Returns the closest candidate that contains the word: `access_token` for `token`. */
function wholeOf(word: string, candidates: readonly string[]): string | undefined {
  return candidates.find((candidate) => candidate.split('_').includes(word.toLowerCase()))
}

/** Returns `Did you mean "agents"?`, or the alternatives when nothing is close. */
export function hint(word: string, candidates: readonly string[]): string {
  const alike = candidates.find((candidate) => candidate.normalize() === word.normalize())
  if (alike !== undefined) return `"${alike}" looks the same and is spelt with other characters; copy it from there.`
  const found = likelyMeant(word, candidates)
  if (found !== undefined) return `Did you mean "${found}"?`
  if (candidates.length === 0) return 'Nothing is declared there.'
  return `Use ${listed(candidates)}.`
}

/** Returns the key or name that is most likely meant. */
export function likelyMeant(word: string, candidates: readonly string[]): string | undefined {
  return closest(word, candidates) ?? wholeOf(word, candidates)
}

/** Returns `a, b or c`, shortened when there are many. */
export function listed(words: readonly string[]): string {
  const shown = words.slice(0, words.length > 13 ? 12 : 13)
  const last = words.length > shown.length ? `${words.length - shown.length} others` : shown.pop()
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} or ${last}`
}

/** True for swapped letters, `plna` for `plan`: they count as one typing error. */
function isShuffled(a: string, b: string): boolean {
  const sorted = (text: string) => [...text].sort().join('')
  return a.length === b.length && sorted(a) === sorted(b)
}

function bare(word: string): string {
  return word.toLowerCase().replaceAll(/[-_. ]/g, '')
}
