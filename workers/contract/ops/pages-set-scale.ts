// Gives a whole page a scale, or takes it away.
import { Type } from 'typebox'
import { WrittenMeasure } from '../measurement.js'
import { Nullable } from '../nullable.js'
import { PageRef } from '../page-ref.js'
import { MutationMeta } from './mutation-meta.js'
import type { OpShape } from './op-shape.js'
import { strict } from './strict.js'

export const PagesSetScale = {
  op: Type.Object({ type: Type.Literal('pages.setScale'), page: PageRef, measure: Nullable(WrittenMeasure) }, strict),
  item: Type.Object({ type: Type.Literal('pages.setScale'), page: PageRef, meta: MutationMeta }),
} as const satisfies OpShape
