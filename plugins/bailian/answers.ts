// What is the same in every answer of this API.
import type { Remote } from '../../core/plugin/handler.js'
import type { Outputs } from '../../core/plugin/scope.js'
import { isObject, type Json, type JsonObject } from '../../core/value/tree.js'

export const idOutput = (remote: Remote): Outputs => ({ id: String(remote['id']) })

/** Archived objects still answer to their id. */
export const isArchived = (remote: Remote): boolean => Boolean(remote['archived_at'])

export function createdAtMs(remote: Remote): number | undefined {
  const told = remote['created_at']
  const ms = typeof told === 'string' ? Date.parse(told) : Number.NaN
  return Number.isFinite(ms) ? ms : undefined
}

/** Returns the object's name for people. */
export function calledName({ name, display_name }: Remote): string | undefined {
  const called = name ?? display_name
  return typeof called === 'string' && called !== '' ? called : undefined
}

export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

export const objectsOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []
