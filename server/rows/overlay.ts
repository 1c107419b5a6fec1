// One changed object of a layer, as it is now: the overlay of a layer is a fold by itself, and a commit writes only the
// objects its change altered. Number 0 is the trailer.
import { type Static, Type } from 'typebox'
import { Content } from './content.js'

export const OverlayRow = Type.Object({
  generation: Type.Integer({ minimum: 0 }),
  /** Kept for an undo and left out of every file that is sent. */
  isHidden: Type.Boolean(),
  body: Content,
})
export type OverlayRow = Static<typeof OverlayRow>
