// Problems that every provider can report; their codes begin with the name of the provider.
import { fromTable, type ProblemTable } from '../../core/diagnostic.js'

export const sharedProblems = (provider: string): ProblemTable => ({
  [`${provider}.session-option`]: {
    severity: 'error',
    summary: 'The provider does not support a session option',
    meaning: 'The request for a session has an option that this provider, or this delivery, does not support.',
    example: 'Sessions have no tunnel here.',
    fix: 'Leave out the option.',
  },
  [`${provider}.session-without-environment`]: {
    severity: 'error',
    summary: 'A session needs an environment',
    example: 'Neither the agent helper nor the request for a session names one.',
    fix: 'Give the agent an environment, or name one for the session.',
  },
  [`${provider}.session-mount-repeated`]: {
    severity: 'error',
    summary: 'Two files of a session have the same mount path',
    meaning: 'A file without a mount_path is mounted under the name of its source, and two sources have the same name.',
    example: 'Two of the files that the request names would be mounted at /data/notes.md.',
    fix: 'Name one of them, and declare the other one under files of the agent with a mount_path of its own.',
  },
})

export const sharedProblem = (provider: string) => fromTable(sharedProblems(provider)).problem

/** Problems of skill packages, the same for all providers. */
export const skillProblems = {
  'skill.no-name': {
    severity: 'error',
    summary: 'A skill has no usable name',
    meaning: 'Providers know a skill by the name in the front matter of its SKILL.md.',
    example: 'skills/review/SKILL.md has no name.',
    fix: 'Begin SKILL.md with a front matter that has a name, such as: name: my-skill',
  },
} as const satisfies ProblemTable
