// Contract of a region whose content is to be removed, and of the drawing that replaces it.
import { type Static, Type } from 'typebox'
import { Color } from '../color.js'
import { Nullable } from '../nullable.js'
import { Length } from '../numbers.js'
import { PageQuad } from '../page-quad.js'
import { StandardFont } from '../standard-font.js'
import { TextAlign } from '../text-align.js'
import { colourMembers } from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const Redact = subtypeContract({
  subtype: 'redact',
  name: 'Redact',
  members: {
    ...colourMembers,
    /** Quads of the region; one that equals `rect` if the file states no quads. */
    quadPoints: Type.Array(PageQuad, { minItems: 1 }),
    interiorColor: Nullable(Color),
    overlayText: Nullable(Type.String()),
    repeat: Type.Boolean(),
    fontFamily: StandardFont,
    /** Font size in points; 0 = as large as fits. */
    fontSize: Length,
    fontColor: Color,
    textAlign: TextAlign,
  },
  write: {
    requiredOneOf: ['rect', 'quadPoints'],
    /** Null = `rect` is the region. */
    written: { quadPoints: Nullable(Type.Array(PageQuad, { minItems: 1 })) },
  },
})
export type RedactAnnotation = Static<typeof Redact.schema>
