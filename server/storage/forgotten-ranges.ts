// Joins key ranges that share tables, so that a compaction rewrites each table once.
import type { Key, KeyRange } from './keys.js'

/**
 * Maximum number of bytes between ranges that are joined, because compacting a range rewrites whole tables at both of
 * its ends.
 */
const betweenBytesMax = 4 * 1024 * 1024

export async function joinedRanges(
  ranges: readonly KeyRange[],
  bytesBetween: (from: Key, to: Key) => Promise<number>,
): Promise<readonly KeyRange[]> {
  const joined: KeyRange[] = []
  for (const range of [...ranges].sort((one, other) => Buffer.compare(one.from, other.from))) {
    const last = joined.at(-1)
    if (!last || !(await isNear(last.to, range.from, bytesBetween))) joined.push(range)
    else joined.splice(-1, 1, { from: last.from, to: Buffer.compare(last.to, range.to) < 0 ? range.to : last.to })
  }
  return joined
}

async function isNear(end: Key, start: Key, bytesBetween: (from: Key, to: Key) => Promise<number>): Promise<boolean> {
  return Buffer.compare(start, end) <= 0 || (await bytesBetween(end, start)) < betweenBytesMax
}

/** Returns keys at both ends of the range that no row has; removing them creates a table that covers the range. */
export const edgesOf = ({ from, to }: KeyRange): readonly Key[] => [Uint8Array.of(...from, 0), to]
