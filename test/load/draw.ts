// Seeded choices of a load or fuzz run: equal seeds draw equal values.
import { chanceOf } from '../../core/conformance/chance.js'

export class Draw {
  readonly #next: () => number

  constructor(readonly seed: number) {
    this.#next = chanceOf(seed)
  }

  /** Returns an integer from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.#next() * count)
  }

  /** Returns an integer of the range, both ends included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1)
  }

  /** Returns true with this probability. */
  happens(probability: number): boolean {
    return this.#next() < probability
  }

  /** Throws if the list is empty. */
  one<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('Nothing to draw from')
    return item
  }

  /** Returns one of the items with a probability in proportion to its weight. */
  weighted<Item extends { readonly weight: number }>(items: readonly Item[]): Item {
    let left = this.#next() * items.reduce((sum, { weight }) => sum + weight, 0)
    for (const item of items) {
      left -= item.weight
      if (left < 0) return item
    }
    return this.one(items)
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)))
  }
}
