// Gives a page a name; `replace` is a name of the same page that goes with it.
import { Type } from 'typebox'
import { PageList } from '../page-list.js'
import { PageRef } from '../page-ref.js'
import { MutationMeta } from './mutation-meta.js'
import type { OpShape } from './op-shape.js'
import { PageName } from './page-name.js'
import { strict } from './strict.js'

export const PagesSetName = {
  op: Type.Object(
    { type: Type.Literal('pages.setName'), name: PageName, page: PageRef, replace: Type.Optional(PageName) },
    strict,
  ),
  item: Type.Object({ type: Type.Literal('pages.setName'), layout: PageList, meta: MutationMeta }),
} as const satisfies OpShape
