// Saves a document to a file and reports size and hash of what is on disk, rather than of what was written. Recorded
// sizes and hashes come from here.
import { closeSync, fsyncSync, openSync, statSync, writeSync } from 'node:fs'
import type { PDFDocument } from 'mupdf'
import { digestOf, type FileDigest } from '../jobs/digest.js'
import { withSavedBytes } from './engine-memory.js'

/** Writes durably. Returns the length of the file. */
export function saveFile(pdf: PDFDocument, options: string, path: string): number {
  const sizeBytes = withSavedBytes(pdf, options, (bytes) => writeDurably(path, bytes))
  if (sizeBytes === 0 || statSync(path).size !== sizeBytes) throw incomplete()
  return sizeBytes
}

/** Same as `saveFile`, with the hash of the bytes read back. */
export function saveHashedFile(pdf: PDFDocument, options: string, path: string): FileDigest {
  const sizeBytes = saveFile(pdf, options, path)
  const stored = digestOf(path)
  if (stored.sizeBytes !== sizeBytes) throw incomplete()
  return stored
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

const incomplete = (): Error => new Error('A written file is incomplete on disk')
