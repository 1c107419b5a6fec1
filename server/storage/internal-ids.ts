// Internal ids, used in all keys. They sort by creation time, so that reverse key order is newest first, and are never
// reused, unlike ids chosen by clients.
import { type Random, systemRandom } from '../../core/ports/random.js'

/** Number of digits of the time, enough until the year 5188. */
const timeDigits = 9
/** Random digits of a version 4 UUID, without the fixed version digit. */
const randomDigits = 19

/**
 * Returns nine digits of time (base 36) and 74 random bits: `0mhxk2f3a` + hexadecimal. Lower case only, safe for file
 * names.
 */
export function newInternalId(nowMs: number, random: Random = systemRandom): string {
  const time = Math.max(0, Math.trunc(nowMs)).toString(36).padStart(timeDigits, '0')
  return `${time}${random.uuid().replaceAll('-', '').slice(-randomDigits)}`
}

/** Returns the time of an internal id, in milliseconds since 1970. */
export const timeOfInternalId = (id: string): number => Number.parseInt(id.slice(0, timeDigits), 36)
