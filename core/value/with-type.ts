// Renames what the `type` members of a value say, for services that name the same thing in their own way.
import { isObject, type Json } from './tree.js'

/** Returns the value with every `type` that is one name replaced by another one. */
export function withType(value: Json, from: string, to: string): Json {
  if (Array.isArray(value)) return value.map((item) => withType(item, from, to))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === 'type' && member === from ? to : withType(member ?? null, from, to),
    ]),
  )
}
