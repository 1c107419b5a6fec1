// Removes pages from the document.
import { MutationMeta } from '../mutation-meta.js'
import { NamedPages } from '../named-pages.js'
import { PageList } from '../page-list.js'
import { assembling } from './needs.js'
import { opContract } from './op-contract.js'

export const PagesDelete = opContract({
  type: 'pages.delete',
  summary: 'Delete pages, with their annotations and fields',
  op: { pages: NamedPages },
  item: { layout: PageList, meta: MutationMeta },
  names: { pages: ({ pages }) => pages },
  needs: assembling,
  protection: 'content',
  carries: 'document',
  isBatchable: false,
  route: { methods: ['POST'], path: '/pages/delete', auditKind: 'pages.delete' },
})
