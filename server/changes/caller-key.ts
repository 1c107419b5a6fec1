// Whose answers are whose: every caller has opIds of its own in every layer.
import { type Caller, subjectOf } from '../auth/caller.js'

/**
 * No `sub` can pass for the API token. Several people may share one `sub` (a team, an application): what each of them did
 * is told apart by `userId`, so that nobody takes back, or is answered, what another one changed.
 */
export function answersOf(caller: Caller): string {
  if (caller.kind === 'api') return 'api'
  const userId = caller.kind === 'document' ? caller.person.userId : undefined
  const sub = subjectOf(caller)
  return userId === undefined ? `sub ${sub}` : `user ${JSON.stringify([sub, userId])}`
}
