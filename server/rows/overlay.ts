// Row of a changed object of a layer in its current state. A commit writes only the objects that its change altered.
// Number 0 is the trailer.
import { type Static, Type } from 'typebox'
import { Content } from './content.js'

export const OverlayRow = Type.Object({
  generation: Type.Integer({ minimum: 0 }),
  /** Stored for undo only, and omitted from files that are sent. */
  isHidden: Type.Boolean(),
  body: Content,
})
export type OverlayRow = Static<typeof OverlayRow>
