// Bounds of rows that are counted by reading their keys, because they are few and seldom added.
import { Refusal } from '../refusals/refusal.js'

/** Throws `Conflict` if there are as many rows as there may be. `full`: what is full, and what to do, with the number. */
export async function refuseMore(
  keys: AsyncIterable<unknown>,
  max: number,
  full: (count: number) => string,
): Promise<void> {
  let count = 0
  for await (const _ of keys) if (++count >= max) throw new Refusal('Conflict', full(count))
}
