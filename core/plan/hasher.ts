// Hashes leaves for comparison: with a key if they contain a secret, otherwise without.

import { createHash } from 'node:crypto'
import { fieldAt } from '../plugin/fields.js'
import type { Field, Handler } from '../plugin/handler.js'
import type { LeafHasher } from '../state/hashes.js'
import { canonical, type Json, type LeafPath, leafKeys, leafPath } from '../value/tree.js'
import { sensitiveHash } from './base.js'

/** Returns the handler's field for a leaf; for a leaf of a part, it is a field of the parts. */
export function fieldOf(handler: Handler, path: LeafPath): Field {
  const { parts } = handler
  if (!parts) return fieldAt(handler.fields, path)
  const keys = leafKeys(path)
  return keys[0] === parts.name ? fieldAt(parts.fields, leafPath(keys.slice(2))) : fieldAt(handler.fields, path)
}

/** Returns the key of the part that a leaf belongs to, if any. */
export function partKeyOf(handler: Handler, path: LeafPath): string | undefined {
  if (!handler.parts) return undefined
  const [first, key] = leafKeys(path)
  return first === handler.parts.name ? key : undefined
}

/** Returns a desired value in the form in which the provider shows it. */
export function comparable(field: Field, wanted: Json): Json {
  return field.digest && typeof wanted === 'string' ? createHash('sha256').update(wanted).digest('hex') : wanted
}

/** Hashes a leaf: synchronously for the many plain leaves, as a promise for the few sensitive ones. */
export function hashLeaf(
  hasher: LeafHasher,
  field: Field,
  value: Json,
  secrets: readonly string[],
): string | Promise<string> {
  const unordered = field.unordered === true
  if (secrets.length === 0 && !field.secret) return hasher.plain(value, { unordered })
  const keys = secrets.length > 0 ? secrets : [canonical(value)]
  return hasher.keyed(value, { unordered, secrets: keys }).then(sensitiveHash)
}

export type { LeafHasher }
