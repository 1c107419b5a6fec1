// Rotates pages. The rotation is absolute: it is not added to the current one.
import { MutationMeta } from '../mutation-meta.js'
import { NamedPages } from '../named-pages.js'
import { PageList } from '../page-list.js'
import { QuarterTurn } from '../quarter-turn.js'
import { assembling } from './needs.js'
import { opContract } from './op-contract.js'

export const PagesRotate = opContract({
  type: 'pages.rotate',
  summary: 'Rotate pages to an angle',
  op: { pages: NamedPages, rotation: QuarterTurn },
  item: { layout: PageList, meta: MutationMeta },
  names: { pages: ({ pages }) => pages },
  needs: assembling,
  protection: 'content',
  carries: 'own',
  isBatchable: false,
  route: { methods: ['POST'], path: '/pages/rotate', auditKind: 'pages.rotate' },
})
