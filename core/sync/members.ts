// Members of nested maps by their paths, and items of lists, for bodies of declarations.
import { isObject, type Json, type JsonObject, ownMember } from '../value/tree.js'

export function memberAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let current = value
  for (const key of path) current = isObject(current) ? ownMember(current, key) : undefined
  return current
}

/** Sets a member; undefined removes it. */
export function withMember(body: JsonObject, path: readonly string[], value: Json | undefined): JsonObject {
  const [key, ...inner] = path
  if (key === undefined) return isObject(value) ? value : body
  const current = ownMember(body, key)
  const member = inner.length === 0 ? value : withMember(isObject(current) ? current : {}, inner, value)
  if (member !== undefined) return { ...body, [key]: member }
  const { [key]: _, ...rest } = body
  return rest
}

/** Members that identify an item in a list. */
const identifying = ['name', 'url', 'source'] as const

/** Returns the value that identifies an item of a list. An item with a type may have it under the name of the type. */
export function identityOf(item: Json): Json | undefined {
  if (!isObject(item)) return undefined
  return [...identifying, String(item['type'])].map((key) => ownMember(item, key)).find((value) => value !== undefined)
}
