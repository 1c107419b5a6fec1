// What became of the drawing of an annotation or a widget that was changed.
import { type Static, Type } from 'typebox'
import { Words } from './words.js'

export const AppearanceOutcome = Type.Object({
  /**
   * - `preserved`: nothing that shows was changed.
   * - `regenerated`: redrawn.
   * - `generation-unavailable`: what shows was changed, but this kind of drawing cannot be made here.
   * - `restored`: an undo put the former drawing back.
   */
  action: Words(['preserved', 'regenerated', 'generation-unavailable', 'restored']),
  /** The drawing is another one now. */
  changed: Type.Boolean(),
})
export type AppearanceOutcome = Static<typeof AppearanceOutcome>
