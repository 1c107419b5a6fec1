// What a change is, whatever order its members came in and whatever its files were called: the same opId with another hash
// is another change.
import { invalidArg } from '../errors.js'
import type { Resources } from '../operation.js'
import { withKeysReplaced } from './resource-keys.js'
import type { Sealing } from './sealing.js'
import type { ChangeWork } from './words.js'

/** No op is nested deeper; what is could break whoever walks it. */
const depthMax = 100

/** Throws `InvalidArg` for what is nested too deeply. */
export function requestHashOf(work: ChangeWork, resources: Resources, sealing: Sealing): string {
  const named =
    'ops' in work
      ? { ops: work.ops.map((op) => withKeysReplaced(op, (key) => resources[key]?.sha256 ?? `missing ${key}`)) }
      : work
  return sealing.fingerprint(canonicalJson(named))
}

/** JSON whose members stand in the order of their names. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value, 0))
}

function sorted(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > depthMax) throw invalidArg(`A change is not nested more than ${depthMax} levels deep`)
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1))
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  // Entries, so that a member of any name is one.
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member, depth + 1)]))
}
