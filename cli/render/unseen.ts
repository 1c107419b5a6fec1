// Makes characters visible that look like nothing or like a blank, where two texts otherwise look the same.
import { visible } from './text.js'

/** Blanks other than U+0020, and CR. */
const unseen = /[\r\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g
const namedForms: Readonly<Record<string, string>> = { '\r': '\\r', '\t': '\\t', ' ': '·' }

/** Returns how a line looks, for comparison. */
export function lookOf(line: string): string {
  return visible(line.replace(unseen, (one) => (one === '\r' ? '' : ' '))).trimEnd()
}

/** Returns the line with CR, trailing blanks and blanks other than U+0020 written out. */
export function withUnseen(line: string): string {
  const ended = line.replace(/[ \t]+(?=\r?$)/, (blanks) => blanks.replace(/[ \t]/g, formOf))
  return visible(ended.replace(unseen, formOf))
}

function formOf(character: string): string {
  return namedForms[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
