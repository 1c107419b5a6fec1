// Puts empty pages into the document.
import { Type } from 'typebox'
import { PagePosition } from '../list-position.js'
import { PageList } from '../page-list.js'
import { PageRef } from '../page-ref.js'
import { MutationMeta } from './mutation-meta.js'
import type { OpShape } from './op-shape.js'
import { strict } from './strict.js'

/** Points: 14,400 are as far as readers go without a unit of its own (ISO 32000-2, annex C). */
const Side = Type.Number({ minimum: 1, maximum: 14_400 })

export const PagesInsertBlank = {
  op: Type.Object(
    {
      type: Type.Literal('pages.insertBlank'),
      size: Type.Object({ width: Side, height: Side }, strict),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      position: Type.Optional(PagePosition),
    },
    strict,
  ),
  item: Type.Object({
    type: Type.Literal('pages.insertBlank'),
    insertedPages: Type.Array(PageRef),
    layout: PageList,
    meta: MutationMeta,
  }),
} as const satisfies OpShape
