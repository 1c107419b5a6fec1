// The text of a page, and how its characters are numbered where that differs from UTF-16 units.
import { type Static, Type } from 'typebox'
import { CountFromZero } from './numbers.js'

export const PageText = Type.Object({
  text: Type.String(),
  charCount: CountFromZero,
  /** Anchors: [character index, offset in `text`]. */
  charMap: Type.Optional(Type.Array(Type.Tuple([CountFromZero, CountFromZero]))),
})
export type PageText = Static<typeof PageText>
