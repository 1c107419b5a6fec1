// Times from which work may begin. A clock may go back: what was scheduled before is then further ahead than any delay, and
// does not wait for the clock to catch up.

/** Milliseconds by which clocks of processes may differ. */
const clockDifferenceMs = 60_000

/** Returns the time after which nothing is scheduled, as long as no clock goes back. */
export const furthestDue = (nowMs: number, delayMaxMs: number): number => nowMs + delayMaxMs + clockDifferenceMs

/** `delayMaxMs`: longest delay with which such work is scheduled. */
export const isDue = (atMs: number, nowMs: number, delayMaxMs: number): boolean =>
  atMs <= nowMs || atMs > furthestDue(nowMs, delayMaxMs)

/** Yields the entries of one range after those of another. */
export async function* inSuccession<Entry>(ranges: readonly AsyncIterable<Entry>[]): AsyncIterable<Entry> {
  for (const range of ranges) yield* range
}
