// Takes the pages of another PDF over, with what hangs on them.
import { Type } from 'typebox'
import { PagePosition } from '../list-position.js'
import { PageList } from '../page-list.js'
import { PageRef } from '../page-ref.js'
import { MutationMeta } from './mutation-meta.js'
import type { OpShape } from './op-shape.js'
import { strict } from './strict.js'

export const PagesInsert = {
  op: Type.Object(
    {
      type: Type.Literal('pages.insert'),
      position: Type.Optional(PagePosition),
      resources: Type.Object({ source: Type.String({ minLength: 1 }) }, strict),
    },
    strict,
  ),
  item: Type.Object({
    type: Type.Literal('pages.insert'),
    insertedPages: Type.Array(PageRef),
    layout: PageList,
    meta: MutationMeta,
  }),
} as const satisfies OpShape
