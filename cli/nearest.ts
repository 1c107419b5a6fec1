// The word that was probably meant.
import { distance } from 'fastest-levenshtein'

/** The known word closest to the given one, or undefined when none is close. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const farthest = Math.max(2, Math.floor(given.length / 3))
  const ranked = known
    .map((word) => ({ word, distance: distance(given.toLowerCase(), word.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best && best.distance <= farthest ? best.word : undefined
}
