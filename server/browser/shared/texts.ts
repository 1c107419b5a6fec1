// Texts of the viewer, in every language.
import { textsIn } from './language.js'
import { chinese } from './languages/chinese.js'
import { english } from './languages/english.js'
import { german } from './languages/german.js'

export { language } from './language.js'
export type { TextName } from './languages/english.js'

/** Returns a text in the language of the reader. */
export const text = textsIn({ en: english, de: german, zh: chinese })
