// Row of a document. Public ids map to internal ids in rows of their own; all other keys use internal ids.
import { type Static, Type } from 'typebox'

export const documentStates = ['pending', 'ready', 'failed', 'deleting'] as const

export const EncryptionFacts = Type.Object({
  state: Type.Enum(['none', 'encrypted', 'unsupported']),
  /** True if the file opens only with a password; an encrypted file with an empty user password needs none. */
  requiresPassword: Type.Boolean(),
  /** `/P` as an unsigned 32-bit number; null if the file is not encrypted. */
  permissionBits: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  securityHandlerRevision: Type.Union([Type.Integer(), Type.Null()]),
})

export const DocumentRow = Type.Object({
  id: Type.String(),
  state: Type.Enum(documentStates),
  failureReason: Type.Union([Type.String(), Type.Null()]),
  /** Number of the head version; 0 before the first. */
  headVersion: Type.Integer({ minimum: 0 }),
  headSha256: Type.Union([Type.String(), Type.Null()]),
  sizeBytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  /** Blob to read from: that of the version, or the normalised working copy that all layers share. */
  readBlob: Type.Union([Type.String(), Type.Null()]),
  readBytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  encryption: Type.Union([EncryptionFacts, Type.Null()]),
  /** The uploaded or imported file; missing = the head version is that file. */
  uploaded: Type.Optional(Type.Object({ sizeBytes: Type.Integer({ minimum: 0 }), sha256: Type.String() })),
  /**
   * Version pin of everything in the head version; missing = the pin of the first version
   * (`server/layers/base-pins.ts`).
   */
  headPin: Type.Optional(Type.Integer({ minimum: 1 })),
  /**
   * Number of times at which unnamed blobs were removed from a storage with several writers; missing = 0. Every removal
   * changes the row, so that a commit which was prepared before fails.
   */
  collected: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Smallest object number that no layer of the document has used. */
  nextObject: Type.Integer({ minimum: 1 }),
  /** Bytes of content stored for versions and layers, of metadata, and reserved for an upload; missing = last written before layers were counted. */
  storedBytes: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Announced bytes of an upload that is not published yet, a part of `storedBytes`; missing = 0. */
  reserved: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Bytes of `metadata`, a part of `storedBytes`; missing = 0, or written by an earlier release. */
  metadataBytes: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Id of the newest audit row. */
  auditId: Type.Integer({ minimum: 0 }),
  thumbnail: Type.Enum(['pending', 'ready', 'locked', 'failed']),
  metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  idempotencyKey: Type.Union([Type.String(), Type.Null()]),
  /** Announced facts of the upload or import; unknown ones are null. */
  expected: Type.Object({
    sizeBytes: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
    sha256: Type.Union([Type.String(), Type.Null()]),
  }),
  origin: Type.Enum(['upload', 'import']),
  /**
   * Milliseconds since 1970. A pending document whose bytes have not arrived by then fails. In a failed
   * document, this member is set only if that was the reason, and is the time of its removal.
   */
  uploadExpiresAt: Type.Union([Type.Integer(), Type.Null()]),
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
  createdBy: Type.Union([Type.String(), Type.Null()]),
})
export type DocumentRow = Static<typeof DocumentRow>

/** Failure reason of a document that was announced and whose bytes never arrived. */
export const uploadExpired = 'upload-expired'
