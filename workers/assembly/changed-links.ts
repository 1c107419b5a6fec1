// Finds links whose destination changes when pages are removed or moved: annotations of the remaining pages then read
// differently although their objects are unchanged.

import type { Change } from '../change/change.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isDictionary, nameOf } from '../objects/values.js'
import { linkTargetOf } from '../targets/link-targets.js'

export class ChangedLinks {
  readonly #change: Change
  readonly #before: ReadonlyMap<number, string>

  /** Records the current destinations; must be created before pages are moved. */
  constructor(change: Change) {
    this.#change = change
    this.#before = targetsOf(change)
  }

  /** Declares the pages with changed links; must be called once all pages are in place. */
  declare(): void {
    for (const [page, targets] of targetsOf(this.#change)) {
      const before = this.#before.get(page)
      if (before !== undefined && before !== targets) this.#change.effects.page(page, 'annotations')
    }
  }
}

/** Returns the serialised link destinations of each page with links, by page number. */
function targetsOf(change: Change): ReadonlyMap<number, string> {
  const reading = change.reading()
  return new Map(
    change.document.pages.flatMap((page) => {
      const annotations = elementsOf(entry(reading.pageObject(page), 'Annots'), readingLimits.annotsLengthMax)
      const links = [...annotations].filter((one) => isDictionary(one) && nameOf(entry(one, 'Subtype')) === 'Link')
      reading.budget.takeValues(links.length)
      return links.length === 0
        ? []
        : [[page, JSON.stringify(links.map((link) => linkTargetOf(reading, link)))] as const]
    }),
  )
}
