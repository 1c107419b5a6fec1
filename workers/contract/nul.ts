// Finds U+0000 in client input. Strings end there in the PDF engine and in most readers, so the rest would be lost
// without an error: no text may contain it.
import { isMembers, stepTo } from './schema-error-messages.js'

export const hasNul = (text: string): boolean => text.includes('\0')

/** Returns a JSON pointer to the first string or member name with U+0000. The caller limits the depth of `value`. */
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
