// Graph of the references between the objects of a file, by object numbers: who refers to whom in any of its revisions. The
// graph consists of flat arrays, so that it is stored and loaded without being built again.
import type { Shape } from './scan-references.js'

/** Rows of a table in one array: row n begins at `starts[n]` and ends where row n + 1 begins. */
export interface Rows {
  readonly starts: Uint32Array
  readonly values: Uint32Array
}

export interface GraphArrays {
  /** Numbers of the referring objects, doubled, plus one for a structural reference; by the object they refer to. */
  readonly referrers: Rows
  /** Numbers of object streams in ascending order, and the members of each. */
  readonly streams: Uint32Array
  readonly members: Rows
  /** Ascending. */
  readonly unreadable: Uint32Array
  /** By object number. */
  readonly shapes: Uint8Array
}

export class ReferenceGraph {
  constructor(readonly arrays: GraphArrays) {}

  /** All arrays, in the order in which they are stored. */
  get listed(): readonly (Uint32Array | Uint8Array)[] {
    const { referrers, streams, members, unreadable, shapes } = this.arrays
    return [referrers.starts, referrers.values, streams, members.starts, members.values, unreadable, shapes]
  }

  get sizeBytes(): number {
    return this.listed.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** Objects whose bytes are ambiguous, so that they may refer to anything. */
  get unreadable(): Uint32Array {
    return this.arrays.unreadable
  }

  /** Calls `each` for objects that refer to this one, under any generation. `isStructural`: see `Found`. */
  eachReferrer(number: number, each: (from: number, isStructural: boolean) => void): void {
    for (const from of rowOf(this.arrays.referrers, number)) each(from >>> 1, (from & 1) === 1)
  }

  /** Returns the members of an object stream. */
  membersOf(stream: number): Uint32Array {
    const { streams, members } = this.arrays
    const row = placeOf(streams, stream)
    return row < 0 ? none : rowOf(members, row)
  }

  shapeOf(number: number): Shape {
    return (this.arrays.shapes[number] ?? 0) as Shape
  }
}

const none = new Uint32Array()

function rowOf({ starts, values }: Rows, row: number): Uint32Array {
  const [from, to] = [starts[row], starts[row + 1]]
  return from === undefined || to === undefined ? none : values.subarray(from, to)
}

/** Returns the index of a number in an ascending array; -1 if it is not in there. */
function placeOf(ascending: Uint32Array, number: number): number {
  let [low, high] = [0, ascending.length - 1]
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = ascending[middle] ?? 0
    if (found === number) return middle
    if (found < number) low = middle + 1
    else high = middle - 1
  }
  return -1
}
