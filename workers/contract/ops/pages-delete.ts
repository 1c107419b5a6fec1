// Takes pages out of the document.
import { Type } from 'typebox'
import { PageList } from '../page-list.js'
import { MutationMeta } from './mutation-meta.js'
import { NamedPages } from './named-pages.js'
import type { OpShape } from './op-shape.js'
import { strict } from './strict.js'

export const PagesDelete = {
  op: Type.Object({ type: Type.Literal('pages.delete'), pages: NamedPages }, strict),
  item: Type.Object({ type: Type.Literal('pages.delete'), layout: PageList, meta: MutationMeta }),
} as const satisfies OpShape
