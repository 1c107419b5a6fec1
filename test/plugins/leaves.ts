// Compares trees leaf by leaf, as the engine does.
import { createHash } from 'node:crypto'
import { fieldAt, isShared } from '../../core/plugin/fields.js'
import type { FieldTable, LeafChange } from '../../core/plugin/handler.js'
import { canonical, type Json, leavesOf, type Tree } from '../../core/value/tree.js'

/**
 * `applied`: what was wanted before, for leaves that are never answered and those that are no longer declared; without
 * it they are not compared.
 */
export function differences(fields: FieldTable, desired: Tree, observed: Tree, applied?: Tree): LeafChange[] {
  const wanted = leavesOf(desired)
  const current = leavesOf(observed)
  const former = leavesOf(applied ?? {})
  return [...new Set([...wanted.keys(), ...current.keys(), ...former.keys()])].flatMap((path) => {
    const field = fieldAt(fields, path)
    if (field.writeOnly && applied === undefined) return []
    const before = (field.writeOnly ? former : current).get(path)
    const after = wanted.get(path)
    const shown = field.digest && !field.writeOnly ? digestOf(after) : after
    const isReleased = field.owner === 'declared' && former.has(path)
    if (isShared(field) && after === undefined && !isReleased) return []
    return text(before, field.unordered) === text(shown, field.unordered) ? [] : [{ path, before, after }]
  })
}

/** Returns the form that the engine compares: providers return only the digest. */
function digestOf(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : createHash('sha256').update(String(value)).digest('hex')
}

function text(value: Json | undefined, unordered: true | undefined): string {
  if (value === undefined) return ''
  return unordered && Array.isArray(value) ? value.map(canonical).sort().join() : canonical(value)
}
