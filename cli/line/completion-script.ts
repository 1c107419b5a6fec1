// Completion scripts, generated from the catalogue of commands, so that they are always complete.

import type { CommandSummary } from '../terminal/context.js'
import { bashScript } from './bash-script.js'
import { commandGroups } from './command-groups.js'
import { operandValues, type Values, valuesOfOption } from './completion-values.js'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export function completionScript(shell: Shell, commands: readonly CommandSummary[]): string {
  return scripts[shell](commands)
}

/** zsh runs the bash script in its emulation of bash completion. */
function zsh(commands: readonly CommandSummary[]): string {
  return `#compdef agents
autoload -U +X bashcompinit && bashcompinit
${bashScript(commands)}`
}

function fish(commands: readonly CommandSummary[]): string {
  const lines = ['# Completes agents in fish.', fishConfig, 'complete -c agents -f -n __fish_use_subcommand']
  for (const { path, description, options } of commands) {
    const [first = '', second] = path.split(' ')
    const isChosen = second
      ? `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
      : `__fish_seen_subcommand_from ${first}`
    lines.push(
      second
        ? `complete -c agents -f -n '__fish_seen_subcommand_from ${first}' -a ${second} -d ${quoted(description)}`
        : `complete -c agents -f -n __fish_use_subcommand -a ${first} -d ${quoted(description)}`,
    )
    for (const { names, takesValue, description: about } of options) {
      const spelled = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
      const values = takesValue ? valuesOfOption(path, names) : undefined
      const offered = values ? ` -x -a ${fishWords(values)}` : takesValue ? ' -r' : ''
      lines.push(`complete -c agents -n '${isChosen}' ${spelled.join(' ')}${offered} -d ${quoted(about)}`)
    }
    const operands = operandValues[path]
    if (operands) lines.push(`complete -c agents -f -n '${isChosen}' -a ${fishWords(operands)}`)
  }
  for (const [group] of commandGroups(commands))
    lines.push(`complete -c agents -f -n __fish_use_subcommand -a ${group}`)
  return `${lines.join('\n')}\n`
}

/** Shell code for fish that prints the option for the project file if it is on the line. */
const fishConfig = `function __agents_config
  set -l words (commandline -opc)
  for i in (seq (count $words))
    if contains -- $words[$i] -c --config; and test $i -lt (count $words)
      printf '%s\\n' --config $words[(math $i + 1)]
    end
  end
end`

function fishWords(values: Values): string {
  return values.from === 'list'
    ? quoted(values.words.join(' '))
    : `'(agents __complete (__agents_config) ${values.source} 2>/dev/null)'`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`
}

const scripts: Readonly<Record<Shell, (commands: readonly CommandSummary[]) => string>> = {
  bash: bashScript,
  zsh,
  fish,
}
