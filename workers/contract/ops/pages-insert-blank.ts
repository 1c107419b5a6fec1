// Inserts empty pages.
import { Type } from 'typebox'
import { PagePosition } from '../list-position.js'
import { MutationMeta } from '../mutation-meta.js'
import { PageList } from '../page-list.js'
import { PageRef } from '../page-ref.js'
import { strict } from '../strict.js'
import { assembling } from './needs.js'
import { opContract } from './op-contract.js'

/** Length of a side in points; readers support at most 14,400 without a user unit (ISO 32000-2, annex C). */
const Side = Type.Number({ minimum: 1, maximum: 14_400 })

export const PagesInsertBlank = opContract({
  type: 'pages.insertBlank',
  summary: 'Insert empty pages',
  op: {
    size: Type.Object({ width: Side, height: Side }, strict),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    position: Type.Optional(PagePosition),
  },
  item: { insertedPages: Type.Array(PageRef), layout: PageList, meta: MutationMeta },
  needs: assembling,
  protection: 'content',
  carries: 'document',
  isBatchable: false,
  route: { methods: ['POST'], path: '/pages/insert-blank', auditKind: 'pages.insertBlank' },
})
