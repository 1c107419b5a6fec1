// Cosine transform of JPEG blocks (ITU-T T.81, A.3.3) and its inverse in floating point, used only for edge blocks.
import { blockSide, blockSize, zigzag } from './jpeg-picture.js'

/** Basis functions, indexed by `frequency * 8 + place`. */
const basis = Float64Array.from({ length: blockSize }, (_, index) => {
  const [frequency, place] = [index >> 3, index & 7]
  const scale = frequency === 0 ? Math.SQRT1_2 : 1
  return (scale / 2) * Math.cos(((2 * place + 1) * frequency * Math.PI) / 16)
})

/** Returns samples centred on zero, row by row. */
export function toSamples(coefficients: Int16Array, at: number, quantisation: Uint16Array): Float64Array {
  const block = new Float64Array(blockSize)
  for (let place = 0; place < blockSize; place++)
    block[zigzag[place] ?? 0] = (coefficients[at + place] ?? 0) * (quantisation[place] ?? 1)
  return product(block, (frequency, place) => basis[frequency * blockSide + place] ?? 0)
}

/** Returns quantised coefficients in zigzag order. */
export function fromSamples(samples: Float64Array, quantisation: Uint16Array): readonly number[] {
  const block = product(samples, (place, frequency) => basis[frequency * blockSide + place] ?? 0)
  return zigzag.map((from, place) => Math.round((block[from] ?? 0) / (quantisation[place] ?? 1)))
}

/** Multiplies along rows, then along columns. */
function product(block: Float64Array, weight: (from: number, to: number) => number): Float64Array {
  const [rows, result] = [new Float64Array(blockSize), new Float64Array(blockSize)]
  for (let line = 0; line < blockSide; line++)
    for (let to = 0; to < blockSide; to++)
      for (let from = 0; from < blockSide; from++)
        rows[line * blockSide + to] =
          (rows[line * blockSide + to] ?? 0) + (block[line * blockSide + from] ?? 0) * weight(from, to)
  for (let line = 0; line < blockSide; line++)
    for (let to = 0; to < blockSide; to++)
      for (let from = 0; from < blockSide; from++)
        result[to * blockSide + line] =
          (result[to * blockSide + line] ?? 0) + (rows[from * blockSide + line] ?? 0) * weight(from, to)
  return result
}
