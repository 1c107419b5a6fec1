// Turns pages. The rotation is absolute: it does not add to the one they have.
import { Type } from 'typebox'
import { PageList } from '../page-list.js'
import { QuarterTurn } from '../quarter-turn.js'
import { MutationMeta } from './mutation-meta.js'
import { NamedPages } from './named-pages.js'
import type { OpShape } from './op-shape.js'
import { strict } from './strict.js'

export const PagesRotate = {
  op: Type.Object({ type: Type.Literal('pages.rotate'), pages: NamedPages, rotation: QuarterTurn }, strict),
  item: Type.Object({ type: Type.Literal('pages.rotate'), layout: PageList, meta: MutationMeta }),
} as const satisfies OpShape
