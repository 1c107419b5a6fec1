// Rows of the log of reads of a document: who saw what. Tenants switch it on; without that there are none.
import { type Static, Type } from 'typebox'

export const readKinds = [
  /** Facts about the document: manifest, outline, who else is there. */
  'opened',
  /** Pictures of pages. */
  'shown',
  /** Texts: of pages, annotations and forms. */
  'text',
  /** Files: the document, parts of it, attachments. */
  'downloaded',
  /** Printing, as far as the viewer says so. */
  'printed',
  /** A wrong passphrase of a share. */
  'passphrase-refused',
  /** A wrong password of an encrypted document. */
  'password-refused',
] as const

export const ReadKind = Type.Enum(readKinds)
export type ReadKind = Static<typeof ReadKind>

const Milliseconds = Type.Integer({ minimum: 0 })

/** Requests of one kind by one reader within some minutes. */
export const ReadRow = Type.Object({
  kind: ReadKind,
  /** First and last request, milliseconds since 1970. */
  from: Milliseconds,
  to: Milliseconds,
  /** Number of requests. */
  count: Type.Integer({ minimum: 1 }),
  /** `sub` of the token; null for a visitor who has none yet. */
  sub: Type.Union([Type.String(), Type.Null()]),
  /** Beginning of the token of the share: enough to recognise it, and not to open it. */
  share: Type.Union([Type.String(), Type.Null()]),
  address: Type.String(),
  layerName: Type.Union([Type.String(), Type.Null()]),
  /** Object numbers of pages. */
  pages: Type.Array(Type.Integer({ minimum: 1 })),
})
export type ReadRow = Static<typeof ReadRow>

/** Place in the log of a document at which the next row is written; older ones make room. */
export const ReadLogRow = Type.Object({ next: Type.Integer({ minimum: 1 }) })
export type ReadLogRow = Static<typeof ReadLogRow>
