// Finds the command, or the group of commands, that a command line names.
import type { CommandSummary } from '../terminal/context.js'

/** Returns the command that the words begin with, the longest path first. */
export function commandOf(words: readonly string[], commands: readonly CommandSummary[]): CommandSummary | undefined {
  const line = `${beforeOptions(words).join(' ')} `
  return commands.filter(({ path }) => line.startsWith(`${path} `)).sort((a, b) => b.path.length - a.path.length)[0]
}

/** Returns the commands that begin with the words, such as those of `state`. */
export function groupOf(words: readonly string[], commands: readonly CommandSummary[]): readonly CommandSummary[] {
  const prefix = beforeOptions(words).join(' ')
  return prefix === '' ? [] : commands.filter(({ path }) => path.startsWith(`${prefix} `))
}

export function beforeSeparator(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  return end < 0 ? words : words.slice(0, end)
}

export function beforeOptions(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => word.startsWith('-'))
  return end < 0 ? words : words.slice(0, end)
}
