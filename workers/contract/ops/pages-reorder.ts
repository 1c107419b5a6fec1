// Moves pages, which keep their object numbers, to one position.
import { Type } from 'typebox'
import { PagePosition } from '../list-position.js'
import { MutationMeta } from '../mutation-meta.js'
import { SomePages } from '../named-pages.js'
import { PageList } from '../page-list.js'
import { PageRef } from '../page-ref.js'
import { assembling } from './needs.js'
import { opContract } from './op-contract.js'

export const PagesReorder = opContract({
  type: 'pages.reorder',
  summary: 'Move pages to another position',
  op: { pages: SomePages, position: PagePosition },
  item: {
    /** Pages in their new order. */
    pages: Type.Array(PageRef),
    layout: PageList,
    meta: MutationMeta,
  },
  names: { pages: ({ pages }) => pages },
  needs: assembling,
  protection: 'content',
  carries: 'document',
  isBatchable: false,
  route: { methods: ['POST'], path: '/pages/reorder', auditKind: 'pages.reorder' },
})
