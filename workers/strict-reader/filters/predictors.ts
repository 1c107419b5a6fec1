// The predictors of FlateDecode and LZWDecode (ISO 32000-2, 7.4.4.4).
import { NotStrict } from '../strict-document.js'

export interface Prediction {
  readonly predictor: number
  readonly colors: number
  readonly bits: number
  readonly columns: number
}

export function undoPrediction(bytes: Uint8Array, prediction: Prediction): Uint8Array {
  const { predictor, colors, bits, columns } = prediction
  if (predictor === 1) return bytes
  const isSane = colors >= 1 && colors <= 32 && [1, 2, 4, 8, 16].includes(bits) && columns >= 1 && columns < 2 ** 26
  if (!isSane || !(predictor === 2 || (predictor >= 10 && predictor <= 15))) {
    throw new NotStrict('Parameters of a predictor are wrong')
  }
  const pixel = Math.max(1, (colors * bits) >> 3)
  const row = Math.ceil((colors * bits * columns) / 8)
  return predictor === 2 ? undoTiff(bytes, { row, colors, bits }) : undoPng(bytes, { row, pixel })
}

function undoPng(bytes: Uint8Array, { row, pixel }: { readonly row: number; readonly pixel: number }): Uint8Array {
  const rows = bytes.length / (row + 1)
  if (!Number.isInteger(rows)) throw new NotStrict('Data of a PNG predictor is incomplete')
  const decoded = new Uint8Array(rows * row)
  for (let y = 0; y < rows; y++) {
    const from = y * (row + 1) + 1
    const to = y * row
    const undo = pngFilters[bytes[from - 1] ?? -1]
    if (undo === undefined) throw new NotStrict('A PNG predictor is unknown')
    for (let x = 0; x < row; x++) {
      const left = x >= pixel ? (decoded[to + x - pixel] ?? 0) : 0
      const up = y > 0 ? (decoded[to + x - row] ?? 0) : 0
      const corner = y > 0 && x >= pixel ? (decoded[to + x - row - pixel] ?? 0) : 0
      decoded[to + x] = (bytes[from + x] ?? 0) + undo(left, up, corner)
    }
  }
  return decoded
}

const pngFilters: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, corner) => {
    const estimate = left + up - corner
    const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(estimate - value)) as [
      number,
      number,
      number,
    ]
    if (toLeft <= toUp && toLeft <= toCorner) return left
    return toUp <= toCorner ? up : corner
  },
]

function undoTiff(
  bytes: Uint8Array,
  { row, colors, bits }: { readonly row: number; readonly colors: number; readonly bits: number },
): Uint8Array {
  if (bits !== 8) throw new NotStrict('A TIFF predictor of other than 8 bits is not supported')
  if (bytes.length % row !== 0) throw new NotStrict('Data of a TIFF predictor is incomplete')
  const decoded = Uint8Array.from(bytes)
  for (let at = 0; at < decoded.length; at++) {
    if (at % row >= colors) decoded[at] = (decoded[at] ?? 0) + (decoded[at - colors] ?? 0)
  }
  return decoded
}
