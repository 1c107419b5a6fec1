// Reorders the words of a command line for the parser: options of every command may stand
// anywhere, and spellings of other programs are translated.
import type { CommandSummary } from '../terminal/context.js'
import { globalOptions } from './global-options.js'
import { beforeSeparator, commandOf } from './lookup.js'

export interface CommandLine {
  readonly words: readonly string[]
  readonly isJson: boolean
  /** True if `--no-color` was given. */
  readonly isPlain: boolean
}

/** Names of global options in other programs. A command with an option of that name uses its own. */
const spellings: Readonly<Record<string, string>> = { '--file': '--config', '-f': '--config' }

const plainOptions: ReadonlySet<string> = new Set(['--no-color', '--no-colour'])

export function readCommandLine(written: readonly string[], commands: () => readonly CommandSummary[]): CommandLine {
  const ours = beforeSeparator(written)
  const words = ours.filter((word) => !plainOptions.has(word))
  const spelled = words.some((word) => Object.hasOwn(spellings, nameOf(word))) ? respelled(words, commands()) : words
  return {
    words: [...reordered(spelled), ...written.slice(ours.length)],
    isJson: ours.includes('--json'),
    isPlain: words.length < ours.length,
  }
}

function respelled(words: readonly string[], commands: readonly CommandSummary[]): readonly string[] {
  const own = new Set(commandOf(reordered(words.map(ownSpelling)), commands)?.options.flatMap(({ names }) => names))
  return words.map((word) => (own.has(nameOf(word)) ? word : ownSpelling(word)))
}

function ownSpelling(word: string): string {
  const name = nameOf(word)
  return (spellings[name] ?? name) + word.slice(name.length)
}

/** Moves options of every command behind the other words, so that the command comes first. */
function reordered(words: readonly string[]): readonly string[] {
  const first: string[] = []
  const last: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const takesValue = globalOptions[nameOf(word)]
    if (takesValue === undefined) first.push(word)
    else last.push(word)
    const value = words[at + 1]
    if (!takesValue || word.includes('=') || value === undefined) continue
    last.push(value)
    at++
  }
  return [...first, ...last]
}

function nameOf(word: string): string {
  const end = word.startsWith('-') ? word.indexOf('=') : -1
  return end < 0 ? word : word.slice(0, end)
}
