// Schema of where the text of a page stands: runs of glyphs, numbered like the characters of `doc.text`. The shape is that of
// the published CloudPDF clients.
import { type Static, Type } from 'typebox'
import { CountFromZero } from './numbers.js'
import { PageBox } from './page-box.js'
import { PageQuad } from './page-quad.js'

const marks = {
  /** Present if the glyph is white space. */
  space: Type.Optional(Type.Literal(true)),
  /** Present if the glyph has no area. */
  empty: Type.Optional(Type.Literal(true)),
}

const run = {
  /** Upright box around all glyphs. */
  rect: PageBox,
  /** Number of the first character in `doc.text`; the others follow. */
  start: CountFromZero,
  /** Points. */
  fontSize: Type.Number(),
}

/** Place of a glyph that stands upright: from the ascent to the descent of its font. */
export const UprightGlyph = Type.Object({ loose: PageBox, ...marks })
export type UprightGlyph = Static<typeof UprightGlyph>

export const TurnedGlyph = Type.Object({ loose: PageQuad, ...marks })
export type TurnedGlyph = Static<typeof TurnedGlyph>

export const UprightRun = Type.Object({ ...run, glyphs: Type.Array(UprightGlyph) })
export type UprightRun = Static<typeof UprightRun>

export const TurnedRun = Type.Object({
  ...run,
  glyphs: Type.Array(TurnedGlyph),
  /** Direction of writing on the unrotated page in degrees, clockwise from the right. */
  rotation: Type.Number(),
  /** True if the text is mirrored: its ascent is on the other side of the baseline. */
  ascentFlip: Type.Boolean(),
})
export type TurnedRun = Static<typeof TurnedRun>

/** Characters of one line with one size and direction. */
export const GlyphRun = Type.Union([TurnedRun, UprightRun])
export type GlyphRun = Static<typeof GlyphRun>

export const PageGeometry = Type.Object({
  /** In reading order. */
  runs: Type.Array(GlyphRun),
})
export type PageGeometry = Static<typeof PageGeometry>
