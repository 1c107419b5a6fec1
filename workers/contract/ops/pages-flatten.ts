// Draws the annotations and form fields of pages into their content.
import { Type } from 'typebox'
import { FlattenStatus, FlattenUsage } from '../flatten.js'
import { MutationMeta } from '../mutation-meta.js'
import { NamedPages } from '../named-pages.js'
import { PageRef } from '../page-ref.js'
import { strict } from '../strict.js'
import { flattening } from './needs.js'
import { opContract, routeBody } from './op-contract.js'

/** Body of the route. Only an empty body means all pages, as shown on a screen, because a flatten cannot be undone. */
const Body = Type.Union([
  Type.Object({ pages: NamedPages, usage: Type.Optional(FlattenUsage) }, strict),
  Type.Object({}, strict),
])

export const PagesFlatten = opContract({
  type: 'pages.flatten',
  summary: 'Draw annotations and fields of pages into their content, permanently',
  op: {
    /** Default: every page. */
    pages: Type.Optional(NamedPages),
    usage: FlattenUsage,
  },
  item: {
    pages: Type.Array(PageRef),
    usage: FlattenUsage,
    results: Type.Array(Type.Object({ page: PageRef, status: FlattenStatus })),
    meta: MutationMeta,
  },
  names: { pages: ({ pages = [] }) => pages },
  needs: flattening,
  protection: 'content',
  carries: 'document',
  isBatchable: false,
  route: {
    methods: ['POST'],
    path: '/pages/flatten',
    auditKind: 'pages.flatten',
    body: routeBody(Body, (body) => ({ usage: 'display', ...body })),
    isBodyOptional: true,
  },
})
