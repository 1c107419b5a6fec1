// Graph of the references between the objects of a revision, by object numbers. It is built by reading the file once in
// the order of its bytes, without the data of streams.
import type { Shape } from './scan-references.js'

export interface ReferenceGraph {
  /** Calls `each` for objects that refer to this one, under any generation. `isStructural`: see `Found`. */
  eachReferrer(number: number, each: (from: number, isStructural: boolean) => void): void
  /** Objects whose bytes are ambiguous, so that they may refer to anything. */
  readonly unreadable: ReadonlySet<number>
  /** Returns the members of an object stream. */
  membersOf(stream: number): readonly number[]
  shapeOf(number: number): Shape
  /** Size in memory in bytes. */
  readonly sizeBytes: number
}

/** Collects edges, then sorts them by the object they lead to. */
export class GraphBuilder {
  readonly unreadable = new Set<number>()
  readonly members = new Map<number, number[]>()
  /** Numbers of the referring objects, doubled, plus one for a structural reference. */
  #from = new Uint32Array(1024)
  #to = new Uint32Array(1024)
  #count = 0
  #shapes = new Uint8Array(1024)

  /** Number of edges. */
  get count(): number {
    return this.#count
  }

  /** Removes the newest edges. */
  cutTo(count: number): void {
    this.#count = count
  }

  add(from: number, to: number, isStructural: boolean): void {
    if (this.#count === this.#from.length) {
      this.#from = grown(this.#from)
      this.#to = grown(this.#to)
    }
    this.#from[this.#count] = 2 * from + (isStructural ? 1 : 0)
    this.#to[this.#count++] = to
  }

  setShape(number: number, shape: Shape): void {
    if (shape === 0) return
    while (number >= this.#shapes.length) {
      const larger = new Uint8Array(2 * this.#shapes.length)
      larger.set(this.#shapes)
      this.#shapes = larger
    }
    this.#shapes[number] = shape
  }

  build(): ReferenceGraph {
    const [from, to, count, shapes] = [this.#from, this.#to, this.#count, this.#shapes]
    let highest = 0
    for (let edge = 0; edge < count; edge++) highest = Math.max(highest, to[edge] ?? 0)
    // The referrers of a number are consecutive in one array, up to those of the next number.
    const starts = new Uint32Array(highest + 2)
    for (let edge = 0; edge < count; edge++) increase(starts, (to[edge] ?? 0) + 1)
    for (let number = 1; number < starts.length; number++) increase(starts, number, starts[number - 1])
    const next = starts.slice()
    const referrers = new Uint32Array(count)
    for (let edge = 0; edge < count; edge++) referrers[increase(next, to[edge] ?? 0) - 1] = from[edge] ?? 0
    const { unreadable, members } = this
    return {
      eachReferrer: (number, each) => {
        for (const from of referrers.subarray(starts[number] ?? count, starts[number + 1] ?? count)) {
          each(from >>> 1, (from & 1) === 1)
        }
      },
      unreadable,
      membersOf: (stream) => members.get(stream) ?? [],
      shapeOf: (number) => (shapes[number] ?? 0) as Shape,
      sizeBytes: 4 * (count + starts.length) + shapes.length + 8 * (unreadable.size + memberCount(members)),
    }
  }
}

/** Returns the new value. */
function increase(counts: Uint32Array, index: number, by = 1): number {
  const value = (counts[index] ?? 0) + by
  counts[index] = value
  return value
}

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * array.length)
  larger.set(array)
  return larger
}

const memberCount = (members: ReadonlyMap<number, readonly number[]>): number =>
  [...members.values()].reduce((sum, { length }) => sum + length, 0)
