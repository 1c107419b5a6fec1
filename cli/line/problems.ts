// Problems of command lines and of the program's environment, with their codes.
import { fromTable, type ProblemTable } from '../../core/diagnostic.js'

export const cliProblems = {
  'cli.missing-command': {
    severity: 'error',
    summary: 'A command is missing',
    example: 'Use one of: state list, state mv, state rm, state show, state unlock.',
    fix: 'Run "agents --help" to see what each command does.',
  },
  'cli.unknown-command': {
    severity: 'error',
    summary: 'Unknown command',
    example: 'There is no command "aply". Did you mean "agents apply"?',
    fix: 'Run "agents --help" to see every command.',
  },
  'cli.unknown-option': {
    severity: 'error',
    summary: 'Unknown option',
    example: '"agents plan" has no option "--provder". Did you mean --provider?',
    fix: 'Run the command with --help to see what it accepts.',
  },
  'cli.wrong-usage': {
    severity: 'error',
    summary: 'The command line does not fit the command',
    example: 'Not enough positional arguments.',
    fix: 'Run the command with --help to see what it accepts.',
  },
  'cli.bad-value': {
    severity: 'error',
    summary: 'An option or operand has a value it does not accept',
    example: 'Invalid value for --parallelism: expected to be a number.',
    fix: 'Run the command with --help to see what it accepts.',
  },
  'cli.key-value': {
    severity: 'error',
    summary: 'The value is not KEY=VALUE',
    meaning: 'The value is not repeated in the message, because it may be a secret.',
    example: '--env needs KEY=VALUE, but the value is "TOKEN".',
    fix: 'Write NAME=value.',
  },
  'cli.consent-missing': {
    severity: 'error',
    summary: 'Consent is missing',
    meaning:
      'Remote objects are changed, and documents deleted, only with consent: that of a person, --yes, or a saved plan.',
    example: '"agents apply" changes remote objects, and there is no terminal to ask on.',
    fix: 'Add --yes, or apply a saved plan: agents plan --out plan.json && agents apply plan.json.',
  },
  'cli.no-user-folder': {
    severity: 'error',
    summary: 'There is no folder of this user to record consent in',
    example: 'Neither XDG_CONFIG_HOME nor HOME is set.',
    fix: 'Set HOME or XDG_CONFIG_HOME, or set STEWARD_ALLOW_PLUGINS to the hash.',
  },
  'cli.plan-has-scope': {
    severity: 'error',
    summary: 'A saved plan has its own scope',
    example: '--provider cannot be added to a plan that was made without it.',
    fix: 'Make the plan with the option, or apply without a plan file.',
  },
  'cli.emulator-data': {
    severity: 'error',
    summary: 'A stored account of the emulator cannot be read',
    example: 'data/claude.json is no stored account.',
    fix: 'Remove the file to begin with an empty account, or put a copy of it back.',
  },
  'cli.emulator-folder-in-use': {
    severity: 'error',
    summary: 'Another emulator uses the data folder',
    example:
      'Another emulator has locked data: each would overwrite what the other stores. The lock is /work/data/emulator.lock.',
    fix: 'Use that emulator, or choose another folder with --data. If none is running, remove the lock.',
  },
  'cli.bad-emulator': {
    severity: 'error',
    summary: 'The address of the emulator is not valid',
    example: 'STEWARD_EMULATOR is "localhost", which is not an http or https URL.',
    fix: 'Set it to what "agents emulate" printed, or unset it to reach the real providers.',
  },
  'cli.command-not-started': {
    severity: 'error',
    summary: 'A command could not be started',
    example: '"nmp" could not be started: spawn nmp ENOENT.',
    fix: 'Check its name and path.',
  },
  'init.exists': {
    severity: 'error',
    summary: 'The project file already exists',
    example: 'agents.yaml exists, and init overwrites nothing.',
    fix: 'Edit it, or choose another --config.',
  },
  'init.env-readable': {
    severity: 'warning',
    summary: 'Others can read the .env file',
    example: '.env existed already, and its permissions are 0644.',
    fix: 'Make it private: chmod 600 .env',
  },
  'init.gitignore-kept': {
    severity: 'warning',
    summary: 'The .gitignore file was left as it is',
    example: '.gitignore is not UTF-8 text, so .env and agents.state* are not added.',
    fix: 'Save .gitignore as UTF-8, and add the names to it.',
  },
  'init.provider-missing': {
    severity: 'error',
    summary: 'A provider is missing',
    example: 'Without a terminal to ask on, init needs --provider to know where the agent runs.',
    fix: 'Add --provider.',
  },
  'init.unknown-provider': {
    severity: 'error',
    summary: 'Unknown provider',
    example: '"qodr" is not one of bailian, qoder, claude or ark.',
    fix: 'Name one of them; third-party providers are added to agents.yaml by hand.',
  },
  'init.bad-name': {
    severity: 'error',
    summary: 'The logical name is not valid',
    example:
      '"my agent" cannot be the name of an agent: it takes letters, digits, - and _, begins with a letter, and has at most 63 characters.',
    fix: 'Choose another --name.',
  },
  'memory.two-texts': {
    severity: 'error',
    summary: 'The text is passed twice',
    example: 'TEXT and --from both contain the text to write.',
    fix: 'Keep one of them.',
  },
  'memory.no-text': {
    severity: 'error',
    summary: 'The text is missing',
    example: 'Neither TEXT nor --from is present, and stdin is a terminal.',
    fix: 'Write the text after the path, or name its file with --from.',
  },
  'sync.check-and-import': {
    severity: 'error',
    summary: 'A check cannot record ids',
    example: '--check only reports, and --import records ids.',
    fix: 'Leave one of them out.',
  },
  'system.refused': {
    severity: 'error',
    summary: 'The operating system refused an operation',
    example: "EACCES: permission denied, open 'plan.json'.",
    fix: 'Check the path and its permissions, then run the command again.',
  },
  'internal.bug': {
    severity: 'error',
    summary: 'This is a bug in agents',
    meaning: 'An unexpected error occurred. The detail is its stack.',
    example: "TypeError: Cannot read properties of undefined (reading 'id')",
    fix: 'Report it with the text above. What was applied so far is recorded; running the command again is safe.',
  },
} as const satisfies ProblemTable

export type CliCode = keyof typeof cliProblems

export const { diagnostic, problem } = fromTable<CliCode>(cliProblems)
