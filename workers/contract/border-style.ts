// Styles of borders.
import type { Static } from 'typebox'
import { Words } from './words.js'

export const BorderStyle = Words(['solid', 'dashed', 'beveled', 'inset'])
export type BorderStyle = Static<typeof BorderStyle>
