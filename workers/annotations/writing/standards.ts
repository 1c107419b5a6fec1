// Default values of members that several subtypes share.
import type { Color } from '../../contract/color.js'

export const red: Color = '#ff0000'
export const yellow: Color = '#ffff00'

export const standardStroke = { color: red, opacity: 1, strokeWidth: 1, borderStyle: 'solid', dashArray: null } as const
export const standardFill = { ...standardStroke, interiorColor: null } as const
export const standardCaption = { captionEnabled: null, captionCenter: null, measure: null } as const
export const standardEndings = { lineEndings: { start: 'none', end: 'none' } } as const

/** Members whose values captions show. */
export const captionTexts = ['contents', 'measure'] as const
