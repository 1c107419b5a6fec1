// Collects the conflicts of a merge, each once.
import { conflictsMax, type MergeConflict, type MergeConflicts } from '../contract/merge-conflict.js'

export class Conflicts {
  readonly #known = new Map<string, MergeConflict>()
  #losesEdits = false

  report(conflict: MergeConflict): void {
    const key = `${conflict.objectNumber} ${conflict.path ?? ''}`
    // The first report is the most specific one.
    if (!this.#known.has(key)) this.#known.set(key, conflict)
    if (conflict.kept === 'version') this.#losesEdits = true
  }

  /** Reports an object that one side removed and the other changed. */
  removed(objectNumber: number, by: 'layer' | 'version'): void {
    const sides =
      by === 'layer'
        ? ({ version: 'changed', layer: 'removed' } as const)
        : ({ version: 'removed', layer: 'changed' } as const)
    this.report({ objectNumber, path: null, ...sides, kept: by, reason: 'removed' })
  }

  /** Notes that a drawing of the layer is not in the result; no value is lost with it. */
  loseDrawing(): void {
    this.#losesEdits = true
  }

  /** True if some pending edit of the layer is not in the result. */
  get losesEdits(): boolean {
    return this.#losesEdits
  }

  list(): MergeConflicts {
    const all = [...this.#known.values()]
    return { count: all.length, conflicts: all.slice(0, conflictsMax) }
  }
}
