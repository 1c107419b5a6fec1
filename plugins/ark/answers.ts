// Members common to all responses of this API.
import type { Remote } from '../../core/plugin/handler.js'
import type { Outputs } from '../../core/plugin/scope.js'

export const idOutput = (remote: Remote): Outputs => ({ id: String(remote['id']) })

/** Returns the object's display name. */
export function calledName({ name }: Remote): string | undefined {
  return typeof name === 'string' ? name : undefined
}

/** Parses creation times: RFC 3339 text, but Unix seconds for files and skills. */
export function createdAtMs(remote: Remote): number | undefined {
  const told = remote['created_at']
  const ms = typeof told === 'number' ? told * 1000 : typeof told === 'string' ? Date.parse(told) : Number.NaN
  return Number.isFinite(ms) ? ms : undefined
}
