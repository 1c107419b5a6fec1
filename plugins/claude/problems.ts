// Problems of Claude that are not reported by rules.
import { fromTable, type ProblemTable } from '../../core/diagnostic.js'
import { sharedProblems, skillProblems } from '../shared/problems.js'

const ownProblems = {
  'claude.identity-token': {
    severity: 'error',
    summary: 'The identity token of this workload cannot be used',
    example: 'The identity token in /var/run/secrets/anthropic/token cannot be read: ENOENT.',
    fix: 'Check token_file under workload_identity, and whether the platform has written the file.',
  },
  'claude.run-failed': {
    severity: 'error',
    summary: 'A run could not start',
    meaning: 'Claude pauses a deployment when something it needs is missing.',
    example: 'run_1 has no session: the environment is archived.',
    fix: 'Run "agents apply" to restore what the deployment needs, then resume it.',
  },
  'claude.skill-renamed': {
    severity: 'error',
    summary: 'A skill cannot change its name',
    example: 'SKILL.md now says notes, but every version of this skill is named release-notes.',
    fix: 'Keep the name in SKILL.md, or declare the folder under another key so that it becomes a new skill.',
  },
} as const satisfies ProblemTable

export const { problem } = fromTable<keyof typeof ownProblems>(ownProblems)

export const problems: ProblemTable = { ...ownProblems, ...sharedProblems('claude'), ...skillProblems }
