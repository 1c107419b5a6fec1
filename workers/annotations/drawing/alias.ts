// Resource names of standard fonts.
import type { StandardFont } from '../../contract/standard-font.js'
import { fontAliases } from '../../text/fonts.js'
import { wordFor } from '../entries.js'

/** Returns the usual resource name of a standard font: `Helv`. */
export const aliasOf = (font: StandardFont): string => wordFor(fontAliases, font) ?? 'Helv'
