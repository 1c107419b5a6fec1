// Problems between agents.yaml, state and the providers while a plan is made.
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
    meaning: 'An id exists on one provider only, so both resources must go to the same provider.',
    example: 'acme.agent.helper needs the vault "keys", which goes to other.',
    fix: 'Target the same provider with both, or declare one for each.',
  },
  'plan.still-used': {
    severity: 'warning',
    summary: 'An object that is no longer declared stays, because another one uses it',
    meaning: 'An object that stays contains its id, written there by hand. Removing it would break that object.',
    example:
      'acme.file.nightly~./in.csv (file_1) is no longer declared, and acme.deployment.nightly still refers to it, so it stays.',
    fix: 'Refer to it by the name or path it is declared with, remove the id from the object that refers to it, or release it with "agents state rm".',
  },
  'graph.variable-in-key': {
    severity: 'error',
    summary: 'A variable is used in an identifying key',
    meaning:
      'Keys of memories, mount paths and names of credentials identify inner objects. State records them, and it must not contain values of variables.',
    example:
      '${KEY} becomes part of an identifying key of acme.memory_store.rules, and state must not contain values of variables.',
    fix: 'Write the key without variables; use them in values only.',
  },
  'plan.plain-http': {
    severity: 'warning',
    summary: 'Calls to a provider are not encrypted',
    meaning:
      'Everybody on the network path to an http:// address can read the key and everything else that is sent, secrets included.',
    example: 'acme is reached at http://api.acme.example/v1.',
    fix: 'Use an https:// address.',
  },
  'plan.unknown-provider': {
    severity: 'error',
    summary: 'A provider is not declared',
    meaning: 'An option such as --provider names a provider that agents.yaml does not declare.',
    example: 'The project file has no providers.acmee; it declares acme.',
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
    meaning: 'A run with a default target or with --provider neither compares nor removes objects of other providers.',
    example: '12 resources on other are outside the target of this run.',
    fix: 'Add --provider to include them.',
  },
  'plan.provider-missing': {
    severity: 'error',
    summary: 'A provider is not declared',
    meaning: 'State has resources of a provider whose block was removed from agents.yaml, so they cannot be removed.',
    example: 'State has resources on other, but the project file has no providers.other.',
    fix: 'Put the block back, or release its resources with "agents state rm".',
  },
  'plan.handler-missing': {
    severity: 'error',
    summary: 'A resource in state cannot be handled',
    meaning: 'Another version of agents, or of a provider plugin, recorded a kind that this one does not know.',
    example: 'State has a widget on Acme, and this version of agents has no handler for it.',
    fix: 'Use the version that created it, or release it with "agents state rm".',
  },
  'plan.clock': {
    severity: 'warning',
    summary: 'The clock of this machine is wrong',
    meaning:
      'The clock differs from that of a provider by minutes. agents uses the clocks of the providers, but certificates and signatures may fail.',
    example: 'The clock here is 14 minutes ahead of that of acme.',
    fix: 'Set the clock, or let the system do it (NTP).',
  },
  'plan.emulated': {
    severity: 'note',
    summary: 'The provider does not have this kind, so agents emulates it',
    meaning: 'The resource works with the limits that the note names; its provider knows nothing of it.',
    example: 'Acme has no deployments: kept in the state file only; nothing runs by itself.',
    fix: 'Follow the note, or pin the resource to a provider that has the kind.',
  },
  'plan.sessions-only': {
    severity: 'note',
    summary: 'Only new sessions use it',
    meaning:
      'What an agent names for its sessions (on most providers its environment, vault, files and memory stores) is not part of the object at the provider. Sessions that are started from now on use it; apply records it, and the note goes away.',
    example:
      'New sessions use the environment other, and no longer use the environment base. The object at the provider does not change; running sessions continue unchanged.',
    fix: 'Nothing needs to be done; "agents apply" records it.',
  },
  'plan.unverifiable': {
    severity: 'note',
    summary: 'Whether the object exists cannot be verified',
    meaning: 'The provider has no call that shows such objects, so a wrong id is noticed only when it is used.',
    example: 'Acme has no call that shows tunnels: the id is recorded, and only its use can show whether it is right.',
    fix: 'Compare the id with what its administrator gave you.',
  },
  'plan.other-account': {
    severity: 'error',
    summary: 'State belongs to another account',
    meaning:
      'State records the address and workspace its objects were created with. Elsewhere none of them would be found, and all of them would be created again.',
    example:
      'The resources on acme in state were made with another address or workspace than https://example.com (team-b).',
    fix: 'Check the block under providers. To leave the old objects behind and create new ones, use --recreate.',
  },
  'plan.all-gone': {
    severity: 'error',
    summary: 'Every object of a provider is gone',
    meaning:
      'That usually means another account, project or workspace, so nothing is created again without --recreate.',
    example: 'None of the 8 resources that state holds on acme exists there.',
    fix: 'Check the key under providers. If they were really removed, use --recreate.',
  },
  'plan.emulator-forgot': {
    severity: 'note',
    summary: 'The emulator knows none of the objects',
    meaning: 'State outlives an emulator, whose objects are gone when it ends.',
    example: 'None of the 2 resources that state holds on acme exists in this emulator.',
    fix: 'An apply creates them again.',
  },
  'plan.unrecorded': {
    severity: 'error',
    summary: 'Objects of this project exist, but state does not know them',
    meaning:
      'The state file was lost, or is somewhere else; an apply would create everything a second time, and a destroy would leave it. Checked only on providers without any resource in state, among the first 1,000 objects of each declared kind.',
    example:
      'State knows nothing on acme, but objects with the mark of this project exist: acme.agent.helper is agent_1.',
    fix: 'Put the state file back, or take charge of the objects with "agents sync --import --owned".',
  },
  'plan.other-project': {
    severity: 'error',
    summary: 'Another project has taken over an object',
    meaning:
      'State records the object, and its mark names another project. Going on would change, replace or remove an object of that project.',
    example: 'acme.agent.helper is agent_1, which carries the mark of the project "shop" now.',
    fix: 'Release it with "agents state rm", or take it back with "agents import ADDRESS ID --take PROJECT".',
  },
  'plan.left-to-project': {
    severity: 'note',
    summary: 'An object is left to another project',
    meaning: 'Its mark names another project, so it is neither removed nor replaced; state only forgets it.',
    example: 'agent_1 carries the mark of the project "shop" now, so it is left to that project.',
    fix: 'Nothing needs to be done.',
  },
  'plan.same-names': {
    severity: 'error',
    summary: 'Which project this is, is in doubt: another one has objects of the same names',
    meaning:
      'The file has no `project:`, so the name of its folder counts. A checkout in a folder of another name would create everything a second time.',
    example:
      'State knows nothing on acme, where the project "shop" has objects of the same names: acme.agent.helper is agent_1.',
    fix: 'Write the name of the project into the file, `project: shop` or another one.',
  },
  'plan.managed-became-external': {
    severity: 'error',
    summary: 'A managed resource became an external reference',
    meaning:
      'An id was added to a declaration whose object agents created: that object would be left behind unnoticed.',
    example: 'State manages env_1 as acme.environment.base; the declaration now points at env_2.',
    fix: 'Release the managed object first with "agents state rm".',
  },
  'plan.external-missing': {
    severity: 'error',
    summary: 'An external object does not exist',
    meaning: 'The object that a declaration refers to by id was not found, or is archived.',
    example: 'acme.environment.base refers to env_1, which the provider does not have or has archived.',
    fix: 'Correct the id in agents.yaml.',
  },
  'plan.outside-missing': {
    severity: 'error',
    summary: 'An object outside the project does not exist',
    meaning: 'An id that a declaration would send, such as that of a member of a roster, was not found or is archived.',
    example: 'acme.agent.lead names the agent agent_1, which acme does not have or has archived.',
    fix: 'Correct the id in agents.yaml.',
  },
  'plan.paused': {
    severity: 'note',
    summary: 'A deployment is paused',
    meaning: 'It is as declared, but its schedule starts no runs until somebody resumes it.',
    example: 'acme.deployment.daily is paused at acme: its schedule starts no runs.',
    fix: 'Resume it with "agents deployment resume NAME", if it should run.',
  },
  'plan.not-taken': {
    severity: 'warning',
    summary: 'The provider did not apply a value',
    meaning:
      'The last apply sent the value, and the provider accepted the request, but has another value. As nothing changed since, it is not sent again.',
    example: 'acme has another value since the last apply: description.',
    fix: 'Declare a value that the documentation of the provider allows, or ask its support.',
  },
  'plan.ownership': {
    severity: 'error',
    summary: 'An external reference was turned into a managed resource',
    meaning:
      'The line with the id, or the whole declaration, was removed. agents never changes or deletes an object that it did not create, so the object has to be released first.',
    example: 'acme.environment.base was declared with an id of an existing object, which agents never changes.',
    fix: 'Put the id back, or release the object first with "agents state rm".',
  },
  'plan.pending-initializer-changed': {
    severity: 'error',
    summary: 'Initial content changed before it was written completely',
    meaning:
      'An apply was interrupted while it filled a new memory store. It can only be finished with the content it began with.',
    example:
      'An interrupted apply still has to write notes/tone.md into acme.memory_store.brand, and the declaration no longer has the same content.',
    fix: 'Restore the original content and apply, then change it.',
  },
  'plan.undeclared-lost': {
    severity: 'warning',
    summary: 'A change erases settings that agents.yaml does not state',
    meaning:
      'Somebody set them at the provider. Updates send such settings back, but this change replaces what they belong to: an object of another type, a tool or server that goes away, or the whole resource. A limit that goes with them no longer holds.',
    example: 'The object has config.networking.blocked_hosts, which agents.yaml does not state and this change erases.',
    fix: 'Leave the declaration as it is if the settings are needed. Otherwise declare them where agents.yaml has a key, or set them again at the provider after the apply.',
  },
  'plan-file.missing': {
    severity: 'error',
    summary: 'There is no such plan file',
    example: 'plan.json does not exist.',
    fix: 'Create one with "agents plan --out plan.json".',
  },
  'plan-file.unreadable': {
    severity: 'error',
    summary: 'This is not a plan that can be applied',
    meaning: 'The file is damaged, was written by another version, or is something else.',
    example: 'plan.json is damaged, was written by another version of agents, or is not a plan.',
    fix: 'Create a new one with "agents plan --out plan.json".',
  },
  'plan-file.other-file': {
    severity: 'error',
    summary: 'The plan would overwrite something else',
    meaning: 'A plan changes nothing, so it is only saved over an older plan, or where there is no file yet.',
    example: 'agents.yaml exists and is not a saved plan. Nothing was written.',
    fix: 'Name another file with --out.',
  },
  'plan-file.stale': {
    severity: 'error',
    summary: 'The saved plan no longer matches what would happen',
    meaning: 'A saved plan is applied only if planning again gives exactly what was reviewed.',
    example: 'A new plan differs from the reviewed one: acme.agent.helper would be updated. Nothing was changed.',
    fix: 'Make and review a new plan: agents plan --out plan.json',
  },
} as const satisfies ProblemTable
