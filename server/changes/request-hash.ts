// What a change is, whatever order its members came in and whatever its files were called: the same opId with another hash
// is another change.
import type { Resources } from '../operation.js'
import { withKeysReplaced } from './resource-keys.js'
import type { Sealing } from './sealing.js'
import type { ChangeWork } from './words.js'

export function requestHashOf(work: ChangeWork, resources: Resources, sealing: Sealing): string {
  const named =
    'ops' in work
      ? { ops: work.ops.map((op) => withKeysReplaced(op, (key) => resources[key]?.sha256 ?? `missing ${key}`)) }
      : work
  return sealing.fingerprint(canonicalJson(named))
}

/** JSON whose members stand in the order of their names. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value))
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  // Entries, so that a member of any name is one.
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]))
}
