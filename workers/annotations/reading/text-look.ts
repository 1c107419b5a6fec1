// How the text of an annotation looks: font, size and colour from its default appearance.
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

/** `resources`: dictionaries in which the font may be found. */
export function textLookOf(defaultAppearance: PDFObject, resources: readonly PDFObject[]): TextLook {
  const appearance = parseDefaultAppearance(appearanceStringOf(defaultAppearance))
  return { ...appearance, fontFamily: standardFontOfResource(appearance.fontName, resources) }
}

/** /Q: quadding. Undefined = not said. */
export const alignOf = (quadding: PDFObject): TextAlign | undefined => aligns[integerOf(quadding) ?? -1]

/** Dictionaries in which fonts of an annotation are looked for: its appearance's, then the form's. */
export const fontResources = (object: PDFObject, form: PDFObject): readonly PDFObject[] => [
  entry(object, 'AP', 'N', 'Resources'),
  entry(form, 'DR'),
]
