// Limits of marking by content in one change: number of hits, and time of searching. Marks are made completely or not
// at all, because nobody would notice a place that is not marked.
import { JobRefusal } from '../contract/job-refusal.js'
import { limits } from '../limits.js'

const { markHitsMax, markSearchMs } = limits

export class MarkBudget {
  #hits = 0
  #searchedMs = 0

  /** Runs the search of one page. Throws `PayloadTooLarge` if the time was over before. */
  search<Found>(page: number, find: () => Found): Found {
    if (this.#searchedMs >= markSearchMs) {
      const message = `Searching took longer than ${markSearchMs} ms before the page obj:${page}: name fewer pages in pages, and mark the others afterwards`
      throw new JobRefusal('PayloadTooLarge', message, { limit: 'markSearchMs', max: markSearchMs })
    }
    const start = performance.now()
    try {
      return find()
    } finally {
      this.#searchedMs += performance.now() - start
    }
  }

  /** Counts hits. Throws `PayloadTooLarge` if there are too many. */
  takeHits(count: number, page: number): void {
    this.#hits += count
    if (this.#hits <= markHitsMax) return
    const message = `There are more than ${markHitsMax} hits up to the page obj:${page}: name fewer pages in pages, or look for something longer, with wholeWord or matchCase`
    throw new JobRefusal('PayloadTooLarge', message, { limit: 'markHitsMax', max: markHitsMax })
  }
}
