// States of security scans of uploads, which have two sets of names.
import type { Readiness, Remote } from '../../core/plugin/handler.js'

const usable: ReadonlySet<unknown> = new Set(['available', 'active'])

/** Final states of uploads that a scan refused, with their meaning. */
const refused: Readonly<Record<string, string>> = {
  rejected: 'the security scan rejected it',
  unsafe: 'the security scan found it unsafe',
  type_rejected: 'files of this type are not accepted',
}

/** Returns the state of a scan. Scans of skills also have names that the reference lacks. */
export function scanState(status: unknown): ReturnType<Readiness['state']> {
  if (usable.has(status)) return 'ready'
  const failed = typeof status === 'string' ? refused[status] : undefined
  return failed === undefined ? 'pending' : { failed }
}

export const isDeleted = (remote: Remote): boolean => remote['status'] === 'deleted'
