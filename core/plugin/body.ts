// Update bodies from what changed, by the dialect the field table names.
import { isEmpty, isObject, type Json, type JsonObject, leafKeys } from '../value/tree.js'
import { fieldAt } from './fields.js'
import type { FieldTable, UpdateRequest } from './handler.js'

type Changed = Pick<UpdateRequest, 'desired' | 'observed' | 'changes'>

/**
 * The members an update has to send: those in which a leaf changed, each whole unless its field says how its map is
 * patched. What is no longer wanted is sent as the field's `clear` value.
 */
export function patchBody(fields: FieldTable, { desired, observed, changes }: Changed): JsonObject {
  const members = new Set(changes.map(({ path }) => leafKeys(path)[0] ?? ''))
  const body: Record<string, Json> = {}
  for (const member of members) {
    const value = memberBody(fields, member, desired[member], observed[member])
    if (value !== undefined) body[member] = value
  }
  return body
}

/** The whole wanted object, `clear` values included: for APIs that replace everything. */
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

function memberBody(
  fields: FieldTable,
  member: string,
  wanted: Json | undefined,
  held: Json | undefined,
): Json | undefined {
  const { map } = fieldAt(fields, member)
  if (map === undefined || map === 'replace') return sendable(fields, member, wanted)
  const wantedMap = isObject(wanted) ? wanted : {}
  const heldMap = isObject(held) ? held : {}
  if (map === 'readMerge') return { ...heldMap, ...wantedMap }
  const removed = Object.keys(heldMap).filter((key) => isEmpty(wantedMap[key]) && isOurs(fields, member, key))
  return { ...wantedMap, ...Object.fromEntries(removed.map((key) => [key, map === 'patchNull' ? null : ''])) }
}

function isOurs(fields: FieldTable, member: string, key: string): boolean {
  return fieldAt(fields, `${member}/${key}`).owner !== 'declared'
}

function sendable(fields: FieldTable, member: string, wanted: Json | undefined): Json | undefined {
  const field = fieldAt(fields, member)
  if (field.local) return undefined
  if (!isEmpty(wanted)) return wanted
  return field.clear as Json | undefined
}
