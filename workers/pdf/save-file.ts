// Writes a document as the engine saves it to a file, and reports what stands on the disk afterwards, not what was meant
// to: whoever records a size or a hash takes it from here.
import { closeSync, fsyncSync, openSync, statSync, writeSync } from 'node:fs'
import type { PDFDocument } from 'mupdf'
import { digestOf, type FileDigest } from '../jobs/digest.js'
import { withSavedBytes } from './engine-memory.js'

/** Durable when it returns. Answers the length of the file. */
export function saveFile(pdf: PDFDocument, options: string, path: string): number {
  const sizeBytes = withSavedBytes(pdf, options, (bytes) => writeDurably(path, bytes))
  if (sizeBytes === 0 || statSync(path).size !== sizeBytes) throw incomplete()
  return sizeBytes
}

/** The same, with the hash of the bytes as they are read back. */
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

const incomplete = (): Error => new Error('A file that was written is not whole on the disk')
