// What is the same in every answer of this API.
import type { Remote } from '../../core/plugin/handler.js'
import type { Outputs } from '../../core/plugin/scope.js'

export const idOutput = (remote: Remote): Outputs => ({ id: String(remote['id']) })

/** Archived objects still answer to their id. */
export const isArchived = (remote: Remote): boolean => Boolean(remote['archived_at'])

export function createdAtMs(remote: Remote): number | undefined {
  const told = remote['created_at']
  const ms = typeof told === 'string' ? Date.parse(told) : Number.NaN
  return Number.isFinite(ms) ? ms : undefined
}
