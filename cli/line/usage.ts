// Explains a command line that cannot be parsed: which word is wrong, and which one is similar.

import type { Diagnostic } from '../../core/diagnostic.js'
import { closest } from '../../core/value/suggestions.js'
import type { CommandSummary } from '../terminal/context.js'
import { globalOptions } from './global-options.js'
import { beforeOptions, beforeSeparator, commandOf, groupOf } from './lookup.js'
import { meantCommand, meantInGroup } from './meanings.js'
import { type CliCode, diagnostic } from './problems.js'

/** A mistake on the command line, which ends the program with the exit code for usage instead of the one for errors. */
export class UsageProblem extends Error {
  readonly diagnostic: Diagnostic

  constructor(code: CliCode, more: Pick<Diagnostic, 'detail' | 'fix'>) {
    super(code)
    this.diagnostic = diagnostic(code, more)
  }
}

/** Returns the problem of a command line. `reason` is the parser's own message, if there is one. */
export function explainUsage(
  words: readonly string[],
  commands: readonly CommandSummary[],
  reason: string | undefined,
): UsageProblem {
  const command = commandOf(words, commands)
  if (!command) return words[0]?.startsWith('-') ? leadingOption(words[0]) : unknownCommand(words, commands)
  const help = `Run "agents ${command.path} --help" to see what it takes.`
  const known = command.options.flatMap(({ names }) => names)
  const wrong = beforeSeparator(words).find((word) => word.startsWith('-') && !known.includes(word.split('=')[0] ?? ''))
  if (wrong === undefined) {
    const given = beforeSeparator(words).map((word) => word.split('=')[0] ?? '')
    const missing = command.options
      .filter(({ isRequired, names }) => isRequired && !names.some((name) => given.includes(name)))
      .map(({ names }) => names[0])
    const isShort = reason?.startsWith('Not enough positional') === true && command.operands !== ''
    const other = isShort ? `It takes ${command.operands}.` : sentence(reason ?? 'The operands do not fit')
    const detail = missing.length > 0 ? `It needs ${missing.join(' and ')}.` : other
    return new UsageProblem('cli.wrong-usage', { detail, fix: help })
  }
  const word = wrong.split('=')[0] ?? ''
  const meant = closest(word, known)
  return new UsageProblem('cli.unknown-option', {
    detail: `"agents ${command.path}" has no option "${wrong}".`,
    fix: meant === undefined ? help : `Did you mean ${meant}? ${help}`,
  })
}

function unknownCommand(words: readonly string[], commands: readonly CommandSummary[]): UsageProblem {
  const given = beforeOptions(words)
  const group = groupOf(given.slice(0, 1), commands)
  if (given.length === 0 || (group.length > 0 && given.length === 1)) {
    const paths =
      group.length > 0 ? group.map(({ path }) => path) : commands.map(({ path }) => path.split(' ')[0] ?? '')
    const choice = [...new Set(paths)].join(', ')
    return new UsageProblem('cli.missing-command', { detail: `Say what to do: ${choice}.` })
  }
  const paths = commands.map(({ path }) => path)
  const meant = meantBy(given, group, paths)
  return new UsageProblem('cli.unknown-command', {
    detail: `There is no command "${given.slice(0, group.length > 0 ? 2 : 1).join(' ')}".`,
    fix: meant === undefined ? 'Run "agents --help" to see every command.' : `Did you mean "agents ${meant}"?`,
  })
}

/** Suggests the equivalent command for a word of another program, else the most similar word. */
function meantBy(
  [first = '', second = '']: readonly string[],
  group: readonly CommandSummary[],
  paths: readonly string[],
): string | undefined {
  if (group.length === 0)
    return meantCommand(first) ?? closest(`${first} ${second}`.trim(), paths) ?? closest(first, paths)
  const members = group.map(({ path }) => path)
  return (
    meantInGroup(second, members) ?? closest(`${first} ${second}`, members) ?? paths.find((path) => path === second)
  )
}

/** Refuses an option before the command if only some commands have it. */
function leadingOption(written: string): UsageProblem {
  const known = [...Object.keys(globalOptions), '--version', '--help', '--no-color']
  const meant = closest(
    written.split('=')[0] ?? '',
    known.filter((name) => name.startsWith('--')),
  )
  const help = 'Run "agents --help" to see the commands and what goes with all of them.'
  return new UsageProblem('cli.unknown-option', {
    detail: `"agents" has no option "${written}".`,
    fix: meant === undefined ? help : `Did you mean ${meant}? ${help}`,
  })
}

function sentence(text: string): string {
  const trimmed = text.trim().split('\n')[0] ?? ''
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`
}
