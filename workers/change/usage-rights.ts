// Removes usage rights (`/Perms /UR3`, `/UR`), by which a file unlocks features of the program of their vendor (ISO
// 32000-2, 12.8.2.3). Any edit by another program invalidates them, and that program then warns of the file.
import { entry, isDictionary, isMissing, objectNumberOf } from '../objects/values.js'
import type { Change } from './change.js'

const keys = ['UR', 'UR3'] as const

/**
 * Removes the rights, and returns true if there were any. They stay in a signed document, whose signatures cover them.
 * `/Perms` itself stays, so that it merges with a certification of another layer.
 */
export function removeUsageRights(change: Change): boolean {
  const { catalog } = change.document
  const permissions = entry(catalog, 'Perms')
  if (change.protection.isSigned || !isDictionary(permissions)) return false
  const found = keys.filter((key) => !isMissing(entry(permissions, key)))
  if (found.length === 0) return false
  change.touch(objectNumberOf(permissions) === undefined ? catalog : permissions)
  for (const key of found) permissions.delete(key)
  return true
}
