// Saves a document to a file and reports size and hash of what is on disk, rather than of what was written. Recorded
// sizes and hashes come from here.
import { closeSync, fsyncSync, openSync, statSync, writeSync } from 'node:fs'
import type { PDFDocument } from 'mupdf'
import { storedBytes, withSavedBytes } from '../engine/engine-memory.js'
import { orElse } from '../engine/trap.js'
import { entry, isMissing, isStream, numberOf } from '../objects/values.js'
import { digestOf, type FileDigest } from './digest.js'

/** Content written in place of empty streams: it has no meaning in a content stream, a form, a script or metadata. */
const blank = ' '
/** Maximum length of an encrypted empty stream: an initialisation vector and a block of padding. */
const emptyBytesMax = 32

/** Saves to a file durably. Returns the length of the file. */
export function saveFile(pdf: PDFDocument, options: string, path: string): number {
  fillEmptyStreams(pdf)
  const sizeBytes = withSavedBytes(pdf, options, (bytes) => writeDurably(path, bytes))
  if (sizeBytes === 0 || statSync(path).size !== sizeBytes) throw incomplete()
  return sizeBytes
}

/** Same as `saveFile`, and also returns the hash of the bytes read back. */
export function saveHashedFile(pdf: PDFDocument, options: string, path: string): FileDigest {
  const sizeBytes = saveFile(pdf, options, path)
  const stored = digestOf(path)
  if (stored.sizeBytes !== sizeBytes) throw incomplete()
  return stored
}

/** Fills empty streams: under AES the engine declares a length of 32 bytes for them and writes none. */
function fillEmptyStreams(pdf: PDFDocument): void {
  if (isMissing(entry(pdf.getTrailer(), 'Encrypt'))) return
  const count = pdf.countObjects()
  for (let number = 1; number < count; number++) {
    orElse(undefined, () => {
      const object = pdf.newIndirect(number)
      if (!isStream(object) || (numberOf(entry(object, 'Length')) ?? 0) > emptyBytesMax) return
      if (storedBytes(object).length > 0) return
      for (const key of ['Filter', 'DecodeParms']) object.delete(key)
      object.writeStream(blank)
    })
  }
}

function writeDurably(path: string, bytes: Uint8Array): number {
  const descriptor = openSync(path, 'w')
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
    fsyncSync(descriptor)
    return bytes.length
  } finally {
    closeSync(descriptor)
  }
}

const incomplete = (): Error => new Error('The file on disk is shorter than what was written')
