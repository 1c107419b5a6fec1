// Unchanged objects that lead to changed ones. Nothing else has to be read: below any other object all is as it was. They
// are found from the changed objects upward, over the references of the earlier revision.
import type { StrictRevision } from '../../../strict-reader/strict-document.js'
import type { ChangedObject } from './changed-objects.js'
import { RoleTrees } from './role-trees.js'

export class Reach {
  readonly #before: StrictRevision
  readonly #changes: ReadonlyMap<number, ChangedObject>
  /** Objects that changed, are ambiguous, or are in an object stream that was written again. */
  readonly #starts: ReadonlySet<number>
  readonly #needed: ReadonlySet<number>

  constructor(
    before: StrictRevision,
    after: StrictRevision,
    changes: ReadonlyMap<number, ChangedObject>,
    /** Numbers that later sections list. */
    listed: readonly number[],
  ) {
    this.#before = before
    this.#changes = changes
    const graph = before.references()
    this.#starts = new Set([
      ...changes.keys(),
      ...graph.unreadable,
      ...listed.filter((number) => !changes.has(number)).flatMap((number) => graph.membersOf(number)),
    ])
    this.#needed = this.#walked(after)
  }

  /** Whether the object is unchanged, and so is all that walks by role find below it. */
  isIdle(number: number): boolean {
    return !this.#changes.has(number) && !this.#needed.has(number)
  }

  /**
   * Returns the unchanged objects from which a search gets to changed ones for which `isEnd` is true, or to ambiguous
   * ones. The search goes through no object for which `isStop` is true.
   */
  leadingTo(isEnd: (change: ChangedObject) => boolean, isStop: (number: number) => boolean): ReadonlySet<number> {
    const ends = [...this.#starts].filter((number) => {
      const change = this.#changes.get(number)
      return change === undefined || isEnd(change)
    })
    return this.#closure(ends, isStop)
  }

  /**
   * What walks by role have to visit. From a node of the page tree or the field tree the way continues to its root alone:
   * everything refers to pages, and a search ends at them.
   */
  #walked(after: StrictRevision): ReadonlySet<number> {
    const graph = this.#before.references()
    const trees = new RoleTrees(after)
    const above = new Set<number>()
    const isStop = (number: number): boolean => {
      const chain = graph.shapeOf(number) === 0 ? undefined : trees.chainOf(number)
      for (const node of chain ?? []) above.add(node)
      return chain !== undefined
    }
    const found = this.#closure([...this.#starts], isStop)
    return new Set([...found, ...above, ...this.#starts])
  }

  #closure(ends: readonly number[], isStop: (number: number) => boolean): ReadonlySet<number> {
    const graph = this.#before.references()
    const found = new Set<number>()
    const open = [...ends]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const number of graph.referrersOf(next)) {
        if (found.has(number) || this.#changes.has(number)) continue
        found.add(number)
        if (!isStop(number)) open.push(number)
      }
    }
    return found
  }
}
