// Key of a caller in the answer table: each caller has its own opIds in each layer.
import { type Caller, subjectOf } from './caller.js'

/**
 * Returns a key that no `sub` can forge for the API token. People who share one `sub` (a team, an application) are
 * distinguished by `userId`, so that nobody undoes, or receives the response of, another person's change.
 */
export function callerKeyOf(caller: Caller): string {
  if (caller.kind === 'api') return 'api'
  const userId = caller.kind === 'document' ? caller.person.userId : undefined
  const sub = subjectOf(caller)
  return userId === undefined ? `sub ${sub}` : `user ${JSON.stringify([sub, userId])}`
}
