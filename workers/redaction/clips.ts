// Clips in effect while a page is drawn, from the operator or mask that begins each until it is popped: in which parts of
// a region they let content through.
import type { PdfRect } from '../contract/pdf-rect.js'
import { intersection } from '../objects/rectangles.js'

interface Clip {
  /** Parts of the region, by index, in which content may be visible through this clip and those around it. */
  readonly reached: ReadonlySet<number>
  readonly isPicture: boolean
  /** Bounds of what is seen through it and those around it. */
  readonly bounds: PdfRect
}

/** Larger than any page (ISO 32000-2, annex C). */
export const everywhere: PdfRect = { left: -14_400, bottom: -14_400, right: 14_400, top: 14_400 }
export const nowhere: ReadonlySet<number> = new Set()

export class Clips {
  readonly #open: Clip[] = []

  /** `everyPart`: indices of all parts of the region. */
  constructor(private readonly everyPart: ReadonlySet<number>) {}

  get bounds(): PdfRect {
    return this.#open.at(-1)?.bounds ?? everywhere
  }

  get letThrough(): boolean {
    return this.visibleIn(this.everyPart).size > 0
  }

  /** True if content is seen through a stencil picture. */
  get havePicture(): boolean {
    return this.#open.some(({ isPicture }) => isPicture)
  }

  push(parts: ReadonlySet<number>, { isPicture = false, bounds = everywhere } = {}): void {
    this.#open.push({ reached: this.visibleIn(parts), isPicture, bounds: intersection(this.bounds, bounds) })
  }

  pop(): void {
    this.#open.pop()
  }

  /** Returns those of the parts of the region in which all clips let content through. */
  visibleIn(parts: ReadonlySet<number>): ReadonlySet<number> {
    const reached = this.#open.at(-1)?.reached
    if (reached === undefined || parts.size === 0) return parts
    return parts === this.everyPart ? reached : new Set([...parts].filter((part) => reached.has(part)))
  }
}
