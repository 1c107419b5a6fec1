// Reads the blend mode of an annotation: /BM since PDF 2.0, else the graphics state of its appearance.
import type { PDFObject } from 'mupdf'
import type { BlendMode } from '../../contract/blend-mode.js'
import { lookUp } from '../../objects/look-up.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { entriesOf, entry, isArray, isMissing, nameOf } from '../../objects/values.js'

export const blendModes: Readonly<Record<string, BlendMode>> = {
  Normal: 'normal',
  Compatible: 'normal',
  Multiply: 'multiply',
  Screen: 'screen',
  Overlay: 'overlay',
  Darken: 'darken',
  Lighten: 'lighten',
  ColorDodge: 'color-dodge',
  ColorBurn: 'color-burn',
  HardLight: 'hard-light',
  SoftLight: 'soft-light',
  Difference: 'difference',
  Exclusion: 'exclusion',
  Hue: 'hue',
  Saturation: 'saturation',
  Color: 'color',
  Luminosity: 'luminosity',
}

export function blendModeOf(annotation: PDFObject): BlendMode {
  const own = lookUp(blendModes, nameOf(entry(annotation, 'BM')))
  if (own !== undefined) return own
  const appearance = entry(annotation, 'AP', 'N')
  // Readers draw a highlight without an appearance such that the text stays readable.
  if (isMissing(appearance)) return nameOf(entry(annotation, 'Subtype')) === 'Highlight' ? 'multiply' : 'normal'
  const states = entriesOf(entry(appearance, 'Resources', 'ExtGState'), readingLimits.appearanceStatesMax)
  const modes = states.map(([, state]) => lookUp(blendModes, nameIn(entry(state, 'BM'))))
  return modes.find((mode) => mode !== undefined && mode !== 'normal') ?? 'normal'
}

/** Returns the name; a list contains the mode and its fallbacks. */
const nameIn = (value: PDFObject): string | undefined => nameOf(isArray(value) ? entry(value, 0) : value)
