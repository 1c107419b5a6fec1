// The fourteen standard fonts, which every PDF reader has.
import type { Static } from 'typebox'
import { Words } from './words.js'

export const StandardFont = Words([
  'courier',
  'courier-bold',
  'courier-bold-oblique',
  'courier-oblique',
  'helvetica',
  'helvetica-bold',
  'helvetica-bold-oblique',
  'helvetica-oblique',
  'times-roman',
  'times-bold',
  'times-bold-italic',
  'times-italic',
  'symbol',
  'zapf-dingbats',
])
export type StandardFont = Static<typeof StandardFont>
