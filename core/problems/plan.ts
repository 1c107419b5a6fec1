// What can be wrong between agents.yaml, state and the providers when a plan is made.
import type { ProblemTable } from '../diagnostic.js'

export const planProblems = {
  'graph.cycle': {
    severity: 'error',
    summary: 'Resources depend on each other in a circle',
    meaning: 'Each of them needs the id of the next, so none can be created first.',
    example: 'None of them can be created first: acme.agent.a -> acme.agent.b -> acme.agent.a.',
    fix: 'Remove one of these references.',
  },
  'graph.reference-elsewhere': {
    severity: 'error',
    summary: 'A reference leads to another provider',
    meaning: 'Ids exist on one provider only, so what is referred to must go to the same one.',
    example: 'acme.agent.helper needs the vault "keys", which goes to other.',
    fix: 'Let both target the same provider, or declare one for each.',
  },
  'plan.still-used': {
    severity: 'warning',
    summary: 'An object that is no longer declared stays, because another one uses it',
    meaning: 'Its id stands in an object that stays, written there by hand. Removing it would break that object.',
    example:
      'acme.file.nightly~./in.csv (file_1) is no longer declared, and acme.deployment.nightly still refers to it, so it stays.',
    fix: 'Refer to it by the name or path it is declared with, take the id out of what refers to it, or release it with "agents state rm".',
  },
  'graph.variable-in-key': {
    severity: 'error',
    summary: 'A variable stands in what something is recorded by',
    meaning:
      'Keys of memories, mount paths and names of credentials identify what they belong to. State records them, and no value of a variable may stand there.',
    example:
      '${KEY} becomes a part of what acme.memory_store.rules is recorded by, and state holds no values of variables.',
    fix: 'Write it out, and let variables stand in values only.',
  },
  'plan.plain-http': {
    severity: 'warning',
    summary: 'Calls to a provider are not encrypted',
    meaning: 'Everybody on the way to an http:// address can read the key and whatever else is sent, secrets included.',
    example: 'acme is reached at http://api.acme.example/v1.',
    fix: 'Use an https:// address.',
  },
  'plan.unknown-provider': {
    severity: 'error',
    summary: 'A provider is not declared',
    meaning: 'An option such as --provider names a provider that agents.yaml does not declare.',
    example: 'agents.yaml has no providers.acmee; it declares acme.',
    fix: 'Name a declared provider, or add a block for it under providers.',
  },
  'plan.unknown-address': {
    severity: 'error',
    summary: 'No resource has this address',
    meaning: 'An option such as --target or --exclude names something that is neither declared nor recorded.',
    example: 'acme.agent.helpr is neither declared nor in state.',
    fix: 'See "agents state list" and agents.yaml.',
  },
  'plan.outside-target': {
    severity: 'note',
    summary: 'Resources outside the target are left alone',
    meaning: 'A run with a default target or with --provider neither compares nor removes what other providers hold.',
    example: '12 resources on other are outside the target of this run.',
    fix: 'Add --provider to include them.',
  },
  'plan.provider-missing': {
    severity: 'error',
    summary: 'A provider is not declared',
    meaning: 'State holds resources of a provider whose block was taken out of agents.yaml, so nobody can remove them.',
    example: 'State holds resources on other, but agents.yaml has no providers.other.',
    fix: 'Put the block back, or release its resources with "agents state rm".',
  },
  'plan.handler-missing': {
    severity: 'error',
    summary: 'A resource in state cannot be handled',
    meaning: 'Another version of agents, or of a provider plugin, recorded a kind that this one does not know.',
    example: 'State holds a widget on Acme, and this version of agents has no handler for it.',
    fix: 'Use the version that created it, or release it with "agents state rm".',
  },
  'plan.clock': {
    severity: 'warning',
    summary: 'The clock of this machine is wrong',
    meaning:
      'The clock differs from that of a provider by minutes. agents goes by the clocks of the providers, but certificates and signatures may fail.',
    example: 'The clock here is 14 minutes ahead of that of acme.',
    fix: 'Set the clock, or let the system do it (NTP).',
  },
  'plan.emulated': {
    severity: 'note',
    summary: 'The provider has no such thing, so agents stands in for it',
    meaning: 'The resource works, with the limits that are named; its provider knows nothing of it.',
    example: 'Acme has no deployments: kept in the state file only; nothing runs by itself.',
    fix: 'Do what the note says, or pin the resource to a provider that has it.',
  },
  'plan.sessions-only': {
    severity: 'note',
    summary: 'Only new sessions use it',
    meaning:
      'What an agent names for its sessions (on most providers its environment, vault, files and memory stores) is not part of the object at the provider. Sessions that are started from now on use it; apply records it, and the note goes away.',
    example:
      'New sessions use the environment other, and no longer use the environment base. The object at the provider does not change; running sessions go on as they are.',
    fix: 'Nothing is to be done; "agents apply" records it.',
  },
  'plan.unverifiable': {
    severity: 'note',
    summary: 'Nothing tells whether this exists',
    meaning: 'The provider shows no such objects, so that a wrong id is noticed only by what uses it.',
    example:
      'Acme has no call that tells of tunnels: the id is recorded, and only its use can show whether it is right.',
    fix: 'Compare the id with what its administrator gave you.',
  },
  'plan.other-account': {
    severity: 'error',
    summary: 'State belongs to another account',
    meaning:
      'State remembers the address and workspace its objects were made with. Going on elsewhere would find none of them and make all of them again.',
    example:
      'The resources on acme in state were made with another address or workspace than https://example.com (team-b).',
    fix: 'Check the block under providers. To leave the old objects behind and make new ones, use --recreate.',
  },
  'plan.all-gone': {
    severity: 'error',
    summary: 'Every object of a provider is gone',
    meaning: 'That usually means another account, project or workspace, so that nothing is made again by itself.',
    example: 'None of the 8 resources that state holds on acme exists there.',
    fix: 'Check the key under providers. If they were really removed, use --recreate.',
  },
  'plan.emulator-forgot': {
    severity: 'note',
    summary: 'The emulator knows none of the objects',
    meaning: 'State outlives an emulator, whose objects are gone when it ends.',
    example: 'None of the 2 resources that state holds on acme exists in this emulator.',
    fix: 'An apply makes them again.',
  },
  'plan.unrecorded': {
    severity: 'error',
    summary: 'Objects of this project are there, but state does not know them',
    meaning:
      'The state file was lost, or is somewhere else; an apply would make everything a second time. It is looked for only on providers of which state knows nothing, among the first 1,000 objects of each kind that is declared.',
    example:
      'State knows nothing on acme, but objects with the mark of this project are there: acme.agent.helper is agent_1.',
    fix: 'Put the state file back, or take charge of the objects with "agents sync --import".',
  },
  'plan.managed-became-external': {
    severity: 'error',
    summary: 'A managed resource became an external reference',
    meaning: 'An id was added to a declaration whose object agents created: that object would be left behind unseen.',
    example: 'State manages env_1 as acme.environment.base; the declaration now points at env_2.',
    fix: 'Release the managed object first with "agents state rm".',
  },
  'plan.external-missing': {
    severity: 'error',
    summary: 'An external object does not exist',
    meaning: 'What a declaration refers to by id was not found, or is archived.',
    example: 'acme.environment.base refers to env_1, which the provider does not have or has archived.',
    fix: 'Correct the id in agents.yaml.',
  },
  'plan.outside-missing': {
    severity: 'error',
    summary: 'Something outside the project does not exist',
    meaning: 'An id that a declaration would send, such as that of a member of a roster, was not found or is archived.',
    example: 'acme.agent.lead names the agent agent_1, which acme does not have or has archived.',
    fix: 'Correct the id in agents.yaml.',
  },
  'plan.ownership': {
    severity: 'error',
    summary: 'An external reference was turned into a managed resource',
    meaning:
      'The line with the id, or the whole declaration, was removed. Agents never changes or deletes an object it did not make, so it has to be released first.',
    example: 'acme.environment.base was declared with an id of an existing object, which agents never changes.',
    fix: 'Put the id back, or release the object first with "agents state rm".',
  },
  'plan.pending-initializer-changed': {
    severity: 'error',
    summary: 'Initial content changed before it was written completely',
    meaning:
      'An apply was interrupted while it filled a new memory store. It can only be finished with the content it began with.',
    example:
      'An interrupted apply still has to write notes/tone.md into acme.memory_store.brand, and the declaration no longer says the same.',
    fix: 'Restore the original content and apply, then change it.',
  },
  'plan-file.missing': {
    severity: 'error',
    summary: 'There is no such plan file',
    example: 'plan.json does not exist.',
    fix: 'Make one with "agents plan --out plan.json".',
  },
  'plan-file.unreadable': {
    severity: 'error',
    summary: 'This is not a plan that can be applied',
    meaning: 'The file is damaged, was written by another version, or is something else.',
    example: 'plan.json is damaged, of another version of agents, or no plan at all.',
    fix: 'Make a new one with "agents plan --out plan.json".',
  },
  'plan-file.other-file': {
    severity: 'error',
    summary: 'The plan would overwrite something else',
    meaning: 'A plan changes nothing, so it is only saved over an older plan, or where there is no file yet.',
    example: 'agents.yaml exists and is no saved plan. Nothing was written.',
    fix: 'Name another file with --out.',
  },
  'plan-file.stale': {
    severity: 'error',
    summary: 'The plan no longer says what would happen',
    meaning: 'A saved plan is applied only if planning again gives exactly what was reviewed.',
    example:
      'Planning again gave something else than was reviewed: acme.agent.helper would be updated. Nothing was changed.',
    fix: 'Make and review a new plan: agents plan --out plan.json',
  },
} as const satisfies ProblemTable
