// Moves pages, which keep their numbers, to one place.
import { Type } from 'typebox'
import { PagePosition } from '../list-position.js'
import { PageList } from '../page-list.js'
import { PageRef } from '../page-ref.js'
import { MutationMeta } from './mutation-meta.js'
import { SomePages } from './named-pages.js'
import type { OpShape } from './op-shape.js'
import { strict } from './strict.js'

export const PagesReorder = {
  op: Type.Object({ type: Type.Literal('pages.reorder'), pages: SomePages, position: PagePosition }, strict),
  item: Type.Object({
    type: Type.Literal('pages.reorder') /** In the order they have now. */,
    pages: Type.Array(PageRef),
    layout: PageList,
    meta: MutationMeta,
  }),
} as const satisfies OpShape
