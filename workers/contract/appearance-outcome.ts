// Schema of the effect of a write on the appearance of an annotation or widget.
import { type Static, Type } from 'typebox'
import { Words } from './words.js'

export const AppearanceOutcome = Type.Object({
  /**
   * - `preserved`: nothing visible was changed. - `regenerated`: drawn again. - `generation-unavailable`: something
   * visible was changed, but this server cannot draw the appearance. - `restored`: an undo restored the former
   * appearance.
   */
  action: Words(['preserved', 'regenerated', 'generation-unavailable', 'restored']),
  /** True if the appearance is different now. */
  changed: Type.Boolean(),
})
export type AppearanceOutcome = Static<typeof AppearanceOutcome>
