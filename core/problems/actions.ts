// Problems of sessions, runs of deployments and reads of memory stores.
import type { ProblemTable } from '../diagnostic.js'

export const actionProblems = {
  'action.which-provider': {
    severity: 'error',
    summary: 'It is not clear which provider is meant',
    example: 'The agent "helper" was applied as acme.agent.helper and other.agent.helper.',
    fix: 'Add --provider.',
  },
  'action.unknown-provider': {
    severity: 'error',
    summary: 'A provider is not declared',
    example: 'The project file has no providers.acmee. Did you mean "acme"?',
    fix: 'Name a declared one, or add a block for it under providers.',
  },
  'action.unknown-name': {
    severity: 'error',
    summary: 'No resource has this name',
    example: 'Neither the project file nor state has the agent "helpr".',
    fix: 'Correct the name.',
  },
  'action.not-applied': {
    severity: 'error',
    summary: 'The resource has not been applied',
    meaning: 'The resource is declared, but the provider does not have it yet, so nothing can be started with it.',
    example: 'acme.agent.helper is declared, but it does not exist yet.',
    fix: 'Run "agents apply" first.',
  },
  'action.incomplete': {
    severity: 'error',
    summary: 'The resource was not written completely',
    meaning: 'Sessions do not mount a memory store while its initial content is incomplete.',
    example: 'An apply was interrupted while it filled acme.memory_store.brand.',
    fix: 'Run "agents apply" to finish it.',
  },
  'action.elsewhere': {
    severity: 'error',
    summary: 'The resource is on another provider',
    example: 'The vault "keys" goes to other and not to acme.',
    fix: 'Target the provider with it too, or name another resource.',
  },
  'action.not-declared': {
    severity: 'error',
    summary: 'The resource is no longer declared',
    meaning: 'Only the project file describes what a run of an emulated deployment does.',
    example:
      'Only the project file describes a run of acme.deployment.nightly, and it no longer declares the deployment.',
    fix: 'Declare it again, or run "agents apply" to forget it.',
  },
  'action.not-offered': {
    severity: 'error',
    summary: 'The provider does not offer this',
    example: 'Acme has no memory versions.',
    fix: 'Use a provider that has them; see "agents providers".',
  },
  'memory.no-entry': {
    severity: 'error',
    summary: 'There is no memory at this path',
    example: 'acme.memory_store.brand has nothing at "notes/tone.md".',
    fix: 'See "agents memory list".',
  },
  'session.unknown': {
    severity: 'error',
    summary: 'There is no such session',
    example: 'acme has no session sess_1.',
    fix: 'See "agents session list".',
  },
  'session.unknown-status': {
    severity: 'error',
    summary: 'No session has such a status',
    example: 'No session of acme can be "asleep".',
    fix: 'Leave out --status, and see which ones "agents session list" shows.',
  },
  'session.not-declared': {
    severity: 'error',
    summary: 'The resource is no longer declared',
    meaning: 'State still has the agent, but only agents.yaml describes what a session of it mounts.',
    example: 'State still has acme.agent.helper, but the project file has no agent "helper" to start a session of.',
    fix: 'Declare it again, or run "agents apply" to remove it.',
  },
  'session.message-not-sent': {
    severity: 'error',
    summary: 'The session was created, but its first message was not sent',
    example: 'sess_1 exists on acme and waits for a message.',
    fix: 'Send it with "agents session send".',
  },
  'session.empty-message': {
    severity: 'error',
    summary: 'A message says nothing',
    example: 'The message of the session is empty. Nothing was sent.',
    fix: 'Write what the agent is to do.',
  },
  'session.file-unusable': {
    severity: 'error',
    summary: 'A local file cannot be attached',
    meaning:
      '--file names a declared file, or the path of a local one. Secrets and files of the project itself are never sent.',
    example: 'There is no report.csv.',
    fix: 'Name a file that exists and may be sent, by its path or by its name in agents.yaml.',
  },
  'session.file-refused': {
    severity: 'error',
    summary: 'A file of the session cannot be written here',
    meaning: 'The agent chooses the names of its files. Only plain names that every disk can have are written.',
    example: 'file_1 is not written, because it has the path "../notes.md", which leads out of the folder.',
    fix: 'Have the agent write it again under a plain name.',
  },
  'session.file-exists': {
    severity: 'error',
    summary: 'A file with this name exists already',
    example: 'out/report.md exists, so file_1 is not written.',
    fix: 'Name another folder with --download, or add --overwrite.',
  },
  'session.asks-nothing': {
    severity: 'error',
    summary: 'The session asks for no permission',
    example: 'sess_1 on acme waits for no answer.',
    fix: 'See what it does with "agents session events".',
  },
  'session.unknown-tool-use': {
    severity: 'error',
    summary: 'The session does not ask for this use of a tool',
    example: 'sess_1 on acme does not ask for evt_9. It asks for evt_1 (bash).',
    fix: 'Name one that it asks for, or none to answer all.',
  },
} as const satisfies ProblemTable
