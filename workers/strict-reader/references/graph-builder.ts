// Collects the references of a file in the order in which they are found, then sorts them by the object they lead to.
import { ReferenceGraph, type Rows } from './reference-graph.js'
import type { Shape } from './scan-references.js'

export class GraphBuilder {
  readonly unreadable = new Set<number>()
  readonly #references = new PairList()
  readonly #members = new PairList()
  #shapes = new Uint8Array(1024)

  /** Number of references. */
  get count(): number {
    return this.#references.count
  }

  /** Removes the newest references. */
  cutTo(count: number): void {
    this.#references.count = count
  }

  /** Adds a reference. `isStructural`: see `Found`. */
  add(from: number, to: number, isStructural: boolean): void {
    this.#references.add(to, 2 * from + (isStructural ? 1 : 0))
  }

  addMember(stream: number, member: number): void {
    this.#members.add(stream, member)
  }

  setShape(number: number, shape: Shape): void {
    if (number >= this.#shapes.length) {
      const larger = new Uint8Array(Math.max(number + 1, 2 * this.#shapes.length))
      larger.set(this.#shapes)
      this.#shapes = larger
    }
    this.#shapes[number] = shape
  }

  build(): ReferenceGraph {
    const members = this.#members.rows()
    const streams: number[] = []
    const starts: number[] = [0]
    for (let stream = 0; stream + 1 < members.starts.length; stream++) {
      const end = members.starts[stream + 1] ?? 0
      if (end === members.starts[stream]) continue
      streams.push(stream)
      starts.push(end)
    }
    return new ReferenceGraph({
      referrers: this.#references.rows(),
      streams: Uint32Array.from(streams),
      members: { starts: Uint32Array.from(starts), values: members.values },
      unreadable: Uint32Array.from(this.unreadable).sort(),
      shapes: this.#shapes.slice(0, 1 + this.#shapes.findLastIndex((shape) => shape !== 0)),
    })
  }
}

/** Growing list of a row number and a value. */
class PairList {
  count = 0
  #rows = new Uint32Array(1024)
  #values = new Uint32Array(1024)

  add(row: number, value: number): void {
    if (this.count === this.#rows.length) {
      this.#rows = grown(this.#rows)
      this.#values = grown(this.#values)
    }
    this.#rows[this.count] = row
    this.#values[this.count++] = value
  }

  /** Returns the values by rows, up to the last row that has one. */
  rows(): Rows {
    const [rows, values] = [this.#rows.subarray(0, this.count), this.#values]
    let last = -1
    for (const row of rows) if (row > last) last = row
    const starts = new Uint32Array(last + 2)
    for (const row of rows) increase(starts, row + 1)
    for (let row = 1; row < starts.length; row++) increase(starts, row, starts[row - 1])
    const next = starts.slice()
    const sorted = new Uint32Array(this.count)
    for (let index = 0; index < this.count; index++) {
      sorted[increase(next, rows[index] ?? 0) - 1] = values[index] ?? 0
    }
    return { starts, values: sorted }
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
