// Whose answers are whose: every caller has opIds of its own in every layer.
import { type Caller, subjectOf } from '../auth/caller.js'

/** No `sub` can pass for the API token. */
export const answersOf = (caller: Caller): string => (caller.kind === 'api' ? 'api' : `sub ${subjectOf(caller)}`)
