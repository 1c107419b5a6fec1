// Stored samples of a picture (ISO 32000-2, 8.9.3): rows of whole bytes, most significant bit first.
import type { PixelArea } from './pixel-area.js'

export interface SampleLayout {
  readonly width: number
  readonly height: number
  readonly components: number
  readonly bits: number
}

export const strideOf = ({ width, components, bits }: SampleLayout): number =>
  Math.ceil((width * components * bits) / 8)
export const bytesOf = (layout: SampleLayout): number => strideOf(layout) * layout.height

/** `codes`: sample code of each component. */
export function blankSamples(
  samples: Uint8Array,
  layout: SampleLayout,
  area: PixelArea,
  codes: readonly number[],
): void {
  const { components, bits } = layout
  const stride = strideOf(layout)
  const pixel = pixelOf(codes, bits)
  for (let y = area.top; y < area.end; y++) {
    for (const { from, to } of area.runsOf(y)) {
      if (bits >= 8) fill(samples, y * stride + from * pixel.length, y * stride + to * pixel.length, pixel)
      else for (let x = from; x < to; x++) putSmall(samples, y * stride, x * components, codes, bits)
    }
  }
}

const pixelOf = (codes: readonly number[], bits: number): readonly number[] =>
  bits === 16 ? codes.flatMap((code) => [code >> 8, code & 0xff]) : codes

function fill(samples: Uint8Array, from: number, to: number, pixel: readonly number[]): void {
  if (pixel.every((byte) => byte === pixel[0])) samples.fill(pixel[0] ?? 0, from, to)
  else for (let at = from; at < to; at++) samples[at] = pixel[(at - from) % pixel.length] ?? 0
}

function putSmall(samples: Uint8Array, row: number, first: number, codes: readonly number[], bits: number): void {
  for (const [index, code] of codes.entries()) {
    const bit = (first + index) * bits
    const [at, shift] = [row + (bit >> 3), 8 - bits - (bit & 7)]
    samples[at] = ((samples[at] ?? 0) & ~(((1 << bits) - 1) << shift)) | (code << shift)
  }
}

/** Returns the picture at a higher resolution, each pixel repeated. */
export function repeated(samples: Uint8Array, layout: SampleLayout, wide: number, high: number) {
  const larger = { ...layout, width: layout.width * wide, height: layout.height * high }
  const [from, to] = [strideOf(layout), strideOf(larger)]
  const result = Buffer.alloc(to * larger.height)
  for (let y = 0; y < layout.height; y++) {
    const row = result.subarray(y * high * to, (y * high + 1) * to)
    if (wide === 1) row.set(samples.subarray(y * from, (y + 1) * from))
    else widen(samples.subarray(y * from, (y + 1) * from), row, layout, wide)
    for (let more = 1; more < high; more++)
      result.copyWithin((y * high + more) * to, y * high * to, (y * high + 1) * to)
  }
  return { samples: result, layout: larger }
}

function widen(row: Uint8Array, wider: Uint8Array, { width, components, bits }: SampleLayout, wide: number): void {
  const bytes = (components * bits) / 8
  for (let x = 0; x < width; x++) {
    if (bits >= 8) {
      const pixel = row.subarray(x * bytes, (x + 1) * bytes)
      for (let more = 0; more < wide; more++) wider.set(pixel, (x * wide + more) * bytes)
      continue
    }
    const codes = Array.from({ length: components }, (_, index) => small(row, x * components + index, bits))
    for (let more = 0; more < wide; more++) putSmall(wider, 0, (x * wide + more) * components, codes, bits)
  }
}

function small(row: Uint8Array, index: number, bits: number): number {
  const bit = index * bits
  return ((row[bit >> 3] ?? 0) >> (8 - bits - (bit & 7))) & ((1 << bits) - 1)
}
