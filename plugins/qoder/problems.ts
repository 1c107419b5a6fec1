// Problems of Qoder that are not reported by rules.
import { fromTable, type ProblemTable } from '../../core/diagnostic.js'
import { sharedProblems, skillProblems } from '../shared/problems.js'

const ownProblems = {
  'qoder.shared-across-deliveries': {
    severity: 'error',
    summary: 'A resource is used by managed and forward agents',
    meaning: "Qoder has two APIs, and neither sees the other's objects. External environments may serve both.",
    example:
      'The vault "keys" is used by agent "a" in the managed API and by agent "b" in the forward API, which cannot see each other\'s objects.',
    fix: 'Declare a second resource for one of them.',
  },
  'qoder.run-failed': {
    severity: 'error',
    summary: 'A run could not start',
    example: 'run_1 has no session: the environment is archived.',
    fix: 'Run "agents apply" to restore what the deployment needs.',
  },
  'qoder.mount-id': {
    severity: 'error',
    summary: 'The id of a mount is not valid',
    example: '"mem_1" is not an identity, a template and a memory store with slashes between them.',
    fix: 'Write IDENTITY/TEMPLATE/STORE.',
  },
  'qoder.default-memory-still-mounted': {
    severity: 'error',
    summary: 'The default memory store is still mounted',
    meaning: 'Qoder unmounts a system-managed store some time after its template and identity are gone.',
    example: 'Qoder has not unmounted mem_1 yet, and deletes it only then: the store is mounted',
    fix: 'Run "agents destroy" again later; the store is kept in state until then.',
  },
  'qoder.default-memory-kept': {
    severity: 'note',
    summary: 'The default memory store is still in use',
    meaning:
      'Another identity or agent replaced the one in agents.yaml, and both that the store belongs to still exist.',
    example: 'mem_1 was left alone: the identity and the agent whose sessions write to it are still there.',
    fix: 'Nothing needs to be done; delete it at Qoder once nobody needs it.',
  },
  'qoder.default-memory-unknown': {
    severity: 'warning',
    summary: 'A default memory store may be left',
    meaning:
      'Identity or template were removed elsewhere before the id of this store was recorded, and only they identify it.',
    example: 'The identity idn_1, or the template, is gone. Left alone: mem_1.',
    fix: 'Check these stores at Qoder, and delete those that nobody needs.',
  },
  'qoder.schedule-kept': {
    severity: 'error',
    summary: 'The schedule of a deployment cannot be removed',
    example: 'Qoder refused to remove the schedule of dep_1: schedule is required',
    fix: 'Remove the deployment and apply, then declare it again without a schedule.',
  },
  'qoder.session-without-identity': {
    severity: 'error',
    summary: 'A forward session acts for an identity',
    example: 'The request for a session of helper names none, and neither does defaults.identity.',
    fix: 'Add --identity, or declare an identity and name it in defaults.identity.',
  },
  'qoder.session-environment-variable': {
    severity: 'error',
    summary: 'An environment variable cannot be written for Qoder',
    meaning: 'Managed sessions take variables as one text, KEY=VALUE;KEY=VALUE.',
    example: 'The value of PATHS has a semicolon, which separates variables there.',
    fix: 'Use another name or value, or an environment_variable credential of a vault.',
  },
  'qoder.skill-renamed': {
    severity: 'error',
    summary: 'A skill cannot change its name',
    example: 'The skill is called "review" at Qoder, and SKILL.md now says "check".',
    fix: 'Declare the renamed skill under a new key, and remove the old one.',
  },
  'qoder.answer-without-id': {
    severity: 'error',
    summary: 'Qoder answered without an id',
    example: 'The answer has an object without an "id", so it cannot be recorded.',
    fix: 'Check that providers.qoder.gateway is the address of the Qoder API.',
  },
} as const satisfies ProblemTable

export const { diagnostic, problem } = fromTable<keyof typeof ownProblems>(ownProblems)

export const problems: ProblemTable = { ...ownProblems, ...sharedProblems('qoder'), ...skillProblems }
