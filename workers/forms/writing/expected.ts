// Compares the current members with those that the caller expects.
import { isDeepStrictEqual } from 'node:util'
import { JobRefusal } from '../../contract/job-refusal.js'

/** Throws `ChangeConflict` that names the members which differ. */
export function mustBeAsExpected(expected: object | undefined, current: object): void {
  if (expected === undefined) return
  const known = new Map(Object.entries(current))
  const fields = Object.entries(expected)
    .filter(([member, value]) => !isDeepStrictEqual(value, known.get(member)))
    .map(([member]) => member)
  if (fields.length > 0) {
    throw new JobRefusal('ChangeConflict', `Current values differ from the expected ones: ${fields.join(', ')}`, {
      fields,
    })
  }
}
