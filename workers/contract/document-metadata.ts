// Schema of a document's metadata.
import { type Static, Type } from 'typebox'
import { IsoDate } from './iso-date.js'
import { Nullable } from './nullable.js'
import { Words } from './words.js'

const text = Nullable(Type.String())

export const Trapped = Words(['true', 'false', 'unknown'])
export type Trapped = Static<typeof Trapped>

export const DocumentMetadata = Type.Object({
  title: text,
  author: text,
  subject: text,
  keywords: text,
  producer: text,
  creator: text,
  createdAt: Nullable(IsoDate),
  modifiedAt: Nullable(IsoDate),
  trapped: Trapped,
})
export type DocumentMetadata = Static<typeof DocumentMetadata>
