// Schema of the files that a document has attached, outside of its pages (ISO 32000-2, 7.11.4). The shape is that of the published
// CloudPDF clients.
import { type Static, Type } from 'typebox'
import { IsoDate } from './iso-date.js'
import { Nullable } from './nullable.js'
import { CountFromZero } from './numbers.js'

/** Members of every attached file, of the document or of an annotation. */
export const fileMembers = {
  name: Type.String(),
  mimeType: Nullable(Type.String()),
  description: Nullable(Type.String()),
  /** Size in bytes, as stated in the PDF. */
  size: Nullable(CountFromZero),
  /** MD5 in hexadecimal, as stated in the PDF. */
  checksum: Nullable(Type.String()),
  createdAt: Nullable(IsoDate),
  modifiedAt: Nullable(IsoDate),
}

export const Attachment = Type.Object({
  /** Name of the entry in the list of the document; empty if it cannot be read. */
  ref: Type.Object({ kind: Type.Literal('key'), key: Type.String() }),
  ...fileMembers,
  index: CountFromZero,
})
export type Attachment = Static<typeof Attachment>

export const AttachmentList = Type.Object({ attachments: Type.Array(Attachment) })
export type AttachmentList = Static<typeof AttachmentList>
