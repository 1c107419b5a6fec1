// Detects changes that replace variables by literal texts. Resources are compared, not declarations, because a resource
// may contain variables of other declarations, for example a deployment those of its agent.

import { Problem } from '../diagnostic.js'
import { buildResource } from '../graph/resource.js'
import type { Declaration } from '../plugin/declaration.js'
import { placeholdersIn } from '../value/placeholder.js'
import { isObject, type Json } from '../value/tree.js'
import { type DifferencesRequest, placementOf } from './differences.js'
import type { Discovered } from './discover.js'

/** True if the resource after the change has fewer variables, and texts that it did not have before. */
export function losesVariable(
  request: Omit<DifferencesRequest, 'values' | 'hasher'>,
  object: Discovered,
  before: Declaration,
  after: Declaration,
): boolean {
  try {
    const desired = (declaration: Declaration) => buildResource(placementOf(request, object, declaration)).desired
    const [current, written] = [desired(before), desired(after)]
    const [had, has] = [variablesIn(current), variablesIn(written)]
    if ([...had].every(([name, count]) => (has.get(name) ?? 0) >= count)) return false
    const known = new Set(textsIn(current))
    return textsIn(written).some((text) => !known.has(text))
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

function variablesIn(value: Json): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const open of placeholdersIn(value))
    if (open.type === 'variable') counts.set(open.name, (counts.get(open.name) ?? 0) + 1)
  return counts
}

/** Returns all texts of a value, keys included. */
function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsIn(item))
  return isObject(value) ? Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)]) : []
}
