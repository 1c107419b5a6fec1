// U+0000 in what a client sends. Strings end there in the PDF engine and in most readers of the file, so what follows would
// be lost without a word: no text has it.
import { isMembers, stepTo } from './telling-words.js'

export const hasNul = (text: string): boolean => text.includes('\0')

/** JSON pointer to the first text or name of a member that has it. The depth of `value` is bounded by the caller. */
export function nulIn(value: unknown): string | undefined {
  if (typeof value === 'string') return hasNul(value) ? '' : undefined
  const members = Array.isArray(value) ? value.entries() : isMembers(value) ? Object.entries(value) : []
  for (const [key, member] of members) {
    const name = `${key}`
    const within = hasNul(name) ? '' : nulIn(member)
    if (within !== undefined) return `${stepTo(name.replaceAll('\0', '\ufffd'))}${within}`
  }
  return undefined
}
