// Security scans of uploads: two vocabularies of states, one meaning.
import type { Readiness, Remote } from '../../core/plugin/handler.js'

const usable: ReadonlySet<unknown> = new Set(['available', 'active'])

/** States that no waiting changes, and what they mean. */
const refused: Readonly<Record<string, string>> = {
  rejected: 'the security scan rejected it',
  unsafe: 'the security scan found it unsafe',
  type_rejected: 'files of this type are not accepted',
}

/** Returns the state of a scan; skills may use words of their own besides those of the reference. */
export function scanState(status: unknown): ReturnType<Readiness['state']> {
  if (usable.has(status)) return 'ready'
  const failed = typeof status === 'string' ? refused[status] : undefined
  return failed === undefined ? 'pending' : { failed }
}

export const isDeleted = (remote: Remote): boolean => remote['status'] === 'deleted'
