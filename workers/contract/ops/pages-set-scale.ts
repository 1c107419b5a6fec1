// Sets or removes the scale of a whole page.
import { Type } from 'typebox'
import { WrittenMeasure } from '../measurement.js'
import { MutationMeta } from '../mutation-meta.js'
import { Nullable } from '../nullable.js'
import { PageRef } from '../page-ref.js'
import { strict } from '../strict.js'
import { opContract, routeBody } from './op-contract.js'

const measure = Nullable(WrittenMeasure)

/** Body of the route; without a body the scale is removed, as with null. */
const Body = Type.Object({ measure: Type.Optional(measure) }, strict)

export const PagesSetScale = opContract({
  type: 'pages.setScale',
  summary: 'Set or remove the scale of a page',
  op: { page: PageRef, measure },
  item: { page: PageRef, meta: MutationMeta },
  names: { pages: ({ page }) => [page] },
  needs: { capabilities: ['doc.pages.modify'] },
  protection: 'content',
  carries: 'own',
  isBatchable: false,
  route: {
    // Clients use either method.
    methods: ['PUT', 'POST'],
    path: '/pages/:pageKey/scale',
    named: 'page',
    auditKind: 'measure.setScale',
    body: routeBody(Body, ({ measure: scale = null }) => ({ measure: scale })),
    isBodyOptional: true,
  },
})
