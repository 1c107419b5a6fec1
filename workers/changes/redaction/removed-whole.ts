// What a redaction could not divide, and took out with what was beside the marks: counted by kind, for whoever redacts to
// look at the page again.
import type { RemovedKind } from '../../shapes/changes/redactions-apply.js'

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
