// Reads files in pieces, and writes into existing ones.
import { closeSync, openSync, readSync, writeSync } from 'node:fs'

const chunkBytes = 1024 * 1024

/** Yields the content of a file in views of one buffer, each valid until the next. */
export function* chunksOf(path: string): Generator<Buffer> {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  const descriptor = openSync(path, 'r')
  try {
    for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk)) {
      yield chunk.subarray(0, read)
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Overwrites bytes of a file. */
export function writeAt(path: string, offset: number, bytes: Uint8Array): void {
  withFile(path, 'r+', (descriptor) => writeAll(descriptor, bytes, offset))
}

/** Appends a file to another one. */
export function appendFile(path: string, from: string): void {
  withFile(path, 'a', (descriptor) => {
    for (const chunk of chunksOf(from)) writeAll(descriptor, chunk, null)
  })
}

function withFile(path: string, flags: 'a' | 'r+', write: (descriptor: number) => void): void {
  const descriptor = openSync(path, flags)
  try {
    write(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Writes all bytes. `offset`: null = the current position. */
function writeAll(descriptor: number, bytes: Uint8Array, offset: number | null): void {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(descriptor, bytes, at, bytes.length - at, offset === null ? null : offset + at)
  }
}
