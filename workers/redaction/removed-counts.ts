// Counts, by kind, of what a redaction could not divide and removed together with content beside the marks, so that
// clients can have the page reviewed; of text, also what and where it was.
import type { RemovedKind } from '../contract/ops/redactions-apply.js'
import type { PdfRect } from '../contract/pdf-rect.js'

export interface RemovedCount {
  readonly kind: RemovedKind
  readonly count: number
  /** The first characters, for text. */
  readonly characters?: readonly RemovedText[]
}

export interface RemovedText {
  /** Characters beside the marks; empty if the font does not say what they are. */
  readonly text: string
  /** Place of the glyph. */
  readonly rect: PdfRect
}

/** Maximum number of places in an answer. */
const textsMax = 100

export class RemovedWhole {
  readonly #counts = new Map<RemovedKind, number>()
  readonly #texts: RemovedText[] = []

  add(kind: RemovedKind, count = 1): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count)
  }

  addText(removed: RemovedText): void {
    this.add('text')
    if (this.#texts.length < textsMax) this.#texts.push(removed)
  }

  get counts(): readonly RemovedCount[] {
    return [...this.#counts].map(([kind, count]) => ({
      kind,
      count,
      ...(kind === 'text' && { characters: this.#texts }),
    }))
  }
}
