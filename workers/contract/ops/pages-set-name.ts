// Gives a page a name; `replace` is a name of the same page that is removed.
import { Type } from 'typebox'
import { MutationMeta } from '../mutation-meta.js'
import { PageList } from '../page-list.js'
import { PageName } from '../page-name.js'
import { PageRef } from '../page-ref.js'
import { assembling } from './needs.js'
import { opContract } from './op-contract.js'

export const PagesSetName = opContract({
  type: 'pages.setName',
  summary: 'Give a page a name',
  op: { name: PageName, page: PageRef, replace: Type.Optional(PageName) },
  item: { layout: PageList, meta: MutationMeta },
  names: { pages: ({ page }) => [page] },
  needs: assembling,
  protection: 'content',
  carries: 'document',
  isBatchable: false,
  route: { methods: ['POST'], path: '/pages/names', auditKind: 'pages.setName' },
})
