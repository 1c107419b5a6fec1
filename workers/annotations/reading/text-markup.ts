// Highlights, and lines under, along and through text.
import { entry, nameOf } from '../../objects/values.js'
import type { ReadAnnotation } from './annotation-source.js'
import { colourOf } from './families.js'
import { quadsOf } from './quads.js'

export const readHighlight: ReadAnnotation = (source, common) => ({
  subtype: 'highlight',
  ...common,
  ...colourOf(source),
  ...quadsOf(source),
})

export const readUnderline: ReadAnnotation = (source, common) => ({
  subtype: 'underline',
  ...common,
  ...colourOf(source),
  ...quadsOf(source),
})

export const readSquiggly: ReadAnnotation = (source, common) => ({
  subtype: 'squiggly',
  ...common,
  ...colourOf(source),
  ...quadsOf(source),
})

export const readStrikeout: ReadAnnotation = (source, common) => ({
  subtype: 'strikeout',
  ...common,
  ...colourOf(source),
  ...quadsOf(source),
  intent: nameOf(entry(source.object, 'IT')) === 'StrikeOutTextEdit' ? 'strikeout-text-edit' : null,
})
