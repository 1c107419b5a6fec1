// Styles of line endings (ISO 32000-2, table 179).
import { type Static, Type } from 'typebox'
import { Words } from './words.js'

export const LineEnding = Words([
  'none',
  'square',
  'circle',
  'diamond',
  'open-arrow',
  'closed-arrow',
  'butt',
  'r-open-arrow',
  'r-closed-arrow',
  'slash',
])
export type LineEnding = Static<typeof LineEnding>

export const LineEndings = Type.Object({ start: LineEnding, end: LineEnding })
export type LineEndings = Static<typeof LineEndings>
