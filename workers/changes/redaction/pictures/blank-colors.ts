// What blank pixels look like: read back from each picture that was blanked, for whoever judges what is left under marks.
import type { Pixels } from '../../../pdf/engine-memory.js'
import type { PixelArea } from './pixel-area.js'

/** Levels, of 256, by which photographs differ from what was meant; and no others. */
const lossyTolerance = 8

export class BlankColors {
  readonly #colors = new Map<string, readonly number[]>()
  #isLossy = false

  /** A picture that was blanked, as the engine shows it. */
  learn(pixels: Pixels, area: PixelArea, isLossy: boolean): void {
    const inner = isLossy ? area.inner() : area
    const at = firstOf(inner.isEmpty ? area : inner, pixels)
    if (at === undefined) return
    const color = [...pixels.samples.subarray(at, at + pixels.components)]
    this.#colors.set(color.join(' '), color)
    this.#isLossy ||= isLossy
  }

  /** Everything in the area looks like one of the blank colours. */
  cover(pixels: Pixels, area: PixelArea): boolean {
    const at = firstOf(area, pixels)
    if (at === undefined) return true
    const color = pixels.samples.subarray(at, at + pixels.components)
    if (this.#colors.has(color.join(' ')) && isAll(pixels, area, [...color], 0)) return true
    if (!this.#isLossy) return false
    const inner = area.inner()
    return [...this.#colors.values()].some(
      (blank) => blank.length === pixels.components && isAll(pixels, inner, blank, lossyTolerance),
    )
  }
}

function firstOf(area: PixelArea, { stride, components }: Pixels): number | undefined {
  for (let y = area.top; y < area.end; y++) {
    const [run] = area.runsOf(y)
    if (run !== undefined) return y * stride + run.from * components
  }
  return undefined
}

function isAll(
  { samples, stride, components }: Pixels,
  area: PixelArea,
  color: readonly number[],
  tolerance: number,
): boolean {
  for (let y = area.top; y < area.end; y++) {
    for (const { from, to } of area.runsOf(y)) {
      const end = y * stride + to * components
      for (let at = y * stride + from * components; at < end; at += components)
        for (let one = 0; one < components; one++)
          if (Math.abs((samples[at + one] ?? 0) - (color[one] ?? 0)) > tolerance) return false
    }
  }
  return true
}
