// The session of a viewer, which tells its own changes from those of others by it in the event stream.
import type { Context } from '../operation/operation.js'

/** What is no name is left out rather than refused: it says nothing about the change. */
export function sessionOf({ headers }: Pick<Context, 'headers'>): string | null {
  const given = headers['x-engine-session-id']
  return typeof given === 'string' && /^[\x21-\x7e]{1,256}$/.test(given) ? given : null
}
