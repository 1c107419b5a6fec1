// Completion scripts, made from the catalogue of commands, so that they never lag behind it.
import { operandValues, type Values, valuesOfOption } from './completion-values.js'
import type { CommandSummary } from './context.js'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export function completionScript(shell: Shell, commands: readonly CommandSummary[]): string {
  return scripts[shell](commands)
}

const scripts: Readonly<Record<Shell, (commands: readonly CommandSummary[]) => string>> = { bash, zsh, fish }

function bash(commands: readonly CommandSummary[]): string {
  const cases = commands.map(
    ({ path, options }) => `    '${path}') words='${options.flatMap(({ names }) => names).join(' ')}' ;;`,
  )
  return `# Completes agents in bash.
_agents() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} first=\${COMP_WORDS[1]} both="\${COMP_WORDS[1]} \${COMP_WORDS[2]}" words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${firstWords(commands).join(' ')}' -- "$current"))
    return
  fi
  case "$first" in
${groups(commands)
  .map(([group, members]) => `    ${group}) [ "$COMP_CWORD" -eq 2 ] && words='${members.join(' ')}' ;;`)
  .join('\n')}
  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "$both" in
    ${groups(commands)
      .map(([group]) => `'${group} '*`)
      .join(' | ')}) first=$both ;;
  esac
  case "$first $previous" in
${optionCases(commands).join('\n')}
  esac
  case "$current" in
    -*) ;;
    *)
      case "$first" in
${operandCases(commands).join('\n')}
      esac
      COMPREPLY=($(compgen -f -- "$current"))
      return ;;
  esac
  case "$first" in
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
      const values = takesValue ? valuesOfOption(path, names) : undefined
      return values ? [`    ${names.map((name) => `'${path} ${name}'`).join(' | ')}) ${offered(values)} ;;`] : []
    }),
  )
}

function operandCases(commands: readonly CommandSummary[]): readonly string[] {
  return commands.flatMap(({ path }) => {
    const values = operandValues[path]
    return values ? [`          '${path}') ${offered(values)} ;;`] : []
  })
}

/** Names of files are no answer here, even where nothing is found. */
function offered(values: Values): string {
  return `COMPREPLY=($(compgen -W ${bashWords(values)} -- "$current")); return`
}

function bashWords(values: Values): string {
  if (values.from === 'list') return `'${values.words.join(' ')}'`
  return `"$("\${COMP_WORDS[0]}" __complete ${values.source} 2>/dev/null)"`
}

/** zsh runs the script for bash through its own emulation. */
function zsh(commands: readonly CommandSummary[]): string {
  return `#compdef agents
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`
}

function fish(commands: readonly CommandSummary[]): string {
  const lines = ['# Completes agents in fish.', 'complete -c agents -f -n __fish_use_subcommand']
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

function fishWords(values: Values): string {
  return values.from === 'list' ? quoted(values.words.join(' ')) : `'(agents __complete ${values.source} 2>/dev/null)'`
}

function firstWords(commands: readonly CommandSummary[]): readonly string[] {
  return [...new Set(commands.map(({ path }) => path.split(' ')[0] ?? ''))]
}

/** `state` with `list`, `show` and so on. */
function groups(commands: readonly CommandSummary[]): readonly (readonly [string, readonly string[]])[] {
  const members = new Map<string, string[]>()
  for (const { path } of commands) {
    const [first = '', second] = path.split(' ')
    if (second !== undefined) members.set(first, [...(members.get(first) ?? []), second])
  }
  return [...members]
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`
}
