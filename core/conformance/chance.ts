// Repeatable chance: the same seed gives the same faults and the same samples.

/** Returns numbers of at least 0 and below 1 (mulberry32). */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns numbers from 1 to `count`: all of them, or as many as the sample has, each once. */
export function chosen(count: number, sample?: { readonly size: number; readonly seed: number }): readonly number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1)
  if (!sample) return all
  const chance = chanceOf(sample.seed)
  return all
    .map((number) => ({ number, rank: chance() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, sample.size)
    .map(({ number }) => number)
}
