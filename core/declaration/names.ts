// Names that are hard to print or to compare: names are part of addresses, of state and of ownership marks.
import { hasRefusedCharacters } from './text-reader.js'

/**
 * Characters that break lines, change the direction of text or have no width: with them two different names can look
 * the same.
 */
const invisible = /[\n\r\t\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\u2060\ufeff]/u

interface NameFault {
  readonly is: (name: string, lengthMax: number) => boolean
  readonly detail: (lengthMax: number) => string
}

const nameFaults: readonly NameFault[] = [
  { is: (name) => name === '', detail: () => 'The name is empty.' },
  {
    is: (name, lengthMax) => name.length > lengthMax,
    detail: (lengthMax) => `The name is longer than ${lengthMax} characters.`,
  },
  {
    is: (name) => name.includes('${'),
    detail: () => 'The name contains ${…}, and variables are not expanded in names.',
  },
  { is: (name) => name.trim() !== name, detail: () => 'The name begins or ends with a blank.' },
  {
    is: (name) => hasRefusedCharacters(name) || invisible.test(name),
    detail: () => 'The name contains a character that cannot be shown.',
  },
]

/** Returns what is wrong with a name, or undefined. */
export function nameFault(name: string, lengthMax: number): string | undefined {
  return nameFaults.find(({ is }) => is(name, lengthMax))?.detail(lengthMax)
}
