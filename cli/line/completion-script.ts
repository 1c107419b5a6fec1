// Completion scripts, generated from the catalogue of commands, so that they are always complete.

import type { CommandSummary } from '../terminal/context.js'
import { operandValues, type Values, valuesOfOption } from './completion-values.js'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export function completionScript(shell: Shell, commands: readonly CommandSummary[]): string {
  return scripts[shell](commands)
}

/** Options that may stand before the command. */
const anywhere = ['--config', '--json', '--verbose', '--no-color', '--help', '--version']

const scripts: Readonly<Record<Shell, (commands: readonly CommandSummary[]) => string>> = { bash, zsh, fish }

/**
 * `--option=value` completes as `--option value` does. bash passes it as three words (`=` is in COMP_WORDBREAKS), zsh as
 * one, which then has to be repeated in front of every offered value.
 */
function bash(commands: readonly CommandSummary[]): string {
  const cases = commands.map(
    ({ path, options }) => `    '${path}') words='${options.flatMap(({ names }) => names).join(' ')}' ;;`,
  )
  const nested = commands.map(({ path }) => path).filter((path) => path.includes(' '))
  return `# Completes agents in bash.
_agents() {
  local -a line=()
  local prefix= word i
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$word" in
      '=') [ "$i" -eq "$COMP_CWORD" ] && line+=('') ;;
      --*=*)
        line+=("\${word%%=*}" "\${word#*=}")
        [ "$i" -eq "$COMP_CWORD" ] && prefix=\${word%%=*}= ;;
      *) line+=("$word") ;;
    esac
  done
  COMPREPLY=()
  _agents_reply
  for ((i = 0; i < \${#COMPREPLY[@]}; i++)); do COMPREPLY[i]=$prefix\${COMPREPLY[i]}; done
}
_agents_reply() {
  local last=$((\${#line[@]} - 1))
  local current=\${line[last]} previous=\${line[last-1]} first= second= path= words= i
  local -a config=()
  for ((i = 1; i < last; i++)); do
    case "\${line[i]}" in
      -c|--config) i=$((i + 1)); config=(--config "\${line[i]}") ;;
      -f|--file) i=$((i + 1)); [ -z "$first" ] && config=(--config "\${line[i]}") ;;
      -* | help) ;;
      *) if [ -z "$first" ]; then first=\${line[i]}; elif [ -z "$second" ]; then second=\${line[i]}; fi ;;
    esac
  done
  path=$first
  case "$first $second" in
    ${nested.map((both) => `'${both}'`).join(' | ')}) path="$first $second" ;;
  esac
  case "$first $previous" in
    *' -c' | *' --config' | ' -f' | ' --file') COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  if [ -z "$path" ]; then
    COMPREPLY=($(compgen -W '${[...firstWords(commands), ...anywhere].join(' ')}' -- "$current"))
    return
  fi
  case "$path" in
${groups(commands)
  .map(([group, members]) => `    ${group}) words='${members.join(' ')}' ;;`)
  .join('\n')}
  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "$path $previous" in
${optionCases(commands).join('\n')}
  esac
  case "$current" in
    -*) ;;
    *)
      case "$path" in
${operandCases(commands).join('\n')}
      esac
      COMPREPLY=($(compgen -f -- "$current"))
      return ;;
  esac
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _agents agents
`
}

/** Returns branches of the `case` of the shell for options that take a value. */
function optionCases(commands: readonly CommandSummary[]): readonly string[] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, takesValue }) => {
      if (!takesValue) return []
      const values = valuesOfOption(path, names)
      const files = 'COMPREPLY=($(compgen -f -- "$current")); return'
      return [`    ${names.map((name) => `'${path} ${name}'`).join(' | ')}) ${values ? offered(values) : files} ;;`]
    }),
  )
}

function operandCases(commands: readonly CommandSummary[]): readonly string[] {
  return commands.flatMap(({ path }) => {
    const values = operandsOf(path, commands)
    return values ? [`          '${path}') ${offered(values)} ;;`] : []
  })
}

/** Returns the second words of commands that begin with another command (`plan show`). */
function operandsOf(path: string, commands: readonly CommandSummary[]): Values | undefined {
  const below = commands.filter((command) => command.path.startsWith(`${path} `))
  if (below.length === 0) return operandValues[path]
  return { from: 'list', words: below.map((command) => command.path.slice(path.length + 1)) }
}

/** Shell code that offers the values and nothing else, not even file names. */
function offered(values: Values): string {
  return `COMPREPLY=($(compgen -W ${bashWords(values)} -- "$current")); return`
}

function bashWords(values: Values): string {
  if (values.from === 'list') return `'${values.words.join(' ')}'`
  return `"$("\${COMP_WORDS[0]}" __complete "\${config[@]}" ${values.source} 2>/dev/null)"`
}

/** zsh runs the script for bash through its own emulation. */
function zsh(commands: readonly CommandSummary[]): string {
  return `#compdef agents
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`
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
  for (const [group] of groups(commands)) lines.push(`complete -c agents -f -n __fish_use_subcommand -a ${group}`)
  return `${lines.join('\n')}\n`
}

/** Prints the option for the project file that stands on the line. */
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

function firstWords(commands: readonly CommandSummary[]): readonly string[] {
  return [...new Set(commands.map(({ path }) => path.split(' ')[0] ?? ''))]
}

/** Returns groups of commands, `state` for `list`, `show` and so on; not `plan`, which is a command itself. */
function groups(commands: readonly CommandSummary[]): readonly (readonly [string, readonly string[]])[] {
  const members = new Map<string, string[]>()
  for (const { path } of commands) {
    const [first = '', second] = path.split(' ')
    if (second !== undefined) members.set(first, [...(members.get(first) ?? []), second])
  }
  return [...members].filter(([group]) => !commands.some(({ path }) => path === group))
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`
}
