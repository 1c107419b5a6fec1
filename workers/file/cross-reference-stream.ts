// Reads entries of a cross-reference stream (ISO 32000-2, 7.5.8). The stream is never encrypted and is read by offset,
// because its object number may belong to another object by now.
import { constants, inflateSync } from 'node:zlib'
import type { TakeEntry } from './cross-reference-table.js'
import type { FileBytes } from './file-bytes.js'

const headBytes = 64 * 1024
const streamBytesMax = 64 * 1024 * 1024
const decodedBytesMax = 256 * 1024 * 1024
const [inUse, inStream] = [1, 2]

/**
 * Reads a stream and returns its number of bytes; undefined if there is no such stream, or if its encoding is not
 * supported.
 */
export function readCrossReferenceStream(file: FileBytes, offset: number, take: TakeEntry): number | undefined {
  const head = file.text(offset, headBytes)
  const [start, number, generation, dictionary = ''] =
    /^\s*(\d+)\s+(\d+)\s+obj\b([\s\S]*?)\bstream\r?\n/.exec(head) ?? []
  if (start === undefined || !/\/Type\s*\/XRef\b/.test(dictionary)) return undefined
  const widths = numbersAt(dictionary, /\/W\s*\[([\d\s]*)\]/)
  const bytes = decoded(encodedBytes(file, offset + start.length, dictionary), dictionary)
  if (bytes === undefined || widths.length !== 3) return undefined
  const index = numbersAt(dictionary, /\/Index\s*\[([\d\s]*)\]/)
  const runs = index.length > 0 ? index : [0, ...numbersAt(dictionary, /\/Size\s+(\d+)/)]
  takeRuns(bytes, { runs, widths }, take)
  // The entry of the stream for itself is not needed, and some writers get it wrong.
  take(Number(number), offset, Number(generation))
  return bytes.length
}

interface Layout {
  /** First object number and count of each run. */
  readonly runs: readonly number[]
  /** Widths in bytes of the type, offset and generation fields. */
  readonly widths: readonly number[]
}

function takeRuns(bytes: Buffer, { runs, widths }: Layout, take: TakeEntry): void {
  const [typeBytes = 0, placeBytes = 0, generationBytes = 0] = widths
  const width = typeBytes + placeBytes + generationBytes
  let at = 0
  for (let run = 0; run + 1 < runs.length; run += 2) {
    const [first = 0, count = 0] = runs.slice(run, run + 2)
    for (let number = first; width > 0 && number < first + count && at + width <= bytes.length; number++) {
      const type = typeBytes === 0 ? inUse : numberAt(bytes, at, typeBytes)
      const place = numberAt(bytes, at + typeBytes, placeBytes)
      const generation = numberAt(bytes, at + typeBytes + placeBytes, generationBytes)
      if (type === inStream) take(number, 0, generation, place)
      else take(number, type === inUse ? place : 0, generation)
      at += width
    }
  }
}

function numberAt(bytes: Buffer, at: number, width: number): number {
  let value = 0
  for (let index = at; index < at + width; index++) value = value * 256 + (bytes[index] ?? 0)
  return value
}

function numbersAt(text: string, pattern: RegExp): readonly number[] {
  const [, found = ''] = pattern.exec(text) ?? []
  return found.split(/\s+/).filter(Boolean).map(Number)
}

function encodedBytes(file: FileBytes, offset: number, dictionary: string): Buffer {
  const [, direct] = /\/Length\s+(\d{1,15})\b(?!\s+\d+\s+R)/.exec(dictionary) ?? []
  const end = file.sizeBytes
  const length =
    direct === undefined
      ? (file.find(/endstream/, { offset, end, lengthMax: 'endstream'.length })?.start ?? end) - offset
      : Number(direct)
  return Buffer.from(file.text(offset, Math.min(length, streamBytesMax)), 'latin1')
}

function decoded(bytes: Buffer, dictionary: string): Buffer | undefined {
  const [, filter] = /\/Filter\s*\[?\s*\/(\w+)\s*[\]/>\s]/.exec(dictionary) ?? []
  if (filter === undefined) return bytes
  if (filter !== 'FlateDecode') return undefined
  const options = { maxOutputLength: decodedBytesMax, finishFlush: constants.Z_SYNC_FLUSH }
  const plain = inflated(bytes, options)
  const [predictor = 1] = numbersAt(dictionary, /\/Predictor\s+(\d+)/)
  if (plain === undefined || predictor === 1) return plain
  const [columns = 1] = numbersAt(dictionary, /\/Columns\s+(\d+)/)
  return predictor >= 10 && columns > 0 ? withoutPredictors(plain, columns) : undefined
}

/** Reports a stream that inflates beyond the limit as an error of the file, not of this program. */
function inflated(bytes: Buffer, options: { readonly maxOutputLength: number }): Buffer | undefined {
  try {
    return inflateSync(bytes, options)
  } catch {
    return undefined
  }
}

/** Undoes PNG predictors of single bytes (ISO 32000-2, 7.4.4.4): each row begins with its predictor. */
function withoutPredictors(bytes: Buffer, columns: number): Buffer {
  const rows = Math.floor(bytes.length / (columns + 1))
  const plain = Buffer.alloc(rows * columns)
  for (let row = 0; row < rows; row++) {
    const [from, to] = [row * (columns + 1), row * columns]
    const predict = predictors[bytes[from] ?? 0] ?? none
    for (let column = 0; column < columns; column++) {
      const left = column === 0 ? 0 : (plain[to + column - 1] ?? 0)
      const up = row === 0 ? 0 : (plain[to + column - columns] ?? 0)
      const corner = row === 0 || column === 0 ? 0 : (plain[to + column - columns - 1] ?? 0)
      plain[to + column] = (bytes[from + 1 + column] ?? 0) + predict(left, up, corner)
    }
  }
  return plain
}

type Predict = (left: number, up: number, corner: number) => number

const none: Predict = () => 0
const predictors: readonly Predict[] = [
  none,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, corner) => {
    const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
    if (toLeft <= toUp && toLeft <= toCorner) return left
    return toUp <= toCorner ? up : corner
  },
]
