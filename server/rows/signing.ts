// Row of a signing: a prepared signature of a layer, until it is completed, cancelled or expired. A completed one stays
// as the response to a repeated completion.
import { type Static, type TSchema, Type } from 'typebox'
import { SigningDigest } from '../../workers/contract/signatures/preparation.js'
import { VersionRef } from '../../workers/contract/signatures/version-ref.js'
import { StoredBlob } from './version.js'

const Id = Type.Integer({ minimum: 1 })
const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const SigningRow = Type.Object({
  layerName: Type.String(),
  /** Key of the caller that prepared it, as in stored responses. */
  caller: Type.String(),
  /** Keyed hash over the request, members in canonical order, files by their content. */
  requestHash: Type.String(),
  /** An open signing whose time is over counts as expired. */
  state: Type.Enum(['open', 'completed', 'cancelled', 'expired']),
  /** Milliseconds since 1970; for a cancelled or expired signing, the time of its removal. */
  expiresAt: Type.Integer(),
  /** Base64. */
  digest: Type.String(),
  algorithm: SigningDigest,
  byteRange: Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer(), Type.Integer()]),
  contentsSize: Id,
  subFilter: Type.String(),
  expectedVersion: VersionRef,
  /** Number of the head version when it was prepared. */
  version: Id,
  /**
   * File that the section is laid behind: that of the version, its normalised copy, the private base of the layer, or,
   * with a hash, a file of the signing's own: the private base with the edits since, written anew.
   */
  base: Type.Object({
    name: Type.String(),
    sizeBytes: Type.Integer({ minimum: 0 }),
    sha256: Type.Optional(StoredBlob.properties.sha256),
  }),
  /**
   * Edits of the layer, unless the base has them, and the signature without the CMS; null once the signing is no longer
   * open.
   */
  section: Nullable(StoredBlob),
  /** Object number of the signature field. */
  field: Id,
  effects: Type.Object({
    pages: Type.Array(Type.Object({ page: Id, planes: Type.Array(Type.Enum(['content', 'annotations', 'widgets'])) })),
    document: Type.Array(Type.Enum(['layout', 'metadata', 'forms', 'annotations', 'attachments'])),
  }),
  /** Annotations that the uploaded file stores inline and that became objects with the signature. */
  promoted: Type.Array(Type.Object({ page: Id, baseIndex: Type.Integer({ minimum: 0 }), objectNumber: Id })),
  /** The signature ends the usage rights of the file; missing = it had none. */
  usageRightsRemoved: Type.Optional(Type.Literal(true)),
  /** Audit id of the completion, whose payload is the response; null = not completed. */
  completedBy: Nullable(Id),
  /** SHA-256 of the CMS that completed it, in lower-case hex; missing before the completion. */
  cmsSha256: Type.Optional(Type.String()),
  /** Milliseconds since 1970. */
  createdAt: Type.Integer(),
})
export type SigningRow = Static<typeof SigningRow>

/** Returns the blobs that exist for the signing alone, and only while it is open. */
export function ownBlobsOf({ base: { sha256, ...base }, section }: SigningRow): readonly StoredBlob[] {
  if (section === null) return []
  return [section, ...(sha256 === undefined ? [] : [{ ...base, sha256 }])]
}
