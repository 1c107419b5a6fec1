// Encodes rows with PNG predictors (ISO 32000-2, 7.4.4.4), with which photographs compress far better.
import { type SampleLayout, strideOf } from './samples.js'

const average = 3

/** Returns rows that each begin with the number of their predictor. */
export function pngRows(samples: Uint8Array, layout: SampleLayout): Buffer {
  const stride = strideOf(layout)
  const pixel = Math.max(1, (layout.components * layout.bits) >> 3)
  const result = Buffer.alloc((stride + 1) * layout.height)
  const blank = new Uint8Array(stride)
  for (let y = 0; y < layout.height; y++) {
    const row = samples.subarray(y * stride, (y + 1) * stride)
    const above = y === 0 ? blank : samples.subarray((y - 1) * stride, y * stride)
    const at = y * (stride + 1)
    result[at] = average
    for (let x = 0; x < stride; x++) {
      const left = x < pixel ? 0 : (row[x - pixel] ?? 0)
      result[at + 1 + x] = (row[x] ?? 0) - ((left + (above[x] ?? 0)) >> 1)
    }
  }
  return result
}
