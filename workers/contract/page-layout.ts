// Schema of a page's index, size and boxes.
import { type Static, Type } from 'typebox'
import { ActionTree } from './action-tree.js'
import { Nullable } from './nullable.js'
import { CountFromZero, Length } from './numbers.js'
import { PageBox } from './page-box.js'
import { PageRef } from './page-ref.js'
import { PdfRect } from './pdf-rect.js'
import { QuarterTurn } from './quarter-turn.js'

export const PageLayout = Type.Object({
  index: CountFromZero,
  ref: PageRef,
  label: Nullable(Type.String()),
  /** Size of the crop box in points, neither rotated nor scaled by `userUnit`. */
  size: Type.Object({ width: Length, height: Length }),
  rotation: QuarterTurn,
  userUnit: Type.Number({ exclusiveMinimum: 0 }),
  boxes: Type.Object({ media: PageBox, crop: PageBox, bleed: PageBox, trim: PageBox, art: PageBox }),
  pdfCropBox: PdfRect,
  actions: Type.Optional(Type.Object({ open: Type.Optional(ActionTree), close: Type.Optional(ActionTree) })),
})
export type PageLayout = Static<typeof PageLayout>
