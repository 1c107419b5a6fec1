// Reads the references of all objects of a revision, in the order of their bytes.
import type { Bytes } from '../bytes/bytes.js'
import type { Entry } from '../cross-references/section.js'
import { NotStrict } from '../strict-document.js'
import { strictLimits } from '../strict-limits.js'
import { isRegular, isSpace } from '../syntax/characters.js'
import { GraphBuilder, type ReferenceGraph } from './reference-graph.js'
import { afterRegular, afterSpace, cut, integerIn, malformed, scanReferences, shapes } from './scan-references.js'

type FileEntry = Extract<Entry, { kind: 'file' }>
type StreamEntry = Extract<Entry, { kind: 'object-stream' }>

export interface ReferenceSource {
  readonly source: Bytes
  /** End of the revision. */
  readonly end: number
  /** Entries in force, by object number. */
  readonly entries: Iterable<readonly [number, Entry]>
  /** Decoded bytes of an object in an object stream; throws `NotStrict`. */
  memberBytes(number: number, entry: StreamEntry): Uint8Array
}

/** Throws `NotStrict` for a file with too many objects or references. */
export function readReferences({ source, end, entries, memberBytes }: ReferenceSource): ReferenceGraph {
  const graph = new GraphBuilder()
  const inFile: [number, FileEntry][] = []
  const inStreams: [number, StreamEntry][] = []
  for (const [number, entry] of entries) {
    if (entry.kind === 'file') inFile.push([number, entry])
    else if (entry.kind === 'object-stream') inStreams.push([number, entry])
  }
  inFile.sort(([, one], [, other]) => one.offset - other.offset)
  inStreams.sort(([, one], [, other]) => one.stream - other.stream || one.index - other.index)
  const pieces = new Pieces(source, end)
  for (const [number, entry] of inFile) readInFile(graph, pieces, number, entry)
  for (const [number, entry] of inStreams) {
    const members = graph.members.get(entry.stream) ?? []
    graph.members.set(entry.stream, members)
    members.push(number)
    try {
      const bytes = memberBytes(number, entry)
      addReferences(graph, number, { bytes, from: 0, to: bytes.length, isWhole: true })
    } catch (error) {
      if (!(error instanceof NotStrict)) throw error
      graph.unreadable.add(number)
    }
  }
  return graph.build()
}

/** Piece of the file that begins at an object or before it. */
class Pieces {
  bytes: Uint8Array = new Uint8Array()
  start = 0

  constructor(
    readonly source: Bytes,
    readonly end: number,
  ) {}

  /** True if the piece contains the byte at an offset and some bytes after it. */
  has(offset: number): boolean {
    return offset >= this.start && offset < this.start + this.bytes.length
  }

  /** Reads a piece that begins one byte before an offset. */
  load(offset: number, length: number): void {
    this.start = Math.max(0, offset - 1)
    this.bytes = this.source.slice(this.start, Math.min(length, this.end - this.start))
  }
}

/**
 * Reads the references of an object in the file. If the piece ends before the object does, a piece that begins at the
 * object is read, and then one twice as long, until the object fits.
 */
function readInFile(graph: GraphBuilder, pieces: Pieces, number: number, entry: FileEntry): void {
  if (entry.offset >= pieces.end) {
    graph.unreadable.add(number)
    return
  }
  const edges = graph.count
  let length = strictLimits.pieceBytes
  if (!pieces.has(entry.offset)) pieces.load(entry.offset, length)
  for (;;) {
    const { bytes, start } = pieces
    const from = valueStart(bytes, entry.offset - start, { number, generation: entry.generation })
    const end = from < 0 ? from : addReferences(graph, number, { bytes, from, to: bytes.length, isWhole: false })
    if (end === malformed) graph.unreadable.add(number)
    if (end !== cut) return
    // The references that were found before the cut will be found again.
    graph.cutTo(edges)
    const isAll = start + bytes.length >= pieces.end || bytes.length > strictLimits.objectBytesMax
    if (isAll && start === entry.offset - 1) {
      graph.unreadable.add(number)
      return
    }
    if (start === entry.offset - 1) length *= 2
    pieces.load(entry.offset, length)
  }
}

function addReferences(graph: GraphBuilder, number: number, piece: Parameters<typeof scanReferences>[0]): number {
  const { end, shape } = scanReferences(piece, (target, isStructural) => {
    if (target < strictLimits.objectNumbersMax) graph.add(number, target, isStructural)
    else graph.unreadable.add(number)
    if (graph.count > strictLimits.edgesMax) throw new NotStrict('The file has too many references')
  })
  if (end === malformed) graph.unreadable.add(number)
  if (shape !== shapes.other) graph.setShape(number, shape)
  return end
}

/**
 * Returns the offset of the value behind `N G obj`; `malformed` if another object is there, `cut` if bytes are missing.
 */
function valueStart(
  bytes: Uint8Array,
  offset: number,
  { number, generation }: { readonly number: number; readonly generation: number },
): number {
  const to = bytes.length
  if (offset > 0 && isRegular(bytes[offset - 1] ?? 0) && !isSpace(bytes[offset] ?? 0)) return malformed
  let at = offset
  for (const expected of [number, generation]) {
    const start = afterSpace(bytes, at, to)
    at = afterRegular(bytes, start, to)
    if (at >= to) return cut
    if (integerIn(bytes, start, at) !== expected) return malformed
  }
  const start = afterSpace(bytes, at, to)
  at = afterRegular(bytes, start, to)
  if (at >= to) return cut
  return Buffer.from(bytes.subarray(start, at)).toString('latin1') === 'obj' ? at : malformed
}
