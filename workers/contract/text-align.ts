// Alignments of text in its box; only rich text can be justified.
import type { Static } from 'typebox'
import { Words } from './words.js'

export const TextAlign = Words(['left', 'center', 'right'])
export type TextAlign = Static<typeof TextAlign>

export const ParagraphAlign = Words(['left', 'center', 'right', 'justify'])
export type ParagraphAlign = Static<typeof ParagraphAlign>

export const VerticalAlign = Words(['top', 'middle', 'bottom'])
export type VerticalAlign = Static<typeof VerticalAlign>
