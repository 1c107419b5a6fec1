// Problems of applying a plan, and reasons to wait.
import type { ProblemTable } from '../diagnostic.js'

export const applyProblems = {
  'apply.state-moved': {
    severity: 'error',
    summary: 'State changed after the plan was made',
    meaning: 'Another run applied something between planning and applying, so the plan may no longer be right.',
    example: 'Another run changed the state in between. Nothing was changed.',
    fix: 'Plan again.',
  },
  'apply.waits-for': {
    severity: 'note',
    summary: 'The resource waits for another one',
    meaning: 'Something it depends on was created, but the provider has not made it ready yet.',
    example: 'acme.skill.review is not ready yet.',
    fix: 'Run "agents apply" again.',
  },
  'apply.skipped': {
    severity: 'note',
    summary: 'The change was not attempted',
    meaning: 'Something it depends on failed. Everything that does not depend on it was applied.',
    example: 'acme.environment.base, which must come first, was not finished.',
    fix: 'Run "agents apply" again.',
  },
  'apply.not-yet': {
    severity: 'note',
    summary: 'The object cannot exist yet',
    meaning: 'The provider creates it later by itself, for example the default memory store of a first session.',
    example: 'The store comes into being with the first session of the agent.',
    fix: 'Run "agents apply" again afterwards.',
  },
  'apply.deadline': {
    severity: 'error',
    summary: 'A change took too long',
    meaning: 'A change is retried for a limited time. What was done is recorded, and the next run goes on from there.',
    example: 'acme.agent.helper was aborted after 300 seconds.',
    fix: 'Run "agents apply" again; what was done is recorded.',
  },
  'apply.not-taken': {
    severity: 'error',
    summary: 'The provider did not apply a value',
    meaning:
      'The provider reported success, but the object has another value than was sent. The rest of the change is done. The value is not sent again until the declaration or the object changes.',
    example:
      'Not applied by the provider: description. acme accepted the request for acme.agent.helper, but has another value.',
    fix: 'Declare a value that the documentation of the provider allows, or ask its support.',
  },
  'apply.changed-meanwhile': {
    severity: 'error',
    summary: 'The object changed while it was being updated',
    meaning: 'Somebody else changed the object between reading and writing, so the update could overwrite their work.',
    example: 'Someone else changed other.agent.helper after it was read.',
    fix: 'Run "agents plan" to see the change, then apply again.',
  },
  'apply.vanished': {
    severity: 'error',
    summary: 'The object vanished while it was being written',
    example: 'agent_1 was written and could not be read back.',
    fix: 'Run "agents plan" to see what is left.',
  },
  'apply.part-taken': {
    severity: 'error',
    summary: 'Someone else created an inner object with this key',
    meaning:
      'Credentials, memories and mounts live inside another object. An inner object that agents did not create is never overwritten.',
    example:
      'acme.vault.keys declares "github" under credentials, but the provider has another one under this key that agents did not create.',
    fix: 'Remove the other one, or rename yours.',
  },
  'apply.lost-create-ambiguous': {
    severity: 'error',
    summary: 'Two objects could be the one an interrupted run created',
    meaning:
      'A run stopped before it received the id of the object it created, and more than one object may be that one.',
    example:
      'An earlier run was interrupted while it created acme.agent.helper; a-1 and a-2 may both be the object it created.',
    fix: 'Compare both, remove the one you do not need, or bind one with "agents import ADDRESS ID".',
  },
  'apply.may-be-left': {
    severity: 'warning',
    summary: 'A create without an answer may have left an object that no list shows',
    meaning:
      'The connection broke, or the run ended, after the request was sent. Most objects can be found again by their mark or their content; objects of this kind cannot.',
    example:
      'The answer to the create of acme.skill.review was lost, and the lists of the provider do not show whether it exists. The request was sent at 2026-01-31T12:00:00.000Z.',
    fix: 'Nothing refers to such an object. Look for it in the console of the provider if it must not stay.',
  },
  'source.changed': {
    severity: 'error',
    summary: 'A local file changed during the run',
    meaning: 'What is uploaded must be what was planned.',
    example: 'skills/review/SKILL.md has changed since it was planned.',
    fix: 'Run the command again.',
  },
} as const satisfies ProblemTable
