// Fields that signatures lock (ISO 32000-2, 12.8.2.4 and table 236).
import type { FieldLock } from '../../../contract/signatures/field-lock.js'

export const isLockedBy = (locks: readonly FieldLock[], fullName: string): boolean =>
  locks.some((lock) => isInLock(lock, fullName))

function isInLock({ action, fields }: FieldLock, fullName: string): boolean {
  const isNamed = fields.some((name) => fullName === name || fullName.startsWith(`${name}.`))
  return action === 'all' || (action === 'include') === isNamed
}
