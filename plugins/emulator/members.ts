// Changes the members of an object whose keys a client chose. They are never assigned: `__proto__` is a key like any other.
import type { Json, JsonObject } from '../../core/value/tree.js'

/** Returns the object with these members; a member of undefined is left out. */
export function changeMembers(
  object: JsonObject,
  members: Iterable<readonly [key: string, value: Json | undefined]>,
): JsonObject {
  const all = new Map(Object.entries(object))
  for (const [key, value] of members) {
    if (value === undefined) all.delete(key)
    else all.set(key, value)
  }
  return Object.fromEntries(all)
}
