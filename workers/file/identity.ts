// The identifier of a file (ISO 32000-2, 14.4) in a file that the engine has saved: its random part is replaced by a hash, so
// that the same content gives the same bytes.
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import type { PDFDocument } from 'mupdf'
import { entry, isText } from '../objects/values.js'

/** Returns the permanent part of the identifier in hexadecimal; undefined if the file has none. */
export function identityOf(pdf: PDFDocument): string | undefined {
  const first = entry(pdf.getTrailer(), 'ID', 0)
  return isText(first) ? Buffer.from(first.asByteString()).toString('hex').toUpperCase() : undefined
}

const tailBytesMax = 64 * 1024
const pieceBytes = 1024 * 1024

/**
 * Replaces the random identifier at the end of the file by a hash of what precedes it (ISO 32000-2, 14.4). Nothing behind the
 * identifier has an offset.
 */
export function putIdentity(path: string, permanent: string | undefined): void {
  const descriptor = openSync(path, 'r+')
  try {
    const sizeBytes = fstatSync(descriptor).size
    const tail = Buffer.alloc(Math.min(tailBytesMax, sizeBytes))
    readSync(descriptor, tail, 0, tail.length, sizeBytes - tail.length)
    const text = tail.toString('latin1')
    const trailer = text.lastIndexOf('trailer\n<<')
    const own = identifier(text, trailer)
    if (trailer < 0 || own === undefined) return
    const hash = hashOf(descriptor, sizeBytes - tail.length + trailer)
    const changed = Buffer.from(`/ID[<${permanent ?? hash}><${hash}>]${text.slice(own.end)}`, 'latin1')
    const at = sizeBytes - tail.length + own.start
    writeSync(descriptor, changed, 0, changed.length, at)
    ftruncateSync(descriptor, at + changed.length)
  } finally {
    closeSync(descriptor)
  }
}

/** Finds the identifier in the trailer: two strings, either of which may be written with escapes. */
function identifier(text: string, from: number): { readonly start: number; readonly end: number } | undefined {
  const string = String.raw`(?:<[0-9A-Fa-f]*>|\((?:[^\\()]|\\[\s\S])*\))`
  const found = new RegExp(String.raw`/ID\[${string}\s*${string}\]`, 'g')
  found.lastIndex = Math.max(0, from)
  const match = found.exec(text)
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length }
}

/** Returns a hash of the first bytes of the file, as long as an identifier is. */
function hashOf(descriptor: number, length: number): string {
  const hash = createHash('sha256')
  const piece = Buffer.alloc(pieceBytes)
  for (let done = 0; done < length; ) {
    const read = readSync(descriptor, piece, 0, Math.min(piece.length, length - done), done)
    if (read === 0) throw new Error('The written file is truncated')
    hash.update(piece.subarray(0, read))
    done += read
  }
  return hash.digest('hex').slice(0, 32).toUpperCase()
}
