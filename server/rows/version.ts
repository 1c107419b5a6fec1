// What is stored of a version: immutable bytes named by their hash. Number 1 is what was uploaded or imported; every
// completed signature adds one.
import { type Static, Type } from 'typebox'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** A blob of the document, with what its bytes must be. */
export const StoredBlob = Type.Object({
  name: Type.String(),
  sizeBytes: Type.Integer({ minimum: 0 }),
  sha256: Sha256,
})
export type StoredBlob = Static<typeof StoredBlob>

export const VersionRow = Type.Object({
  blob: StoredBlob,
  /** The normalised copy that is read in its place, where the file had to be repaired. */
  working: Type.Union([StoredBlob, Type.Null()]),
  parentSha256: Type.Union([Sha256, Type.Null()]),
  producer: Type.Enum(['upload', 'signature']),
  signingId: Type.Union([Type.String(), Type.Null()]),
  /** Milliseconds since 1970. */
  createdAt: Type.Integer(),
})
export type VersionRow = Static<typeof VersionRow>
