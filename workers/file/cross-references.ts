// Determines object offsets from the bytes of all cross-reference sections, newest entry per object number. The engine
// does not expose the offsets that it read.
import { limits } from '../limits.js'
import { readCrossReferenceStream } from './cross-reference-stream.js'
import { readCrossReferenceTable, type TakeEntry, type Trailer, trailerOf } from './cross-reference-table.js'
import type { FileBytes } from './file-bytes.js'
import { lastSection, previousSection } from './revisions.js'

/** Maximum size of all sections together: each object takes about twenty bytes in one of them. */
const sectionBytesMax = 256 * 1024 * 1024

export class CrossReferences {
  /** Offsets from the beginning of the file; negative numbers of object streams for the objects within them. */
  #offsets = new Float64Array(1024)
  #generations = new Uint16Array(1024)
  #size = 0

  /** Highest object number plus one. */
  get size(): number {
    return this.#size
  }

  /** Returns the offset from the beginning of the file; 0 for an object that is free or within an object stream. */
  offsetOf(number: number): number {
    return Math.max(0, this.#offsets[number] ?? 0)
  }

  /** Returns the number of the object stream that contains the object; undefined if none does. */
  containerOf(number: number): number | undefined {
    const place = this.#offsets[number] ?? 0
    return place < 0 ? -place : undefined
  }

  generationOf(number: number): number {
    return this.#generations[number] ?? 0
  }

  readonly take: TakeEntry = (number, offset, generation, container = 0) => {
    if (number > limits.objectNumberMax) return
    if (number >= this.#offsets.length) this.#grow(number)
    this.#size = Math.max(this.#size, number + 1)
    this.#offsets[number] = offset === 0 ? -container : offset
    this.#generations[number] = offset === 0 ? 0 : generation
  }

  #grow(number: number): void {
    const length = Math.max(number + 1, this.#offsets.length * 2)
    const [offsets, generations] = [new Float64Array(length), new Uint16Array(length)]
    offsets.set(this.#offsets)
    generations.set(this.#generations)
    this.#offsets = offsets
    this.#generations = generations
  }
}

/** Reads the sections; undefined if they cannot be followed. The engine repairs such a file when it opens it. */
export function crossReferencesOf(file: FileBytes): CrossReferences | undefined {
  const references = new CrossReferences()
  let bytesLeft = sectionBytesMax
  // Sections are applied oldest first, so that the newest entry prevails.
  for (const offset of sectionsOf(file).toReversed()) {
    const section = readSection(file, offset, references)
    if (section === undefined) return undefined
    bytesLeft -= section
    if (bytesLeft < 0) return undefined
  }
  return references
}

/**
 * Returns the numbers in the sections after an offset, if the newest section before it is `before`; undefined if the
 * chain leads elsewhere. This is for a file that consists of another file and further sections.
 */
export function numbersAfter(
  file: FileBytes,
  { offset, before }: { readonly offset: number; readonly before: number },
): ReadonlySet<number> | undefined {
  const numbers = new Set<number>()
  const sections = sectionsOf(file)
  const first = sections.indexOf(before)
  const behind = sections.slice(0, first)
  if (first < 0 || behind.some((section) => section < offset)) return undefined
  const references = { take: (number: number) => void numbers.add(number) }
  for (const section of behind) if (readSection(file, section, references) === undefined) return undefined
  return numbers
}

/** Returns section offsets, newest first. */
function sectionsOf(file: FileBytes): readonly number[] {
  const sections = new Set<number>()
  let offset = lastSection(file)
  while (offset !== undefined && !sections.has(offset) && sections.size < limits.revisionsMax) {
    sections.add(offset)
    offset = previousSection(file, offset)
  }
  return [...sections]
}

interface EntryTaker {
  readonly take: TakeEntry
}

/** Returns the number of bytes read. */
function readSection(file: FileBytes, offset: number, references: EntryTaker): number | undefined {
  if (!/^\s*xref\b/.test(file.text(offset, 32))) {
    return readCrossReferenceStream(file, offset, references.take)
  }
  const trailer = trailerOf(file, offset)
  if (trailer?.stream === undefined) return trailer && readCrossReferenceTable(file, trailer, references.take)
  return readHybrid(file, trailer, references)
}

/**
 * Reads the stream of a hybrid section, which may contain objects that the table lists as free (ISO 32000-2, 7.5.8.4).
 */
function readHybrid(file: FileBytes, trailer: Trailer, references: EntryTaker): number | undefined {
  const inStream = new Set<number>()
  const streamBytes = readCrossReferenceStream(file, trailer.stream ?? 0, (number, ...entry) => {
    inStream.add(number)
    references.take(number, ...entry)
  })
  const tableBytes = readCrossReferenceTable(file, trailer, (number, offset, generation) => {
    if (offset > 0 || !inStream.has(number)) references.take(number, offset, generation)
  })
  return streamBytes === undefined || tableBytes === undefined ? undefined : streamBytes + tableBytes
}
