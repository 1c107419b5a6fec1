// View of a document whose last revision is a given one. Restrictions of signatures are read there, because later
// revisions may have changed the fields that state them.
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
  }
}
