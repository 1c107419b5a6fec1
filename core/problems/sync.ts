// Problems that prevent `sync` and `import` from writing agents.yaml or binding an object.
import type { ProblemTable } from '../diagnostic.js'

export const syncProblems = {
  'import.bad-address': {
    severity: 'error',
    summary: 'The address is not valid',
    example: '"helper" is not PROVIDER.KIND.NAME with a provider that agents.yaml declares (acme).',
    fix: 'Write it like acme.agent.helper.',
  },
  'import.unknown-kind': {
    severity: 'error',
    summary: 'There is no such kind',
    example: '"acme.agnet.helper" names the kind "agnet".',
    fix: 'Correct the kind.',
  },
  'import.address-taken': {
    severity: 'error',
    summary: 'The address is bound already',
    example: 'acme.agent.helper is bound to agent_1.',
    fix: 'Release it first with "agents state rm".',
  },
  'import.id-taken': {
    severity: 'error',
    summary: 'The object is bound already',
    meaning: 'One object has one address, external references and objects that wait for their removal included.',
    example: 'agent_1 is bound to acme.agent.helper.',
    fix: 'Use that address, or rename it with "agents state mv".',
  },
  'import.other-project': {
    severity: 'error',
    summary: 'The object belongs to another project',
    meaning:
      'Its mark names another project, which would go on changing it, and could remove it. It is taken over only with the name of that project.',
    example: 'agent_1 carries the mark of the project "shop" (acme.agent.helper there). Nothing was changed.',
    fix: 'Leave it to that project; or release it there with "agents state rm", then import it with --take PROJECT.',
  },
  'import.name-taken': {
    severity: 'error',
    summary: 'The name is declared for another provider',
    example: 'agents.yaml declares this name for other, so it cannot declare acme.agent.helper too.',
    fix: 'Import under another name.',
  },
  'import.not-found': {
    severity: 'error',
    summary: 'There is no such object to import',
    meaning: 'The id does not exist for these credentials, or the object is archived.',
    example: 'acme has no memory_store mem_1, or it is archived.',
    fix: 'Check the id, and that the key under providers belongs to the account that has it.',
  },
  'import.not-declared': {
    severity: 'error',
    summary: 'The address is not declared',
    meaning: 'The provider does not show enough of this kind to write a declaration, so it has to be declared first.',
    example: 'The project file declares no resource with the address acme.file.handbook.',
    fix: 'Declare it, or correct the address.',
  },
  'import.other-api': {
    severity: 'error',
    summary: 'The object is in another API than the declaration',
    meaning: 'A provider with two APIs cannot use objects of one in the other.',
    example: 'The declaration belongs to the managed API, and the object is in the forward one.',
    fix: 'Change the delivery of what uses it, or import another object.',
  },
  'import.cannot-declare': {
    severity: 'error',
    summary: 'The object cannot be written into agents.yaml',
    example: 'acme does not show enough of its skills to write a declaration.',
    fix: 'Declare it by hand, then import it.',
  },
  'sync.other-file': {
    severity: 'note',
    summary: 'Objects of another project file are left out',
    meaning:
      'Several project files in one folder have a state each. What one of them manages is neither declared by another nor bound to it.',
    example: 'prod.yaml, which is in the same folder, manages 2 objects there.',
    fix: 'Nothing needs to be done. To move an object, release it with "agents state rm" and the other file, then import it.',
  },
  'sync.other-project': {
    severity: 'note',
    summary: 'Objects of another project are left out',
    meaning:
      'They carry the mark of another project, or only objects with that mark use them. Two projects would otherwise change and remove the same objects.',
    example: '2 objects belong to the project "shop": acme.agent agent_1, acme.environment env_1.',
    fix: 'Nothing needs to be done. To take an object over from that project: agents import ADDRESS ID --take PROJECT.',
  },
  'sync.left-out': {
    severity: 'note',
    summary: 'A kind cannot be read back',
    meaning:
      'Objects whose content cannot be downloaded again are left out, and references to them keep the raw ids. Objects that the file declares keep their name or path.',
    example:
      'Acme does not show enough of its skills, so they are left out; references to those that agents.yaml does not declare keep the raw ids.',
    fix: 'Declare them by hand where the project should manage them.',
  },
  'sync.content-refused': {
    severity: 'warning',
    summary: 'Downloaded content was not written',
    meaning:
      'Sync writes downloaded content only if no path leads out of the folder, its size is limited, and every file system can store its names.',
    example:
      'The content of the skill skill_1 at acme was not written, because it has the path "../.profile", which leads out of the folder.',
    fix: 'Find out who uploaded it. Upload it anew as plain files, or declare it by hand with a folder of your own.',
  },
  'sync.still-different': {
    severity: 'note',
    summary: 'A difference stays',
    fix: 'See "agents plan"; correct it with "agents apply", or write it into the file.',
    meaning:
      'Some values are never read back: what agents have written into a memory store, a text that several declarations share. A declaration for several providers follows the value that most of them have.',
    example: 'acme.environment.shop differs from agents.yaml in description, which sync does not write.',
  },
  'sync.variable-kept': {
    severity: 'warning',
    summary: 'A variable stays in the file, although the provider has another value',
    meaning:
      'The variable is not set, has another value than at the last apply, or somebody changed the text. Which of these is true cannot be known, and a secret must not get into the file.',
    example:
      'acme.environment.shop differs from agents.yaml in setup_script. Secrets and variables stand in setup_script, and what the provider holds may be an earlier value of theirs, so they stay.',
    fix: 'Set the variable to the value at the provider, or correct the provider with "agents apply". Values that are no secrets can be written by hand.',
  },
  'sync.secret-known': {
    severity: 'error',
    summary: 'A secret would be written into the file',
    meaning:
      'State records that a variable was used here, and the file no longer declares the resource. The file is left as it is.',
    example: 'acme.environment.shop is not declared, and state knows a secret in its setup_script.',
    fix: 'Put the declaration back with its variables, remove the object with "agents apply", or release it with "agents state rm".',
  },
  'sync.name-claimed-twice': {
    severity: 'error',
    summary: 'Two remote objects claim one logical name',
    meaning: 'Both carry the mark of this project and the same name, and the file is left as it is.',
    example: 'agent_1 and agent_2 both have the mark of acme.agent.helper. The file was left as it is.',
    fix: 'Remove one of them, or its mark.',
  },
  'sync.owned-member-lost': {
    severity: 'error',
    summary: 'A reference to an object of this project cannot be written',
    meaning:
      'A roster has a member that carries the mark of this project but is archived, not listed, or without a name. With its raw id it would count as an object outside the project, so the file is left as it is.',
    example: 'The roster of acme.agent.lead has agent_2, which is archived. The file was left as it is.',
    fix: 'Remove the reference, or restore the object, and sync again.',
  },
  'sync.result-invalid': {
    severity: 'error',
    summary: 'Objects at the providers cannot be described in agents.yaml',
    meaning: 'The file that sync would write violates rules of agents.yaml, which are reported below.',
    example: 'The file that sync would write violates the rules below. The file was left as it is.',
    fix: 'Correct the objects at the provider, or write the declarations by hand and import the ids.',
  },
  'sync.file-changed': {
    severity: 'error',
    summary: 'The project file changed meanwhile',
    example: 'Somebody edited agents.yaml while this command worked on it, so it was left as it is.',
    fix: 'Run the command again.',
  },
} as const satisfies ProblemTable
