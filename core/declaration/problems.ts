// Problems of the declaration stage: code, summary and fix. The documentation is generated from this table, so a code
// never changes its meaning.
import type { ProblemTable, ProblemText } from '../diagnostic.js'

/** Creates a row of the table. `example` is an example of the detail, for problems that no file can raise. */
const error = (summary: string, fix: string, example?: string): ProblemText => ({
  severity: 'error',
  summary,
  fix,
  ...(example === undefined ? {} : { example }),
})
const warning = (summary: string, fix: string, example?: string): ProblemText => ({
  ...error(summary, fix, example),
  severity: 'warning',
})
const note = (summary: string, fix: string, example?: string): ProblemText => ({
  ...error(summary, fix, example),
  severity: 'note',
})

export const problems = {
  'declaration.file-missing': error(
    'The project file does not exist',
    'Run "agents init" to create one, or name another file with --config.',
    'There is no agents.yaml here.',
  ),
  'declaration.file-unreadable': error(
    'The project file cannot be read',
    'Check that the path leads to a regular file, and its permissions.',
    'agents.yaml is a folder.',
  ),
  'declaration.file-empty': error(
    'The project file is empty',
    'Write version, providers and at least one agent into it; "agents init" creates a first one.',
  ),
  'declaration.file-too-large': error(
    'The project file is too large',
    'Move long texts into files of their own and name them by path.',
    'agents.yaml has 3145728 bytes; the limit is 2097152.',
  ),
  'declaration.not-utf8': error(
    'The project file is not UTF-8 text',
    'Save it as UTF-8.',
    'agents.yaml contains bytes that are not UTF-8.',
  ),
  'declaration.not-a-map': error('The project file is not a map', 'Begin the file with version: "1".'),
  'declaration.syntax': error('The YAML is not valid', 'Correct the line.'),
  'declaration.tab': error('A tab is used as indentation', 'Indent with spaces.'),
  'declaration.several-documents': error(
    'The file contains more than one document',
    'Remove the line --- and what follows it, or join both parts.',
  ),
  'declaration.unquoted-variable': error('A variable inside { } or [ ] is not quoted', 'Quote it.'),
  'declaration.duplicate-key': error('A key is written twice', 'Remove or rename one of them.'),
  'declaration.key-not-text': error('A key is not text', 'Quote the key.'),
  'declaration.merge': error(
    'A merge key does not lead to a map',
    'Give << an alias of a map, or a list of such aliases.',
  ),
  'declaration.unknown-alias': error('An alias has no anchor', 'Put the anchor (&name) on an earlier node.'),
  'declaration.too-many-aliases': error(
    'Aliases expand to too many nodes',
    'Write the repeated parts out, or use fewer of them.',
  ),
  'declaration.too-deep': error('Values are nested too deeply', 'Flatten the structure.'),
  'declaration.tag': error('A YAML tag is not supported', 'Remove the tag.'),
  'declaration.control-character': error('A text contains a control character', 'Remove the character.'),
  'declaration.version': error('The version of the file is not supported', 'Write version: "1".'),
  'declaration.unknown-key': error('A key is not known', 'Correct or remove the key.'),
  'declaration.refused-key': error('A key must not be used here', 'Remove the key.'),
  'declaration.missing-key': error('A required key is missing', 'Add the key.'),
  'declaration.no-value': error('A key has no value', 'Give it a value, or remove the line.'),
  'declaration.wrong-type': error('A value has the wrong type', 'Correct the value.'),
  'declaration.unknown-word': error('A value is not one of the known words', 'Correct the word.'),
  'declaration.invalid-value': error('A value is out of range or malformed', 'Correct the value.'),
  'declaration.invalid-name': error('A name cannot be used', 'Choose another name.'),
  'declaration.unknown-reference': error('A name is not declared', 'Declare it, or correct the name.'),
  'declaration.reference-elsewhere': error(
    'A reference leads to another provider',
    'Target the same provider with both.',
  ),
  'declaration.remote-id-shared': error(
    'One remote id serves several providers',
    'Pin the declaration to the provider the id belongs to.',
  ),
  'declaration.literal-secret': warning(
    'The file contains a secret in plain text',
    'Write ${NAME} instead and store the value in .env.',
  ),
  'declaration.plain-http': warning(
    'Calls to this address are not encrypted',
    'Use an https:// address.',
    'Everybody on the network path can read the key and everything else that is sent.',
  ),
  'declaration.more': note('There are more problems', 'Correct these first.', '120 more were found.'),
  'variable.unset': note(
    'A variable is not set',
    'Set it before it is needed: in the environment, or in a .env beside agents.yaml or in a folder above it, up to the repository or the home folder.',
  ),
  'variable.unset-structural': error(
    'A variable that is needed to read the file is not set',
    'Set it in the environment, or in a .env beside agents.yaml or in a folder above it, up to the repository or the home folder; or write ${NAME:-default}.',
  ),
  'variable.malformed': warning(
    'A text looks like a variable but is not one',
    'Write ${NAME} or ${NAME:-default}; write $${ for a literal ${.',
  ),
  'variable.control-character': error(
    'The value of a variable contains a control character',
    'Remove the character from the value.',
  ),
  'variable.cut-at-hash': warning(
    'A value in the .env file ends before a #',
    'Put quotes around the whole value; where a comment is meant, put a blank before the #.',
    'The value of TOKEN ends before the #, and the rest of the line is read as a comment.',
  ),
  'variable.read-literally': warning(
    'A value in the .env file means something else to a shell',
    'Write the value as it is meant, in single quotes if it contains quotes, backslashes or ${.',
    'The value of TOKEN has backslashes in double quotes, and keeps them.',
  ),
  'variable.file-not-utf8': error(
    'The .env file is not UTF-8 text',
    'Save it as UTF-8: other bytes would be sent as something else.',
    '.env contains bytes that are not UTF-8.',
  ),
  'variable.file-too-large': error(
    'The .env file is too large',
    'Keep only NAME=value lines in it.',
    '.env has 2097152 bytes; the limit is 1048576.',
  ),
  'provider.unknown': error(
    'A provider is not known',
    'Correct the name, name its plugin with plugin: <package or path>, or the built-in provider it is like with like: <name>.',
  ),
  'provider.undeclared': error(
    'A provider is not declared',
    'Add a block for it under providers, or use a declared one.',
  ),
  'provider.none': error(
    'No provider is declared',
    'Add a block under providers; "agents init" in an empty folder writes one to copy.',
  ),
  'provider.no-target': error(
    'No provider is selected',
    'Add defaults.provider, or pin each declaration with provider.',
  ),
  'provider.invalid-name': error(
    'A provider name cannot be used',
    'Use lower-case letters, digits, - and _, beginning with a letter.',
  ),
  'provider.lacks-unknown': error(
    'What a provider is said to lack does not exist',
    'Name a kind, or a field of one as kind.field.',
  ),
  'provider.lacks': error(
    'The provider lacks what is declared',
    'Remove it, or pin the resource to another provider; `lacks` of the provider says what is missing.',
  ),
  'provider.same-account': error(
    'Two providers reach the same account',
    'Remove one of them, or give it an address or credentials of its own.',
  ),
  'provider.plugin-missing': error(
    'A provider plugin cannot be found',
    'Install the package beside agents.yaml, or correct the path.',
  ),
  'provider.plugin-not-allowed': error(
    'A provider plugin was not allowed to run',
    'Look at its files, then run "agents plugins allow"; where nobody can be asked, set STEWARD_ALLOW_PLUGINS to the hash.',
    './acme.mjs has changed since it was allowed (2 files, 835d5586a89d72f3b3c5c9ecf7b3aa55b1505a0ea83ad1ce4856f6bccfca7edc).',
  ),
  'provider.plugin-failed': error(
    'A provider plugin cannot be loaded',
    'Repair or update the plugin. Where it needs a package, install that beside it: npm install steward.',
    'agents-provider-acme: Cannot find module "./client.js".',
  ),
  'provider.plugin-shape': error(
    'A module is not a provider plugin',
    'Export the provider as default or as `provider`.',
    'agents-provider-acme exports no provider.',
  ),
  'provider.unsupported': error(
    'The provider does not have this kind of resource',
    'Pin it to a provider that has it, or remove it.',
  ),
  'provider.partly-unsupported': note(
    'Not every target provider has this kind of resource',
    'Pin it to the providers that have it to silence this note.',
  ),
  'source.missing': error('A local path does not exist', 'Correct the path; it is relative to agents.yaml.'),
  'source.wrong-kind': error(
    'A local path leads to the wrong type of file',
    'Name a regular file where a file is needed, and a folder where a folder is needed.',
  ),
  'source.incomplete': error('A folder lacks a file it needs', 'Add the file.'),
  'source.unreadable': error(
    'A local file cannot be read',
    'Check its permissions.',
    './handbook.md: EACCES: permission denied.',
  ),
  'source.private': error(
    'A file that must stay here would be uploaded',
    'Name another file. .env files, the project file, its state and saved plans are never uploaded.',
  ),
  'source.escape': error(
    'A symbolic link leads out of its folder',
    'Replace the link by a copy.',
    './skills/review/shared is a link to something outside the folder.',
  ),
  'source.broken-link': error(
    'A symbolic link leads to nothing',
    'Remove the link, or replace it by what it should lead to.',
    './skills/review/shared is a link to something that does not exist.',
  ),
  'source.name': error(
    'The name of a file cannot be sent',
    'Rename the file: its name must be UTF-8, without double quotes and line breaks.',
    'The name of ./skills/review/caf\ufffd.md is not UTF-8.',
  ),
  'source.too-large': error('A local file or folder is too large', 'Leave out what is not needed.'),
  'source.not-text': error('A text file is not plain UTF-8 text', 'Save it as UTF-8 without control characters.'),
} as const satisfies ProblemTable

export type ProblemCode = keyof typeof problems
