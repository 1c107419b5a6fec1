// Decides whether the owner of a row accepts writes: a tenant or document being deleted does not.
import type { Reference } from './row-kind.js'
import { rowKinds } from './row-kinds.js'
import type { Value } from './store.js'

export function isAlive({ table, key }: Reference, value: Value | undefined): boolean {
  if (value === undefined) return false
  if (table === rowKinds.tenants.name) return rowKinds.tenants.decode({ key, value }).status !== 'deleting'
  return rowKinds.documents.decode({ key, value }).state !== 'deleting'
}
