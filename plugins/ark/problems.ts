// Problems of Ark that are not reported by rules.
import { fromTable, type ProblemTable } from '../../core/diagnostic.js'
import { sharedProblems, skillProblems } from '../shared/problems.js'

const ownProblems = {
  'ark.agent-roster-kept': {
    severity: 'error',
    summary: 'The provider kept the roster',
    example:
      'The agent is no longer declared as a coordinator. The update that removes its roster was accepted, but the agent still has one.',
    fix: 'Remove the roster in the console of the provider and apply again.',
  },
  'ark.agent-changed-meanwhile': {
    severity: 'error',
    summary: 'The agent was changed by somebody else',
    example: 'Since it was read the agent got a new version with another content, which this update would overwrite.',
    fix: 'Plan again and look at what changed before you apply.',
  },
  'ark.run-without-events': {
    severity: 'error',
    summary: 'A run got its session but not its events',
    meaning: 'Ark has no deployments, so a run is a session that is sent the initial events.',
    example: 'The session s-1 was created and waits; its initial events could not be sent.',
    fix: 'Delete the session, and run the deployment again.',
  },
} as const satisfies ProblemTable

export const { problem } = fromTable<keyof typeof ownProblems>(ownProblems)

export const problems: ProblemTable = { ...ownProblems, ...sharedProblems('ark'), ...skillProblems }
