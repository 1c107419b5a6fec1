// Reads numbers as an object of a file has them written: the engine stores single precision, so that 41.732283 would become
// 41.73228 in an object that is written again.
import type { PDFDocument } from 'mupdf'
import { streamBytes } from '../objects/streams.js'
import { entry, integerOf } from '../objects/values.js'
import type { CrossReferences } from './cross-references.js'
import { FileBytes } from './file-bytes.js'

/** Longer objects are not read: their numbers are written as the engine prints them. */
const objectBytesMax = 4 * 1024 * 1024
const windowBytes = 16 * 1024
const containerBytesMax = 16 * 1024 * 1024

/** Returns the numbers in an object, in order; none if the object is not in the file, or too long. */
export type ReadNumbers = (number: number) => readonly string[]

/** `pdf`: the file at the path, opened. */
export function readNumbersIn(path: string, pdf: PDFDocument, references: CrossReferences): ReadNumbers {
  const inStreams = new Map<number, ReadonlyMap<number, string>>()
  return (number) => {
    const container = references.containerOf(number)
    if (container !== undefined) {
      const members = inStreams.get(container) ?? membersOf(pdf, container)
      inStreams.set(container, members)
      return numbersIn(members.get(number) ?? '').numbers
    }
    const offset = references.offsetOf(number)
    return offset === 0 ? [] : numbersAt(path, offset)
  }
}

function numbersAt(path: string, offset: number): readonly string[] {
  const file = new FileBytes(path)
  try {
    for (let length = windowBytes; length <= objectBytesMax; length *= 4) {
      const { numbers, isWhole } = numbersIn(file.text(offset, length))
      if (isWhole || offset + length >= file.sizeBytes) return numbers
    }
    return []
  } finally {
    file.close()
  }
}

/** Returns the texts of the objects in an object stream (ISO 32000-2, 7.5.7), by number. */
function membersOf(pdf: PDFDocument, container: number): ReadonlyMap<number, string> {
  const stream = pdf.newIndirect(container)
  const [count, first] = [integerOf(entry(stream, 'N')) ?? 0, integerOf(entry(stream, 'First')) ?? 0]
  const text = Buffer.from(streamBytes(stream, containerBytesMax) ?? []).toString('latin1')
  const head = text.slice(0, first).trim().split(/\s+/).map(Number)
  const places = Array.from({ length: Math.min(count, head.length >> 1) }, (_, index) => ({
    number: head[2 * index] ?? 0,
    offset: first + (head[2 * index + 1] ?? 0),
  })).toSorted((one, other) => one.offset - other.offset)
  return new Map(places.map(({ number, offset }, index) => [number, text.slice(offset, places[index + 1]?.offset)]))
}

interface FoundNumbers {
  readonly numbers: readonly string[]
  /** True if the text contains the object up to its end, or up to the data of its stream. */
  readonly isWhole: boolean
}

const token = /%[^\r\n]*|<[0-9A-Fa-f\s]+>|\/[^\s()<>[\]{}/%]*|[()]|[^\s()<>[\]{}/%]+/g

/** Returns the numbers in the text of an object, without those of references. */
export function numbersIn(text: string): FoundNumbers {
  const numbers: string[] = []
  token.lastIndex = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found] = match
    if (found === '(') token.lastIndex = stringEnd(text, match.index)
    else if (found === 'endobj' || found === 'stream') return { numbers, isWhole: true }
    else if (found === 'obj') numbers.length = 0
    else if (found === 'R') numbers.length = Math.max(0, numbers.length - 2)
    else if (/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(found)) numbers.push(found)
  }
  return { numbers, isWhole: false }
}

/** Returns the offset after the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return text.length
}
