// Inserts the pages of another PDF, with their annotations and fields.
import { Type } from 'typebox'
import { PagePosition } from '../list-position.js'
import { MutationMeta } from '../mutation-meta.js'
import { PageList } from '../page-list.js'
import { PageRef } from '../page-ref.js'
import { strict } from '../strict.js'
import { assembling } from './needs.js'
import { opContract } from './op-contract.js'

export const PagesInsert = opContract({
  type: 'pages.insert',
  summary: 'Insert the pages of another PDF, with their annotations and fields',
  op: {
    position: Type.Optional(PagePosition),
    resources: Type.Object({ source: Type.String({ minLength: 1 }) }, strict),
  },
  item: { insertedPages: Type.Array(PageRef), layout: PageList, meta: MutationMeta },
  needs: assembling,
  protection: 'content',
  carries: 'document',
  isBatchable: false,
  files: { member: 'resources', drawn: [] },
  route: {
    methods: ['POST'],
    path: '/pages/insert',
    auditKind: 'pages.insert',
    bodyOfLoneFile: { position: 'end', resources: { source: 'file' } },
  },
})
