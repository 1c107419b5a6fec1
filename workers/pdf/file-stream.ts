// A file that mupdf reads by itself, piece by piece, straight into its own memory: opening costs no copy of the bytes.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Stream } from 'mupdf'
import { mupdf } from './library.js'

/** mupdf closes the file when the last document over the stream is destroyed; the caller destroys the stream itself. */
export function fileStream(path: string): Stream {
  const descriptor = openSync(path, 'r')
  const sizeBytes = fstatSync(descriptor).size
  return new mupdf.Stream({
    fileSize: () => sizeBytes,
    close: () => closeSync(descriptor),
    read: (memory, offset, length, position) =>
      readSync(descriptor, memory, offset, Math.max(0, Math.min(length, sizeBytes - position)), position),
  })
}

/** The first bytes of a file, at most so many. */
export function headOf(path: string, bytesMax: number): Uint8Array {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(bytesMax)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytesMax, 0))
  } finally {
    closeSync(descriptor)
  }
}
