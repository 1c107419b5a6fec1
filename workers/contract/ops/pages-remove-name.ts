// Removes a name of a page.
import { MutationMeta } from '../mutation-meta.js'
import { PageList } from '../page-list.js'
import { PageName } from '../page-name.js'
import { assembling } from './needs.js'
import { opContract } from './op-contract.js'

export const PagesRemoveName = opContract({
  type: 'pages.removeName',
  summary: 'Remove the name of a page',
  op: { name: PageName },
  item: { layout: PageList, meta: MutationMeta },
  needs: assembling,
  protection: 'content',
  carries: 'document',
  isBatchable: false,
  route: { methods: ['POST'], path: '/pages/names/delete', auditKind: 'pages.removeName' },
})
