// The tiling patterns of one content stream, by name, without what lies under marks.
import type { PDFObject } from 'mupdf'
import { isTiling } from './tiling-patterns.js'
import type { UsedResources } from './used-resources.js'

export class SiftedPatterns {
  /** Names of the patterns that are left, by that of the whole one. */
  readonly #names = new Map<string, string>()
  readonly #left = new Set<string>()

  constructor(
    private readonly used: UsedResources,
    /** Returns what is left of a pattern; undefined if its cell shows what is under a mark beside the marks too. */
    private readonly sift: (pattern: PDFObject) => PDFObject | undefined,
  ) {}

  /** Returns the name of what is left of a pattern: its own if that is all, or if it cannot be told. */
  nameOf(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const left = this.#sifted(name)
    if (left !== undefined) this.#left.add(left)
    this.#names.set(name, left ?? name)
    return left ?? name
  }

  /** True for a pattern in whose cell nothing is left that is under a mark. */
  has(name: string): boolean {
    return this.#left.has(name)
  }

  #sifted(name: string): string | undefined {
    const whole = this.used.find('Pattern', name)
    const left = isTiling(whole) ? this.sift(whole) : undefined
    return left === undefined || left === whole ? left && name : this.used.add('Pattern', left)
  }
}
