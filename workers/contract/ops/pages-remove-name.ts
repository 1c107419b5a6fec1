// Takes a name of a page away.
import { Type } from 'typebox'
import { PageList } from '../page-list.js'
import { MutationMeta } from './mutation-meta.js'
import type { OpShape } from './op-shape.js'
import { PageName } from './page-name.js'
import { strict } from './strict.js'

export const PagesRemoveName = {
  op: Type.Object({ type: Type.Literal('pages.removeName'), name: PageName }, strict),
  item: Type.Object({ type: Type.Literal('pages.removeName'), layout: PageList, meta: MutationMeta }),
} as const satisfies OpShape
