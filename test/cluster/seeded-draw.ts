/** Returns a source of numbers below a bound; the same seed gives the same numbers (linear congruential generator). */
export function seededDraw(seed: number): (bound: number) => number {
  let state = seed >>> 0
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}
