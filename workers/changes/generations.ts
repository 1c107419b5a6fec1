// The generations of a file's objects, where they are not 0. The engine resolves references without looking at them, and
// other readers do not: an object that is overridden under another generation is another object to them.
import type { PDFDocument } from 'mupdf'
import { limits } from '../limits.js'
import { decodedBytes } from '../pdf/engine-memory.js'
import { FileBytes } from '../pdf/file-bytes.js'
import type { OpenDocument } from '../pdf/open-document.js'
import { lastSection, previousSection } from '../pdf/revisions.js'
import { orElse } from '../pdf/trap.js'
import { entry, integerOf, isStream, numbersOf } from '../pdf/values.js'

type Generations = Map<number, number>

/** All sections together may be this large: each object takes about twenty bytes in one of them. */
const sectionBytesMax = 256 * 1024 * 1024
/** What is read of a section to see which kind it is. */
const headBytes = 64
/** Numbers of `/Index`: two for each run of objects. */
const runsMax = 1_000_000

/** By object number. A file whose sections cannot be followed has none: it would have had to be repaired. */
export function generationsOf(document: OpenDocument): ReadonlyMap<number, number> {
  document.generations ??= readGenerations(document)
  return document.generations
}

function readGenerations({ origin, pdf }: OpenDocument): ReadonlyMap<number, number> {
  if (origin.path === undefined) return new Map()
  const file = new FileBytes(origin.path)
  try {
    return orElse(new Map(), () => readAll(file, pdf))
  } finally {
    file.close()
  }
}

/** Oldest first, so that the newest has the last word. */
function readAll(file: FileBytes, pdf: PDFDocument): Generations {
  const generations: Generations = new Map()
  let bytesLeft = sectionBytesMax
  for (const offset of sectionsOf(file).toReversed()) {
    const head = file.text(offset, headBytes)
    if (/^\s*xref\b/.test(head)) bytesLeft -= readTable(file, offset, generations)
    else readStream(pdf, head, generations)
    if (bytesLeft < 0) break
  }
  return generations
}

/** Newest first. */
function sectionsOf(file: FileBytes): readonly number[] {
  const sections = new Set<number>()
  let offset = lastSection(file)
  while (offset !== undefined && !sections.has(offset) && sections.size < limits.revisionsMax) {
    sections.add(offset)
    offset = previousSection(file, offset)
  }
  return [...sections]
}

/** Answers how many bytes were read. */
function readTable(file: FileBytes, offset: number, generations: Generations): number {
  const trailer = file.find(/trailer/, { offset, end: file.sizeBytes, lengthMax: 'trailer'.length })
  const table = file.text(offset, Math.min((trailer?.start ?? offset) - offset, sectionBytesMax))
  // Nearly every table there is has only zeros: no need to look at its entries one by one.
  if (generations.size === 0 && !/\d{10} (?!00000)\d{5} n/.test(table)) return table.length
  let number = 0
  for (const [, first, , generation, type] of table.matchAll(/(\d+) (\d+)(?!\d* [nf])\s|\d{10} (\d{5}) ([nf])/g)) {
    if (first !== undefined) number = Number(first)
    else note(generations, number++, type === 'n' ? Number(generation) : 0)
  }
  return table.length
}

const inUse = 1

/** ISO 32000-2, 7.5.8.3: fields of widths that the stream itself says. */
function readStream(pdf: PDFDocument, head: string, generations: Generations): void {
  const stream = pdf.newIndirect(Number(/^\s*(\d+)/.exec(head)?.[1] ?? 0))
  const [typeBytes = 0, placeBytes = 0, generationBytes = 0] = numbersOf(entry(stream, 'W'), 3) ?? []
  if (!isStream(stream) || generationBytes === 0) return
  const index = numbersOf(entry(stream, 'Index'), runsMax) ?? [0, integerOf(entry(stream, 'Size')) ?? 0]
  const bytes = decodedBytes(stream)
  const width = typeBytes + placeBytes + generationBytes
  let at = 0
  for (let run = 0; run + 1 < index.length; run += 2) {
    const [first = 0, count = 0] = index.slice(run, run + 2)
    for (let number = first; number < first + count && at + width <= bytes.length; number++, at += width) {
      const isInUse = typeBytes === 0 || bytes[at + typeBytes - 1] === inUse
      note(generations, number, isInUse ? numberAt(bytes, at + typeBytes + placeBytes, generationBytes) : 0)
    }
  }
}

function numberAt(bytes: Buffer, at: number, width: number): number {
  let value = 0
  for (const byte of bytes.subarray(at, at + width)) value = value * 256 + byte
  return value
}

function note(generations: Generations, number: number, generation: number): void {
  if (generation > 0) generations.set(number, generation)
  else generations.delete(number)
}
