// Stores the references of a file, so that an analysis need not read the whole file. Layout: SHA-256 of the rest, a head of
// 32-bit numbers in the byte order of the machine, then the arrays of the graph, those of 32-bit numbers first.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { ReferenceGraph } from './reference-graph.js'

const format = 1
const hashBytes = 32
/** Format, size of the file in two numbers, and the length of each array. */
const headNumbers = 10

/** Writes a new file. `fileBytes`: size of the PDF that the references are of. */
export function writeReferences(path: string, { listed }: ReferenceGraph, fileBytes: number): void {
  const head = Uint32Array.from([
    format,
    fileBytes % 2 ** 32,
    Math.floor(fileBytes / 2 ** 32),
    ...listed.map(({ length }) => length),
  ])
  const pieces = [head, ...listed].map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  )
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    for (const piece of [hash.digest(), ...pieces]) writeWhole(descriptor, piece)
  } finally {
    closeSync(descriptor)
  }
}

/** Returns undefined if the stored bytes are damaged, of another format, or of a file with another size. */
export function loadReferences(path: string, fileBytes: number): ReferenceGraph | undefined {
  const stored = readFileSync(path)
  const rest = stored.subarray(hashBytes)
  const isWhole =
    rest.length >= 4 * headNumbers && createHash('sha256').update(rest).digest().equals(stored.subarray(0, hashBytes))
  if (!isWhole) return undefined
  // A copy begins at a multiple of 4 bytes, as arrays of 32-bit numbers must.
  const { buffer } = Uint8Array.from(rest)
  const [found, low = 0, high = 0, ...lengths] = new Uint32Array(buffer, 0, headNumbers)
  if (found !== format || low + high * 2 ** 32 !== fileBytes) return undefined
  let at = 4 * headNumbers
  const next = (length = 0): Uint32Array => {
    const array = new Uint32Array(buffer, at, length)
    at += array.byteLength
    return array
  }
  const [starts, referrers, streams, memberStarts, members, unreadable, shapes = 0] = lengths
  return new ReferenceGraph({
    referrers: { starts: next(starts), values: next(referrers) },
    streams: next(streams),
    members: { starts: next(memberStarts), values: next(members) },
    unreadable: next(unreadable),
    shapes: new Uint8Array(buffer, at, shapes),
  })
}

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
}
