// Schema of the text of a page, with anchors where character numbers differ from UTF-16 offsets.
import { type Static, Type } from 'typebox'
import { CountFromZero } from './numbers.js'

/** Pair in the form of JSON Schema 2020-12, which OpenAPI 3.1 uses. */
const Anchor = Type.Unsafe<[number, number]>({
  type: 'array',
  prefixItems: [CountFromZero, CountFromZero],
  items: false,
  minItems: 2,
})

export const PageText = Type.Object({
  text: Type.String(),
  charCount: CountFromZero,
  /** Anchors: [character index, offset in `text`]. */
  charMap: Type.Optional(Type.Array(Anchor)),
})
export type PageText = Static<typeof PageText>
