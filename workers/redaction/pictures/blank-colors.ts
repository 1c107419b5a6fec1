// Colours of blank pixels, read back from each blanked picture, for the check of what remains under marks.
import type { Pixels } from '../../engine/engine-memory.js'
import type { PixelArea } from './pixel-area.js'

/**
 * Permitted differences from a blank colour, in levels of 256, for lossy pictures only: in brightness, and in any one
 * channel. Chroma is often stored for every second pixel, and some readers blend a whole block into its neighbours.
 */
const [brightnessTolerance, channelTolerance] = [16, 64]
const brightness: readonly number[] = [0.299, 0.587, 0.114]

export class BlankColors {
  readonly #colors = new Map<string, readonly number[]>()
  #isLossy = false

  /** Adds the colours of a blanked picture as the engine renders it. */
  learn(pixels: Pixels, area: PixelArea, isLossy: boolean): void {
    const inner = isLossy ? area.inner() : area
    const at = firstOf(inner.isEmpty ? area : inner, pixels)
    if (at === undefined) return
    const color = [...pixels.samples.subarray(at, at + pixels.components)]
    this.#colors.set(color.join(' '), color)
    this.#isLossy ||= isLossy
  }

  /** Returns whether every pixel in the area matches a blank colour. */
  cover(pixels: Pixels, area: PixelArea): boolean {
    const at = firstOf(area, pixels)
    if (at === undefined) return true
    const color = pixels.samples.subarray(at, at + pixels.components)
    if (this.#colors.has(color.join(' ')) && isAll(pixels, area, (at) => isEqual(pixels, at, color))) return true
    if (!this.#isLossy) return false
    const inner = area.inner()
    return [...this.#colors.values()].some(
      (blank) => blank.length === pixels.components && isAll(pixels, inner, (at) => isAlike(pixels, at, blank)),
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

function isAll({ stride, components }: Pixels, area: PixelArea, isBlank: (at: number) => boolean): boolean {
  for (let y = area.top; y < area.end; y++) {
    for (const { from, to } of area.runsOf(y)) {
      const end = y * stride + to * components
      for (let at = y * stride + from * components; at < end; at += components) if (!isBlank(at)) return false
    }
  }
  return true
}

function isEqual({ samples, components }: Pixels, at: number, color: Readonly<ArrayLike<number>>): boolean {
  for (let one = 0; one < components; one++) if (samples[at + one] !== color[one]) return false
  return true
}

function isAlike(pixels: Pixels, at: number, color: readonly number[]): boolean {
  if (isEqual(pixels, at, color)) return true
  const differences = color.map((wanted, one) => (pixels.samples[at + one] ?? 0) - wanted)
  if (differences.some((difference) => Math.abs(difference) > channelTolerance)) return false
  const [colors, rest] = color.length < 3 ? [[], differences] : [differences.slice(0, 3), differences.slice(3)]
  const all = colors.reduce((sum, difference, one) => sum + difference * (brightness[one] ?? 0), 0)
  return [all, ...rest].every((difference) => Math.abs(difference) <= brightnessTolerance)
}
