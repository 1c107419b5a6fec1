// The tiling patterns of one content stream, by name, without what lies under marks.
import type { PDFObject } from 'mupdf'
import { isTiling } from './tiling-patterns.js'
import type { UsedResources } from './used-resources.js'

export interface SiftedPattern {
  readonly left: PDFObject
  /** True if the cell has what lies under marks, because it shows that beside the marks too. */
  readonly isWhole: boolean
}

export class SiftedPatterns {
  /** Names of the patterns that are left, by that of the whole one. */
  readonly #names = new Map<string, string>()
  readonly #left = new Set<string>()

  constructor(
    private readonly used: UsedResources,
    private readonly sift: (pattern: PDFObject) => SiftedPattern,
  ) {}

  /** Returns the name of what is left of a pattern: its own if that is all, or if it has no cell. */
  nameOf(name: string): string {
    const left = this.#names.get(name) ?? this.#sifted(name)
    this.#names.set(name, left)
    return left
  }

  /** True for a pattern in whose cell nothing is left that is under a mark. */
  has(name: string): boolean {
    return this.#left.has(name)
  }

  #sifted(whole: string): string {
    const pattern = this.used.find('Pattern', whole)
    if (!isTiling(pattern)) return whole
    const { left, isWhole } = this.sift(pattern)
    const name = left === pattern ? whole : this.used.add('Pattern', left)
    if (!isWhole) this.#left.add(name)
    return name
  }
}
