// Counts, by kind, of what a redaction could not divide and removed together with content beside the marks, so that
// clients can have the page reviewed.
import type { RemovedKind } from '../contract/ops/redactions-apply.js'

export interface RemovedCount {
  readonly kind: RemovedKind
  readonly count: number
}

export class RemovedWhole {
  readonly #counts = new Map<RemovedKind, number>()

  add(kind: RemovedKind, count = 1): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count)
  }

  get counts(): readonly RemovedCount[] {
    return [...this.#counts].map(([kind, count]) => ({ kind, count }))
  }
}
