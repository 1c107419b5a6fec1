// Reads a cross-reference stream (ISO 32000-2, 7.5.8). Its rows are decoded when the first entry is read.
import type { Bytes } from '../bytes/bytes.js'
import { decodeFilters, filtersOf } from '../filters/decode-filters.js'
import { NotStrict } from '../strict-document.js'
import { strictLimits } from '../strict-limits.js'
import { parseObject } from '../syntax/parse-object.js'
import type { StrictDictionary, StrictStream, StrictValue } from '../values.js'
import { integerOf, nameOf, ofKind } from '../values-of.js'
import { type NumberRange, orderedRanges, rangeOf } from './ranges.js'
import { type Entry, free, type Section } from './section.js'

const types = { free: 0, file: 1, objectStream: 2 } as const

/**
 * Reads a stream. Offsets in it count from the header, at `origin`. `sizeOfTable`: `/Size` of the trailer that names the
 * stream as the hidden part of a hybrid; Acrobat writes such a stream with a `/Size` of its own that is too small.
 */
export function readStream(source: Bytes, offset: number, origin: number, sizeOfTable = 0): Section {
  const object = parseObject(source, {
    offset,
    limit: source.sizeBytes,
    // No other object can be looked up before this one is read.
    lengthOf: (length) => integerOf(length) ?? -1,
    areRealsRefused: true,
  })
  const stream = ofKind(object.value, 'stream')
  if (object.offset !== offset || stream === undefined || nameOf(stream.dictionary.entries.get('Type')) !== 'XRef') {
    throw new NotStrict('No cross-reference section is at its offset', offset)
  }
  const { ranges, widths } = layoutOf(stream.dictionary, offset, sizeOfTable)
  const rowBytes = widths.reduce((sum, width) => sum + width, 0)
  const rowCount = ranges.reduce((sum, { count }) => sum + count, 0)
  let rows: Uint8Array | undefined
  return {
    offset,
    end: object.end,
    trailer: stream.dictionary,
    ranges,
    entry: (number) => {
      const range = rangeOf(ranges, number)
      if (range === undefined) return undefined
      rows ??= rowsOf(source, stream, { offset, bytes: rowBytes * rowCount })
      const start = (range.position + number - range.first) * rowBytes
      return entryOf(rows.subarray(start, start + rowBytes), { widths, origin, offset })
    },
  }
}

function layoutOf({ entries }: StrictDictionary, offset: number, sizeOfTable: number) {
  const size = integerOf(entries.get('Size'))
  const widths = integersOf(entries.get('W'))
  const index = entries.has('Index') ? integersOf(entries.get('Index')) : [0, size ?? 0]
  const isRight =
    size !== undefined &&
    widths?.length === 3 &&
    widths.every((width) => width >= 0 && width <= 8) &&
    index !== undefined
  if (!isRight || index.length % 2 !== 0 || index.some((number) => number < 0)) {
    throw new NotStrict('The dictionary of a cross-reference stream is malformed', offset)
  }
  if (index.length > 2 * strictLimits.subsectionsMax) throw new NotStrict('Too many subsections', offset)
  let position = 0
  const ranges: NumberRange[] = []
  for (let at = 0; at < index.length; at += 2) {
    const [first = 0, count = 0] = [index[at], index[at + 1]]
    ranges.push({ first, count, position })
    position += count
  }
  return { widths, ranges: orderedRanges(ranges, { size: Math.max(size, sizeOfTable), offset }) }
}

function integersOf(value: StrictValue | undefined): readonly number[] | undefined {
  const numbers = ofKind(value, 'array')?.items.map(integerOf)
  return numbers?.every((number) => number !== undefined) ? numbers : undefined
}

function rowsOf(
  source: Bytes,
  stream: StrictStream,
  { offset, bytes }: { readonly offset: number; readonly bytes: number },
): Uint8Array {
  const direct = (value: StrictValue | undefined): StrictValue => {
    if (ofKind(value, 'reference')) throw new NotStrict('A cross-reference stream refers to another object', offset)
    return value ?? null
  }
  const data = source.slice(stream.offset, stream.length)
  const rows = decodeFilters(data, filtersOf(stream.dictionary, direct), direct)
  if (rows.length !== bytes) throw new NotStrict('A cross-reference stream has a wrong length', offset)
  return rows
}

function entryOf(
  row: Uint8Array,
  { widths, origin, offset }: { readonly widths: readonly number[]; readonly origin: number; readonly offset: number },
): Entry {
  let at = 0
  const [type = 0, second = 0, third = 0] = widths.map((width, field) => {
    const value = row.subarray(at, at + width).reduce((sum, byte) => sum * 256 + byte, 0)
    at += width
    return field === 0 && width === 0 ? types.file : value
  })
  if (type === types.free) return free
  if (type === types.objectStream) return { kind: 'object-stream', stream: second, index: third }
  if (type !== types.file || second === 0 || !Number.isSafeInteger(second) || third > strictLimits.generationMax) {
    throw new NotStrict('An entry of a cross-reference stream is impossible', offset)
  }
  return { kind: 'file', offset: second + origin, generation: third }
}
