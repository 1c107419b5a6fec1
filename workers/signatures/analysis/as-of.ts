// A document as it was when one of its revisions was the last: what signatures restrict is read there, because later
// revisions may have changed the fields that say so.
import type { StrictDocument } from '../../strict-reader/strict-document.js'

export function documentAsOf(document: StrictDocument, revision: number): StrictDocument {
  const revisions = document.revisions.slice(0, revision + 1)
  return {
    sizeBytes: revisions.at(-1)?.end ?? 0,
    revisions,
    isEncrypted: document.isEncrypted,
    rawBytes: (stream) => document.rawBytes(stream),
    decodedBytes: (stream) => document.decodedBytes(stream),
    bytes: (offset, length) => document.bytes(offset, length),
    close: () => document.close(),
  }
}
