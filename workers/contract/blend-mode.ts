// Blend modes of annotations (ISO 32000-2, 11.3.5).
import type { Static } from 'typebox'
import { Words } from './words.js'

export const blendModes = [
  'normal',
  'multiply',
  'screen',
  'overlay',
  'darken',
  'lighten',
  'color-dodge',
  'color-burn',
  'hard-light',
  'soft-light',
  'difference',
  'exclusion',
  'hue',
  'saturation',
  'color',
  'luminosity',
] as const
export const BlendMode = Words(blendModes)
export type BlendMode = Static<typeof BlendMode>
