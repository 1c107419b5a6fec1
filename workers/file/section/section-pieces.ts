// Reads pieces of a section into memory and writes them to a file.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import type { Piece } from '../../engine/file-stream.js'

const chunkBytes = 1024 * 1024

/** Returns the content of a piece. */
export function contentOf(piece: Piece): Buffer {
  return Buffer.concat([...chunksOf(piece)])
}

/** Writes pieces to a new file and returns the SHA-256 of the file. */
export function writePieces(path: string, pieces: readonly Piece[]): string {
  const sha256 = createHash('sha256')
  const descriptor = openSync(path, 'wx')
  try {
    for (const piece of pieces) {
      for (const chunk of chunksOf(piece)) {
        sha256.update(chunk)
        for (let written = 0; written < chunk.length; ) written += writeSync(descriptor, chunk, written)
      }
    }
  } finally {
    closeSync(descriptor)
  }
  return sha256.digest('hex')
}

function* chunksOf(piece: Piece): Generator<Buffer> {
  if (piece instanceof Uint8Array) return yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  const descriptor = openSync(piece.path, 'r')
  try {
    for (let done = 0; done < piece.length; ) {
      const chunk = Buffer.alloc(Math.min(chunkBytes, piece.length - done))
      const read = readSync(descriptor, chunk, 0, chunk.length, piece.offset + done)
      if (read === 0) throw new Error('The file of an object image is truncated')
      done += read
      yield chunk.subarray(0, read)
    }
  } finally {
    closeSync(descriptor)
  }
}
