// Renders `agents --help` and `agents COMMAND --help`.
import type { CommandSummary, OptionSummary } from '../terminal/context.js'
import type { Style } from './style.js'
import { columns, wrapped } from './text.js'

/** Categories in the order of the help page; any others come after them. */
const categories: readonly string[] = ['Start', 'Reconcile', 'Run', 'State', 'Look', 'Documents', 'Local']

/** Placeholders of option values in help, where `NAME` would be misleading. */
const valueNames: Readonly<Record<string, string>> = {
  '--config': 'PATH',
  '--provider': 'PROVIDER',
  '--recreate': 'PROVIDER',
  '--state': 'STATE',
  '--token-issuer': 'TEXT',
  '--token-audience': 'TEXT',
  '--out': 'PATH',
  '--data': 'DIR',
  '--target': 'ADDRESS',
  '--exclude': 'ADDRESS',
  '--parallelism': 'N',
  '--port': 'N',
  '--processes': 'N',
  '--drain-seconds': 'SECONDS',
  '--blob-cache-bytes': 'BYTES',
  '--store': 'ADDRESS',
  '--blobs': 'ADDRESS',
  '--redis': 'ADDRESS',
  '--page': 'N',
  '--width': 'N',
  '--rotation': 'DEGREES',
  '--threads': 'N',
  '--document-bytes-max': 'BYTES',
  '--tenant-bytes-max': 'BYTES',
  '--share-bytes-max': 'BYTES',
  '--token-bytes-max': 'BYTES',
  '--bytes-max': 'BYTES',
  '--pixels-max': 'N',
  '--import-allow': 'CIDR',
  '--webhook-allow': 'CIDR',
  '--token-public-key': 'PATH',
  '--token-jwks': 'URL',
  '--public-url': 'URL',
  '--url': 'URL',
  '--host': 'ADDRESS',
  '--log-level': 'LEVEL',
  '--token': 'TOKEN',
  '--id': 'ID',
  '--sha256': 'HEX',
  '--origin': 'ORIGIN',
  '--scope': 'SCOPE',
  '--latency-ms': 'N',
  '--fault-rate': 'P',
  '--seed': 'S',
  '--format': 'FORMAT',
  '--from': 'PATH',
  '--env': 'KEY=VALUE',
  '--title': 'TEXT',
  '--message': 'TEXT',
  '--trust-roots': 'DIR',
  '--kind': 'KIND',
  '--key': 'PATH',
  '--cert': 'PATH',
  '--chain': 'PATH',
  '--pkcs12': 'PATH',
  '--key-password-file': 'PATH',
  '--digest': 'DIGEST',
  '--subfilter': 'SUBFILTER',
  '--reason': 'TEXT',
  '--location': 'TEXT',
  '--contact': 'TEXT',
  '--certify': 'N',
  '--lock': 'FIELDS',
  '--appearance': 'PATH',
  '--contents-size': 'BYTES',
  '--timestamp': 'URL',
  '--cms': 'PATH',
  '--signing': 'SIGNING',
  '--cancel': 'SIGNING',
  '--set': 'PATH',
  '--to': 'ADDRESS',
  '--text': 'TEXT',
  '--regex': 'PATTERN',
  '--preset': 'PRESET',
  '--label': 'TEXT',
  '--color': 'COLOR',
  '--minutes': 'N',
  '--type': 'TYPE',
  '--endpoint': 'URL',
}

const everywhere = [
  ['-c, --config PATH', 'The project file, where it is not ./agents.yaml; -f and --file mean the same'],
  ['--json', 'Records, one JSON object a line'],
  ['--verbose', 'Every request on stderr, secrets masked'],
  ['--no-color', 'No colours; NO_COLOR does the same'],
] as const

const exitCodes = [
  ['0', 'done'],
  ['1', 'an error'],
  ['2', 'there are changes (plan --detailed-exitcode, sync --check)'],
  ['3', 'partial: something failed, was skipped or not taken; other things were done'],
  [
    '4',
    'a signature is broken, forbidden changes followed, its signer is not trusted, or there is none (documents verify)',
  ],
  ['64', 'wrong usage, or consent is missing and there is no terminal to ask on'],
  ['130', 'interrupted'],
] as const

export interface HelpView {
  readonly style: Style
  /** Width of the terminal in columns. */
  readonly width: number
}

export function renderOverview(
  commands: readonly CommandSummary[],
  version: string,
  { style, width }: HelpView,
): string {
  const longest = Math.max(...commands.map(({ path }) => path.length))
  const all = [...new Set([...categories, ...commands.map(({ category }) => category)])]
  const sections = all.map((category) => {
    const rows = commands.filter((command) => command.category === category)
    const lines = rows.map(({ path, description }) => [path.padEnd(longest), description])
    return `${style.bold(category)}\n${columns(lines, '  ', { width, paint: style.cyan })}`
  })
  return [
    wrapped(
      `${style.bold(`agents ${version}`)}: declare managed agents in agents.yaml, and make the providers match.`,
      width,
    ),
    'Usage: agents COMMAND [OPTIONS]',
    ...sections,
    `${style.bold('Try it without an account')}\n  agents init --provider qoder --yes\n  agents emulate -- agents plan`,
    `${style.bold('Options of every command')}\n${columns(everywhere, '  ', { width })}`,
    `${style.bold('Exit codes')}\n${columns(exitCodes, '  ', { width })}`,
    'agents COMMAND --help explains a command and shows examples.',
  ].join('\n\n')
}

export function renderGroup(group: string, commands: readonly CommandSummary[], { style, width }: HelpView): string {
  const rows = commands.map(({ path, operands, description }) => [`agents ${path} ${operands}`.trim(), description])
  return `${style.bold(`agents ${group}`)} has these commands:\n\n${columns(rows, '  ', { width })}`
}

export function renderCommandHelp(command: CommandSummary, { style, width }: HelpView): string {
  const { path, operands, description, details, examples, options } = command
  const rows = options.map((option) => [optionNames(option), option.description])
  const lines = examples.map(([title, line]) => `  ${style.dim(`# ${title}`)}\n  ${line}`)
  return [
    `${style.bold(`agents ${path}`)}: ${description}`,
    `Usage: agents ${path}${operands === '' ? '' : ` ${operands}`} [OPTIONS]`,
    ...(details === undefined ? [] : [wrapped(details, width)]),
    `${style.bold('Options')}\n${columns(rows, '  ', { width })}`,
    ...(lines.length === 0 ? [] : [`${style.bold('Examples')}\n${lines.join('\n')}`]),
  ].join('\n\n')
}

function optionNames({ names, takesValue }: OptionSummary): string {
  const [long = '', short] = names
  const value = takesValue ? ` ${valueNames[long] ?? 'NAME'}` : ''
  return `${short === undefined ? '    ' : `${short}, `}${long}${value}`
}
