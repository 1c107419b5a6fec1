// Problems of agents.state.json, its journal and its lock.
import type { ProblemTable } from '../diagnostic.js'

export const stateProblems = {
  'state.damaged': {
    severity: 'error',
    summary: 'The state file is damaged',
    meaning: 'The file cannot be read, or contradicts itself. Nothing is done without it.',
    example: 'agents.state.json is not JSON, so which remote objects belong to this project is unknown.',
    fix: 'Restore it from agents.state.backup or from a copy of yours.',
  },
  'state.newer': {
    severity: 'error',
    summary: 'State was written by a newer version of agents',
    example: 'agents.state.json has format 2, and this program knows formats up to 1. Nothing was changed.',
    fix: 'Run the version of agents that wrote it, or a newer one.',
  },
  'state.unrecognised': {
    severity: 'error',
    summary: 'The state file is something else',
    example: 'agents.state.json is JSON, but it is not a state of this program, so another program wrote it.',
    fix: 'Move it away. "agents sync --import --owned" then binds the objects of this project that the account already has, instead of creating them again.',
  },
  'state.too-large': {
    severity: 'error',
    summary: 'A state file is too large',
    example: 'agents.state.json has 300000000 bytes; at most 268435456 are read.',
    fix: 'Check what wrote it; a state file has less than 600 bytes a resource.',
  },
  'state.missing': {
    severity: 'error',
    summary: 'The state file is missing',
    meaning:
      'The backup from before the last run, or the journal of an interrupted one, exists, but the state file itself does not.',
    example: 'An interrupted run left agents.state.journal, but agents.state.json, which it continues, is gone.',
    fix: 'Put agents.state.json back; agents.state.backup holds an earlier one. To start over without the objects of that run, remove agents.state.journal.',
  },
  'state.other-project': {
    severity: 'error',
    summary: 'State belongs to another project',
    meaning:
      'The state file was copied from another folder. Going on could remove the objects of that project. Without `project` in the file, the name of the folder says which project it is.',
    example: 'agents.state.json is of the project "shop", and this folder is "blog" and never had another name.',
    fix: 'If this is the same project, write its name into the file as `project`. Otherwise put the state of this project in its place, or move the file away if there is none yet.',
  },
  'state.other-file': {
    severity: 'error',
    summary: 'State belongs to another project file',
    meaning:
      'Every project file has a state of its own. With the state of another file, every object of that file would be planned for removal.',
    example: 'prod.state.json was made by dev.yaml, which is in the same folder.',
    fix: 'Move the state file to where it belongs.',
  },
  'state.project-renamed': {
    severity: 'note',
    summary: 'The folder or the project file has another name than at the first apply',
    example: 'The marks of objects keep the name "shop", although a new project here would be called "store".',
    fix: 'Nothing needs to be done; the marks retain the first name. Written into the file as `project`, it is the same in every folder.',
  },
  'state.project-named': {
    severity: 'note',
    summary: 'The file gives the project a new name',
    meaning: 'The marks of the objects carry the name of the project, so the plan shows the new one on each of them.',
    example: 'agents.yaml calls the project "store", and so far it was "shop".',
    fix: 'Nothing needs to be done; "agents apply" marks the objects. To keep the name, write it as project: again.',
  },
  'state.journal-damaged': {
    severity: 'error',
    summary: 'The journal of an interrupted run is damaged',
    meaning: 'An incomplete last line is normal after a crash. A crash cannot damage a line before the last one.',
    example: 'Line 3 of agents.state.journal cannot be read although lines after it can.',
    fix: 'Restore the file from a copy of yours, or delete the line.',
  },
  'state.journal-foreign': {
    severity: 'error',
    summary: 'The journal belongs to another state',
    example:
      'agents.state.journal was left by an interrupted run on another state than the agents.state.json beside it.',
    fix: 'Put the state file back that belongs to the journal, or move the journal out of the folder.',
  },
  'state.link-broken': {
    severity: 'error',
    summary: 'The link to the state leads nowhere',
    example: 'agents.state.json leads to /mnt/team/agents.state.json, and there is no folder /mnt/team.',
    fix: 'Create or mount the folder, or remove the link to begin a state here.',
  },
  'state.taken-up': {
    severity: 'note',
    summary: 'The journal of an interrupted run was read as well',
    example: 'agents.state.journal has 4 changes of a run that did not end.',
    fix: 'Look at the plan; applying it finishes what was interrupted.',
  },
  'state.journal-cut-off': {
    severity: 'warning',
    summary: 'The end of the journal cannot be read',
    meaning:
      'A crash of the whole machine can damage the last lines. Every step begins after its line is complete, so usually nothing is missing.',
    example: 'The last line of agents.state.journal cannot be read.',
    fix: 'Look closely at the next plan: objects that it wants to create may exist already.',
  },
  'state.in-progress': {
    severity: 'note',
    summary: 'Another run is in progress',
    meaning: 'The output shows how far that run has come, and may change at any moment.',
    example: '"agents apply" (process 4711 on desk) holds the lock since 2026-11-21T09:12:00Z.',
    fix: 'Wait until it has ended, then look again.',
  },
  'state.older-than-journal': {
    severity: 'warning',
    summary: 'The state file is older than the journal beside it',
    example:
      'agents.state.json has serial 7, and the interrupted run started from 9: what was recorded between the two is missing.',
    fix: 'Look closely at the next plan: objects that it wants to create may exist already.',
  },
  'state.locked': {
    severity: 'error',
    summary: 'Another run has locked the state',
    meaning: "Two runs at once would lose each other's objects.",
    example: 'Process 4711 on this machine has held it since 2026-11-21T09:12:00Z.',
    fix: 'Wait until it has ended. If you are certain that it has, run "agents state unlock".',
  },
  'state.lock-in-use': {
    severity: 'error',
    summary: 'The process that holds the lock is still running',
    meaning: '"agents state unlock" removes a lock only if the process that holds it has ended.',
    example: 'Process 4711 on this machine has held it since 2026-11-21T09:12:00Z and is running.',
    fix: 'Wait until it has ended, or stop it.',
  },
  'state.disk-full': {
    severity: 'error',
    summary: 'The disk is full',
    example: 'agents.state.json could not be written (ENOSPC). What state held before is still there.',
    fix: 'Free some space and run the command again.',
  },
  'state.no-permission': {
    severity: 'error',
    summary: 'State may not be accessed',
    example: 'agents.state.json could not be written (EACCES). What state held before is still there.',
    fix: 'Give your user access to the file and its folder.',
  },
  'state.disk-failed': {
    severity: 'error',
    summary: 'The disk failed',
    example: 'agents.state.json could not be read (EIO).',
    fix: 'Check the disk and run the command again.',
  },
  'state.move-elsewhere': {
    severity: 'error',
    summary: 'A resource cannot become another kind or change its provider',
    example: 'acme.agent.a can only move to an address that starts with acme.agent.',
    fix: 'Keep provider and kind, and change the name alone.',
  },
  'state.address-taken': {
    severity: 'error',
    summary: 'The new address is recorded already',
    example: 'State has acme.agent.b with the id agent_2.',
    fix: 'Remove or move that one first, for example with "agents state rm".',
  },
  'state.unknown-address': {
    severity: 'error',
    summary: 'State knows no such address',
    example: '"acme.agent.helpr" is not recorded.',
    fix: 'See "agents state list".',
  },
  'state.ambiguous-address': {
    severity: 'error',
    summary: 'An address matches several resources',
    example: '"agent.helper" is recorded as acme.agent.helper and other.agent.helper.',
    fix: 'Add the provider before it.',
  },
} as const satisfies ProblemTable
