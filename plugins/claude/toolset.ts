// Name of the set of built-in tools, which services that speak this wire version by themselves.
import { isObject, type Json } from '../../core/value/tree.js'

export const builtinToolset = 'agent_toolset_20260401'

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
