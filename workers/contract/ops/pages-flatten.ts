// Draws the annotations and form fields of pages into their content.
import { Type } from 'typebox'
import { PageRef } from '../page-ref.js'
import { FlattenStatus, FlattenUsage } from './flatten.js'
import { MutationMeta } from './mutation-meta.js'
import { NamedPages } from './named-pages.js'
import type { OpShape } from './op-shape.js'
import { strict } from './strict.js'

export const PagesFlatten = {
  op: Type.Object(
    {
      type: Type.Literal('pages.flatten') /** Left out: every page. */,
      pages: Type.Optional(NamedPages),
      usage: FlattenUsage,
    },
    strict,
  ),
  item: Type.Object({
    type: Type.Literal('pages.flatten'),
    pages: Type.Array(PageRef),
    usage: FlattenUsage,
    results: Type.Array(Type.Object({ page: PageRef, status: FlattenStatus })),
    meta: MutationMeta,
  }),
} as const satisfies OpShape
