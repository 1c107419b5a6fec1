// Reads the references of all objects of a file, those of earlier revisions included, in the order of their bytes.
import type { Bytes } from '../bytes/bytes.js'
import type { Entry } from '../cross-references/section.js'
import { NotStrict } from '../strict-document.js'
import { strictLimits } from '../strict-limits.js'
import { isRegular, isSpace } from '../syntax/characters.js'
import { GraphBuilder } from './graph-builder.js'
import type { ReferenceGraph } from './reference-graph.js'
import {
  afterRegular,
  afterSpace,
  cut,
  integerIn,
  malformed,
  ReferenceScanner,
  type ScannedBytes,
  shapes,
} from './scan-references.js'

type FileEntry = Extract<Entry, { kind: 'file' }>
type StreamEntry = Extract<Entry, { kind: 'object-stream' }>

export interface ListedEntry<Kind extends Entry = Entry> {
  readonly number: number
  readonly entry: Kind
  /** Index and end of the revision whose section lists the entry. */
  readonly revision: number
  readonly end: number
}

export interface ReferenceSource {
  readonly source: Bytes
  /** Entries that the sections of any revision list. */
  readonly entries: Iterable<ListedEntry>
  /** Decoded bytes of an object in an object stream; throws `NotStrict`. */
  memberBytes(listed: ListedEntry<StreamEntry>): Uint8Array
}

/** Throws `NotStrict` for a file with too many objects or references. */
export function readReferences({ source, entries, memberBytes }: ReferenceSource): ReferenceGraph {
  const graph = new GraphBuilder()
  const reader = new ReferenceReader(source, graph)
  const inFile: ListedEntry<FileEntry>[] = []
  const inStreams: ListedEntry<StreamEntry>[] = []
  for (const listed of entries) {
    if (isInFile(listed)) inFile.push(listed)
    else if (isInStream(listed)) inStreams.push(listed)
    if (inFile.length + inStreams.length > strictLimits.listedMax) throw new NotStrict('The file has too many objects')
  }
  inFile.sort((one, other) => one.entry.offset - other.entry.offset || one.number - other.number || one.end - other.end)
  inFile.forEach((listed, index) => {
    if (!isSameObject(listed, inFile[index - 1])) reader.readInFile(listed)
  })
  inStreams.sort(
    (one, other) => one.entry.stream - other.entry.stream || one.end - other.end || one.entry.index - other.entry.index,
  )
  for (const listed of inStreams) {
    graph.addMember(listed.entry.stream, listed.number)
    try {
      reader.readMember(listed.number, memberBytes(listed))
    } catch (error) {
      if (!(error instanceof NotStrict)) throw error
      graph.unreadable.add(listed.number)
    }
  }
  return graph.build()
}

const isInFile = (listed: ListedEntry): listed is ListedEntry<FileEntry> => listed.entry.kind === 'file'
const isInStream = (listed: ListedEntry): listed is ListedEntry<StreamEntry> => listed.entry.kind === 'object-stream'

/** True if a later revision lists the very same object again. */
const isSameObject = ({ number, entry }: ListedEntry<FileEntry>, other: ListedEntry<FileEntry> | undefined): boolean =>
  other?.number === number && other.entry.offset === entry.offset && other.entry.generation === entry.generation

class ReferenceReader {
  readonly #scanner: ReferenceScanner
  /** Piece of the file that begins at an object or before it. */
  #bytes: Uint8Array = new Uint8Array()
  #start = 0
  /** Object that is being scanned. */
  #number = 0

  constructor(
    private readonly source: Bytes,
    private readonly graph: GraphBuilder,
  ) {
    this.#scanner = new ReferenceScanner((target, isStructural) => this.#add(target, isStructural))
  }

  readMember(number: number, bytes: Uint8Array): void {
    this.#scan(number, { bytes, from: 0, to: bytes.length, isWhole: true })
  }

  readInFile({ number, entry: { offset, generation }, end: limit }: ListedEntry<FileEntry>): void {
    if (offset >= limit) {
      this.graph.unreadable.add(number)
      return
    }
    const { count } = this.graph
    let length = strictLimits.pieceBytes
    if (offset < this.#start || offset >= this.#start + this.#bytes.length) this.#load(offset, length)
    for (;;) {
      const bytes = this.#bytes
      const to = Math.min(bytes.length, limit - this.#start)
      const from = valueStart(bytes, offset - this.#start, { to, number, generation })
      const end = from < 0 ? from : this.#scan(number, { bytes, from, to, isWhole: false })
      if (end === malformed) this.graph.unreadable.add(number)
      if (end !== cut) return
      this.graph.cutTo(count)
      const isFirst = this.#start === offset - 1 || this.#start === offset
      const isAll = this.#start + bytes.length >= limit || bytes.length > strictLimits.objectBytesMax
      if (isAll && isFirst) {
        this.graph.unreadable.add(number)
        return
      }
      if (isFirst) length *= 2
      this.#load(offset, length)
    }
  }

  /** Reads a piece that begins one byte before an offset. */
  #load(offset: number, length: number): void {
    this.#start = Math.max(0, offset - 1)
    this.#bytes = this.source.slice(this.#start, Math.min(length, this.source.sizeBytes - this.#start))
  }

  #scan(number: number, piece: ScannedBytes): number {
    this.#number = number
    const end = this.#scanner.scan(piece)
    if (end === malformed) this.graph.unreadable.add(number)
    if (this.#scanner.shape !== shapes.other) this.graph.setShape(number, this.#scanner.shape)
    return end
  }

  #add(target: number, isStructural: boolean): void {
    if (target < strictLimits.objectNumbersMax) this.graph.add(this.#number, target, isStructural)
    else this.graph.unreadable.add(this.#number)
    if (this.graph.count > strictLimits.edgesMax) throw new NotStrict('The file has too many references')
  }
}

/**
 * Returns the offset of the value behind `N G obj`; `malformed` if another object is there, `cut` if bytes are missing.
 */
function valueStart(
  bytes: Uint8Array,
  offset: number,
  { to, number, generation }: { readonly to: number; readonly number: number; readonly generation: number },
): number {
  if (offset > 0 && isRegular(bytes[offset - 1] ?? 0) && !isSpace(bytes[offset] ?? 0)) return malformed
  const afterNumber = afterInteger(bytes, offset, { to, expected: number })
  if (afterNumber < 0) return afterNumber
  const afterGeneration = afterInteger(bytes, afterNumber, { to, expected: generation })
  if (afterGeneration < 0) return afterGeneration
  const start = afterSpace(bytes, afterGeneration, to)
  const end = afterRegular(bytes, start, to)
  if (end >= to) return cut
  const isKeyword = end === start + 3 && bytes[start] === 0x6f && bytes[start + 1] === 0x62 && bytes[start + 2] === 0x6a
  return isKeyword ? end : malformed
}

function afterInteger(
  bytes: Uint8Array,
  from: number,
  { to, expected }: { readonly to: number; readonly expected: number },
): number {
  const start = afterSpace(bytes, from, to)
  const end = afterRegular(bytes, start, to)
  if (end >= to) return cut
  return integerIn(bytes, start, end) === expected ? end : malformed
}
