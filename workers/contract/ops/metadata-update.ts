// Changes what a document says about itself.
import { type Static, Type } from 'typebox'
import { DocumentMetadata, Trapped } from '../document-metadata.js'
import { IsoDate } from '../iso-date.js'
import { Nullable } from '../nullable.js'
import { MutationMeta } from './mutation-meta.js'
import type { OpShape } from './op-shape.js'
import { strict } from './strict.js'

/** Strings of the engine end at a NUL. */
const text = Type.Optional(Nullable(Type.String({ maxLength: 32_767, pattern: '^[^\\u0000]*$' })))
const date = Type.Optional(Nullable(IsoDate))

/** Null clears; members that are left out stay. */
export const MetadataPatch = Type.Object(
  {
    title: text,
    author: text,
    subject: text,
    keywords: text,
    producer: text,
    creator: text,
    createdAt: date,
    modifiedAt: date,
    trapped: Type.Optional(Nullable(Trapped)),
  },
  strict,
)
export type MetadataPatch = Static<typeof MetadataPatch>

export const MetadataUpdate = {
  op: Type.Object(
    { type: Type.Literal('metadata.update'), patch: MetadataPatch, expect: Type.Optional(MetadataPatch) },
    strict,
  ),
  item: Type.Object({
    type: Type.Literal('metadata.update'),
    metadata: DocumentMetadata,
    /** Members an undo left alone, because they were changed since. */
    skipped: Type.Optional(Type.Array(Type.String())),
    meta: MutationMeta,
  }),
} as const satisfies OpShape
