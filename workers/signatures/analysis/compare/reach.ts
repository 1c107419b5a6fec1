// Finds unchanged objects that lead to changed ones, by following the references of the file backwards from the changed
// objects. No other object has to be read, because nothing below it changed.
import type { StrictRevision } from '../../../strict-reader/strict-document.js'
import type { ChangedObject } from './changed-objects.js'
import { RoleTrees } from './role-trees.js'

export type Numbers = Pick<ReadonlySet<number>, 'has'>

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
      ...listed.filter((number) => !changes.has(number)).flatMap((number) => [...graph.membersOf(number)]),
    ])
    this.#needed = this.#walked(after)
  }

  /** True if the object is unchanged, and so are all objects below it that walks by role find. */
  isIdle(number: number): boolean {
    return !this.#changes.has(number) && !this.#needed.has(number)
  }

  /**
   * Returns the unchanged objects from which a search reaches changed ones for which `isEnd` is true, or ambiguous
   * ones. The search does not continue behind objects for which `isStop` is true.
   */
  leadingTo(isEnd: (change: ChangedObject) => boolean, isStop: (number: number) => boolean): Numbers {
    const ends = [...this.#starts].filter((number) => {
      const change = this.#changes.get(number)
      return change === undefined || isEnd(change)
    })
    return this.#closure(ends, isStop, false)
  }

  /**
   * Objects that walks by role have to visit. Nearly everything refers to pages and fields, and searches end at them,
   * so only objects that contain them are followed from there.
   */
  #walked(after: StrictRevision): ReadonlySet<number> {
    const graph = this.#before.references()
    const trees = new RoleTrees(after)
    const found = this.#closure([...this.#starts], (number) => graph.shapeOf(number) !== 0 && trees.has(number))
    return new Set([...found, ...this.#starts])
  }

  #closure(ends: readonly number[], isStop: (number: number) => boolean, isContained = true): ReadonlySet<number> {
    const graph = this.#before.references()
    const found = new Set<number>()
    const containing = new Set<number>()
    const open = ends.map((number) => ({ number, isStopped: false }))
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { isStopped } = next
      graph.eachReferrer(next.number, (number, isStructural) => {
        if (this.#changes.has(number) || (isStopped && !isStructural)) return
        const isKnown = isStopped ? found.has(number) || containing.has(number) : found.has(number)
        if (isKnown) return
        const isNowStopped = isStopped || isStop(number)
        ;(isStopped ? containing : found).add(number)
        if (!isNowStopped || isContained) open.push({ number, isStopped: isNowStopped })
      })
    }
    return new Set([...found, ...containing])
  }
}
