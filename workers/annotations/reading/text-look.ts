// Reads the look of an annotation's text, font, size and colour, from its default appearance.
import type { PDFObject } from 'mupdf'
import type { StandardFont } from '../../contract/standard-font.js'
import type { TextAlign } from '../../contract/text-align.js'
import { entry, integerOf } from '../../objects/values.js'
import { appearanceStringOf, type DefaultAppearance, parseDefaultAppearance } from '../../text/default-appearance.js'
import { standardFontOfResource } from '../../text/fonts.js'

export interface TextLook extends DefaultAppearance {
  readonly fontFamily: StandardFont | undefined
}

export const aligns: readonly TextAlign[] = ['left', 'center', 'right']

/** Returns the look. `resources`: dictionaries that may contain the font. */
export function textLookOf(defaultAppearance: PDFObject, resources: readonly PDFObject[]): TextLook {
  const appearance = parseDefaultAppearance(appearanceStringOf(defaultAppearance))
  return { ...appearance, fontFamily: standardFontOfResource(appearance.fontName, resources) }
}

/** Reads /Q (quadding); undefined if it is missing. */
export const alignOf = (quadding: PDFObject): TextAlign | undefined => aligns[integerOf(quadding) ?? -1]

/** Returns the dictionaries in which fonts of an annotation are searched: its appearance's, then the form's. */
export const fontResources = (object: PDFObject, form: PDFObject): readonly PDFObject[] => [
  entry(object, 'AP', 'N', 'Resources'),
  entry(form, 'DR'),
]
