// Builds the bodies of updates from changed leaves, in the ways that the field table describes.
import { isEmpty, isObject, type Json, type JsonObject, leafKeys, ownMember } from '../value/tree.js'
import { fieldAt, isShared } from './fields.js'
import type { FieldTable, UpdateRequest } from './handler.js'
import { keepUndeclared, type Written } from './undeclared.js'

type ChangedBody = Pick<UpdateRequest, 'desired' | 'observed' | 'changes'> & Partial<Pick<UpdateRequest, 'remote'>>

/**
 * Returns the members that an update sends: those in which a leaf changed, each as a whole unless its field describes
 * how its map is patched. A leaf that is no longer wanted is sent as the field's `clear` value. With `remote`, what the
 * provider has in a member and nobody can declare is sent back with it.
 */
export function patchBody(
  fields: FieldTable,
  { desired, observed, changes, remote }: ChangedBody,
  written: Omit<Written, 'fields'> = {},
): JsonObject {
  const whole = remote ? keepUndeclared({ fields, ...written }, { desired, observed, remote }).body : desired
  const changed = new Map<string, Set<string>>()
  for (const { path } of changes) {
    const [member = '', key = ''] = leafKeys(path)
    changed.set(member, (changed.get(member) ?? new Set()).add(key))
  }
  const body: Record<string, Json> = {}
  for (const [member, keys] of changed) {
    const value = memberBody(fields, {
      member,
      wanted: desired[member],
      whole: whole[member],
      current: observed[member],
      changed: keys,
    })
    if (value !== undefined) body[member] = value
  }
  return body
}

/** Returns the whole wanted object, including `clear` values, for APIs that replace everything. */
export function fullBody(fields: FieldTable, desired: JsonObject): JsonObject {
  const body: Record<string, Json> = {}
  for (const member of new Set([
    ...Object.keys(fields).map((path) => leafKeys(path)[0] ?? ''),
    ...Object.keys(desired),
  ])) {
    if (member === '*') continue
    const value = sendable(fields, member, desired[member])
    if (value !== undefined) body[member] = value
  }
  return body
}

interface Member {
  readonly member: string
  readonly wanted: Json | undefined
  /** The wanted value as requests contain it. */
  readonly whole: Json | undefined
  readonly current: Json | undefined
  /** Keys of the map under which a leaf changed. */
  readonly changed: ReadonlySet<string>
}

function memberBody(fields: FieldTable, { member, wanted, whole, current, changed }: Member): Json | undefined {
  const { map } = fieldAt(fields, member)
  if (map === undefined || map === 'replace') return sendable(fields, member, whole)
  const wantedMap = isObject(wanted) ? wanted : {}
  const currentMap = isObject(current) ? current : {}
  // If only declared keys are ours, a declared key that was removed is among the changes, and the key of another client
  // is not.
  const removed = Object.keys(currentMap).filter(
    (key) => isEmpty(ownMember(wantedMap, key)) && (isOurs(fields, member, key) || changed.has(key)),
  )
  if (map === 'readMerge') {
    const remaining = Object.entries(currentMap).filter(([key]) => !removed.includes(key))
    return { ...Object.fromEntries(remaining), ...wantedMap }
  }
  return { ...wantedMap, ...Object.fromEntries(removed.map((key) => [key, map === 'patchNull' ? null : ''])) }
}

function isOurs(fields: FieldTable, member: string, key: string): boolean {
  return !isShared(fieldAt(fields, `${member}/${key}`))
}

function sendable(fields: FieldTable, member: string, wanted: Json | undefined): Json | undefined {
  const field = fieldAt(fields, member)
  if (field.local) return undefined
  if (!isEmpty(wanted)) return wanted
  return field.clear as Json | undefined
}
