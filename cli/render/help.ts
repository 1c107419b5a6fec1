// `agents --help` and `agents COMMAND --help`.
import type { CommandSummary, OptionSummary } from '../context.js'
import type { Style } from './style.js'
import { columns } from './text.js'

/** In this order; commands of one category stand together. */
export const categories = ['Start', 'Reconcile', 'Run', 'State', 'Look', 'Local'] as const
export type Category = (typeof categories)[number]

/** What an option's value is called, where it is not a NAME. */
const valueNames: Readonly<Record<string, string>> = {
  '--config': 'PATH',
  '--out': 'PATH',
  '--data': 'DIR',
  '--target': 'ADDRESS',
  '--exclude': 'ADDRESS',
  '--parallelism': 'N',
  '--port': 'N',
  '--page': 'N',
  '--width': 'N',
  '--rotation': 'DEGREES',
  '--threads': 'N',
  '--document-bytes-max': 'BYTES',
  '--pixels-max': 'N',
  '--import-allow': 'CIDR',
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
}

const exitCodes = [
  ['0', 'done'],
  ['1', 'an error; nothing else was done'],
  ['2', 'there are changes (only plan --detailed-exitcode)'],
  ['3', 'partial: something failed or was skipped, other things were done'],
  ['64', 'wrong usage, or consent is missing and there is no terminal to ask on'],
  ['130', 'interrupted'],
] as const

export function renderOverview(commands: readonly CommandSummary[], version: string, style: Style): string {
  const width = Math.max(...commands.map(({ path }) => path.length))
  const sections = categories.map((category) => {
    const rows = commands.filter((command) => command.category === category)
    const lines = rows.map(({ path, description }) => `  ${style.cyan(path.padEnd(width))}  ${description}`)
    return `${style.bold(category)}\n${lines.join('\n')}`
  })
  return [
    `${style.bold(`agents ${version}`)}: declare managed agents in agents.yaml, and make the providers match.`,
    'Usage: agents COMMAND [OPTIONS]',
    ...sections,
    `${style.bold('Try it without an account')}\n  agents init --provider qoder --yes\n  agents emulate -- agents plan`,
    `${style.bold('Exit codes')}\n${columns(exitCodes, '  ')}`,
    'agents COMMAND --help explains a command and shows examples.',
  ].join('\n\n')
}

export function renderGroup(group: string, commands: readonly CommandSummary[], style: Style): string {
  const rows = commands.map(({ path, operands, description }) => [`agents ${path} ${operands}`.trim(), description])
  return `${style.bold(`agents ${group}`)} has these commands:\n\n${columns(rows, '  ')}`
}

export function renderCommandHelp(command: CommandSummary, style: Style): string {
  const { path, operands, description, details, examples, options } = command
  const rows = options.map((option) => [optionNames(option), option.description])
  const lines = examples.map(([title, line]) => `  ${style.dim(`# ${title}`)}\n  ${line}`)
  return [
    `${style.bold(`agents ${path}`)}: ${description}`,
    `Usage: agents ${path}${operands === '' ? '' : ` ${operands}`} [OPTIONS]`,
    ...(details === undefined ? [] : [details]),
    `${style.bold('Options')}\n${columns(rows, '  ')}`,
    ...(lines.length === 0 ? [] : [`${style.bold('Examples')}\n${lines.join('\n')}`]),
  ].join('\n\n')
}

function optionNames({ names, takesValue }: OptionSummary): string {
  const [long = '', short] = names
  const value = takesValue ? ` ${valueNames[long] ?? 'NAME'}` : ''
  return `${short === undefined ? '    ' : `${short}, `}${long}${value}`
}
