// Contract of a file attached to a place on the page.
import { type Static, Type } from 'typebox'
import { fileMembers } from '../attachments.js'
import { IsoDate } from '../iso-date.js'
import { Nullable } from '../nullable.js'
import { readOnlyMembersOf } from '../read-only.js'
import { strict } from '../strict.js'
import { Words } from '../words.js'
import { colourMembers } from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const AttachmentIcon = Words(['push-pin', 'paperclip', 'graph', 'tag'])
export type AttachmentIcon = Static<typeof AttachmentIcon>

export const AttachedFile = Type.Object({
  ...fileMembers,
  /** Former name of `createdAt`; absent if the file states no date. */
  creationDate: Type.Optional(IsoDate),
})
export type AttachedFile = Static<typeof AttachedFile>

/** Members that a write sets; the others are derived from the file's bytes. */
const DescribedFile = Type.Object({
  name: AttachedFile.properties.name,
  mimeType: Type.Optional(AttachedFile.properties.mimeType),
  description: Type.Optional(AttachedFile.properties.description),
})
export type WrittenFile = Static<typeof DescribedFile>

/** Schema of writes. Additional members of a read are ignored, so that a read can be sent back. */
export const WrittenFile = Type.Object(
  { ...DescribedFile.properties, ...readOnlyMembersOf(AttachedFile, DescribedFile.properties) },
  strict,
)

export const FileAttachment = subtypeContract({
  subtype: 'file-attachment',
  name: 'FileAttachment',
  members: {
    ...colourMembers,
    icon: AttachmentIcon,
    file: Nullable(AttachedFile),
  },
  write: { required: ['rect'], written: { file: Nullable(WrittenFile) } },
})
export type FileAttachmentAnnotation = Static<typeof FileAttachment.schema>
