// Changes the metadata of a document.
import { type Static, Type } from 'typebox'
import { DocumentMetadata, Trapped } from '../document-metadata.js'
import { IsoDate } from '../iso-date.js'
import { MutationMeta } from '../mutation-meta.js'
import { Nullable } from '../nullable.js'
import { skippedMembers } from '../skipped-members.js'
import { strict } from '../strict.js'
import { describing } from './needs.js'
import { opContract, routeBody } from './op-contract.js'

/** Text without U+0000, at which strings of the engine end. */
const text = Type.Optional(Nullable(Type.String({ maxLength: 32_767, pattern: '^[^\\u0000]*$' })))
const date = Type.Optional(Nullable(IsoDate))

/** Changes of members; null clears a member, absent members stay unchanged. */
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

export const MetadataUpdate = opContract({
  type: 'metadata.update',
  summary: 'Change the metadata of the document',
  op: { patch: MetadataPatch, expect: Type.Optional(MetadataPatch) },
  item: { metadata: DocumentMetadata, ...skippedMembers, meta: MutationMeta },
  needs: describing,
  protection: 'content',
  carries: 'own',
  isBatchable: true,
  route: {
    methods: ['POST', 'PATCH'],
    path: '/metadata',
    auditKind: 'metadata.update',
    body: routeBody(MetadataPatch, (patch) => ({ patch })),
  },
})
