// Row of a version: immutable bytes named by their hash. Number 1 is the upload or import; every completed signature
// adds a version.
import { type Static, Type } from 'typebox'
import { DocumentProtection } from '../../workers/contract/signatures/protection.js'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** Blob of the document, with the size and hash of its bytes. */
export const StoredBlob = Type.Object({
  name: Type.String(),
  sizeBytes: Type.Integer({ minimum: 0 }),
  sha256: Sha256,
})
export type StoredBlob = Static<typeof StoredBlob>

/** Annotations that the uploaded file stores inline, with their object numbers. */
export const PromotedAnnotations = Type.Array(
  Type.Object({
    page: Type.Integer({ minimum: 1 }),
    baseIndex: Type.Integer({ minimum: 0 }),
    objectNumber: Type.Integer({ minimum: 1 }),
  }),
)
export type PromotedAnnotations = Static<typeof PromotedAnnotations>

/** Effects compared with the parent version: see `workers/change/effects.ts`. */
export const VersionEffects = Type.Object({
  pages: Type.Array(
    Type.Object({
      page: Type.Integer({ minimum: 1 }),
      planes: Type.Array(Type.Enum(['content', 'annotations', 'widgets'])),
    }),
  ),
  document: Type.Array(Type.Enum(['layout', 'metadata', 'forms', 'annotations', 'attachments'])),
})
export type VersionEffects = Static<typeof VersionEffects>

export const VersionRow = Type.Object({
  blob: StoredBlob,
  /** Normalised copy that is read instead, if the file had to be repaired. */
  working: Type.Union([StoredBlob, Type.Null()]),
  /** Annotations that the uploaded file stores inline and that are objects in this version; missing = none. */
  promoted: Type.Optional(PromotedAnnotations),
  /** Effects of the version; missing = anything may look or list otherwise than in the parent version. */
  effects: Type.Optional(VersionEffects),
  parentSha256: Type.Union([Sha256, Type.Null()]),
  producer: Type.Enum(['upload', 'signature']),
  signingId: Type.Union([Type.String(), Type.Null()]),
  /**
   * Versions up to this number contain what was redacted from this version; 0 = none. Missing = published by an older
   * server, see `server/layers/redacted.ts`.
   */
  redactedUntil: Type.Optional(Type.Integer({ minimum: 0 })),
  /**
   * Changes that its signatures permit. Missing = not recorded, because the file was locked or an older server
   * published the version; then it is determined when it is needed.
   */
  protection: Type.Optional(DocumentProtection),
  /** Milliseconds since 1970. */
  createdAt: Type.Integer(),
})
export type VersionRow = Static<typeof VersionRow>
