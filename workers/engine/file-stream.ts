// A file that mupdf reads piece by piece directly into its own memory, so that opening does not copy the bytes. The
// changes of a layer are read as if they followed the file's last byte.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Stream } from 'mupdf'
import { mupdf } from './library.js'

/** Bytes in memory, or a range of a file. */
export type Piece = Uint8Array | FileSlice

export interface FileSlice {
  readonly path: string
  readonly offset: number
  readonly length: number
}

/** Reads up to `length` bytes of one piece from `position` within it; returns the number of bytes copied. */
interface Segment {
  readonly start: number
  readonly end: number
  read(memory: Uint8Array, offset: number, length: number, position: number): number
}

/**
 * Opens a stream. mupdf closes the files when the last document over the stream is destroyed; the caller destroys the
 * stream itself.
 */
export function fileStream(path: string, behind: readonly Piece[] = []): Stream {
  const files = new OpenFiles()
  try {
    const segments = segmentsOf([{ path, offset: 0, length: files.sizeOf(path) }, ...behind], files)
    const sizeBytes = segments.at(-1)?.end ?? 0
    return new mupdf.Stream({
      fileSize: () => sizeBytes,
      close: () => files.close(),
      read(memory, offset, length, position) {
        const segment = segmentAt(segments, position)
        if (segment === undefined) return 0
        return segment.read(memory, offset, Math.min(length, segment.end - position), position - segment.start)
      },
    })
  } catch (error) {
    files.close()
    throw error
  }
}

export const lengthOf = (piece: Piece): number => piece.length

function segmentsOf(pieces: readonly Piece[], files: OpenFiles): readonly Segment[] {
  let end = 0
  return pieces
    .filter((piece) => lengthOf(piece) > 0)
    .map((piece) => {
      const start = end
      end += lengthOf(piece)
      return { start, end, read: piece instanceof Uint8Array ? fromMemory(piece) : files.reader(piece) }
    })
}

const fromMemory =
  (bytes: Uint8Array): Segment['read'] =>
  (memory, offset, length, position) => {
    memory.set(bytes.subarray(position, position + length), offset)
    return length
  }

function segmentAt(segments: readonly Segment[], position: number): Segment | undefined {
  let [low, high] = [0, segments.length - 1]
  while (low <= high) {
    const middle = (low + high) >>> 1
    const segment = segments[middle]
    if (segment === undefined) return undefined
    if (position < segment.start) high = middle - 1
    else if (position >= segment.end) low = middle + 1
    else return segment
  }
  return undefined
}

/** Opens every file once, however many pieces it has. */
class OpenFiles {
  readonly #descriptors = new Map<string, number>()

  sizeOf(path: string): number {
    return fstatSync(this.#descriptorOf(path)).size
  }

  reader({ path, offset: start }: FileSlice): Segment['read'] {
    const descriptor = this.#descriptorOf(path)
    return (memory, offset, length, position) => readSync(descriptor, memory, offset, length, start + position)
  }

  close(): void {
    for (const descriptor of this.#descriptors.values()) closeSync(descriptor)
    this.#descriptors.clear()
  }

  #descriptorOf(path: string): number {
    const known = this.#descriptors.get(path)
    if (known !== undefined) return known
    const opened = openSync(path, 'r')
    this.#descriptors.set(path, opened)
    return opened
  }
}

/** Returns the first bytes of a file, at most `bytesMax`. */
export function headOf(path: string, bytesMax: number): Uint8Array {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(bytesMax)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytesMax, 0))
  } finally {
    closeSync(descriptor)
  }
}
