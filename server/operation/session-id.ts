// Session id of a viewer, which recognises its own changes in the event stream by it.
import type { Context } from './operation.js'

/** Returns null for a malformed id: it has no effect on the change, so it is ignored. */
export function sessionOf({ headers }: Pick<Context, 'headers'>): string | null {
  const id = headers['x-engine-session-id']
  return typeof id === 'string' && /^[\x21-\x7e]{1,256}$/.test(id) ? id : null
}
