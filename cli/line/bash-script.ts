// Generates the completion script for bash, which zsh runs too.
import type { CommandSummary } from '../terminal/context.js'
import { commandGroups } from './command-groups.js'
import { operandValues, type Values, valuesOfOption } from './completion-values.js'

/** Options that may stand before the command. */
const anywhere = ['--config', '--json', '--verbose', '--no-color', '--help', '--version']

/** Returns the script: it joins the words of the line, finds the command in it, and offers what may follow. */
export const bashScript = (commands: readonly CommandSummary[]): string => `# Completes agents in bash.
${bashLine}
${bashLines}
_agents_reply() {
${bashCommand(commands)}
${bashOffers(commands)}
}
complete -o filenames -F _agents agents
`

/**
 * Shell code that reads the words of the line, so that `--option=value` completes as `--option value` does. bash splits
 * it into three words (`=` is in COMP_WORDBREAKS); zsh passes one word, whose first part must be repeated in every
 * offered value.
 */
const bashLine = `_agents() {
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
}`

/**
 * Shell code that offers what the program prints, a line each. The names are of files that others wrote: nothing expands
 * them (`compgen -W` would), and one that a shell reads as more than a word is not offered.
 */
const bashLines = `_agents_lines() {
  local name
  while IFS= read -r name; do
    case "$name" in
      *[[:space:][:cntrl:]\\$\\\`\\'\\"\\\\\\;\\&\\|\\<\\>\\(\\)\\{\\}\\[\\]\\*\\?\\!\\#\\~]*) ;;
      "$current"*) COMPREPLY+=("$name") ;;
    esac
  done < <("\${COMP_WORDS[0]}" __complete "\${config[@]}" "$1" 2>/dev/null)
}`

/**
 * Returns shell code that finds the command (`path`), the current and previous words, and the option for the project
 * file.
 */
function bashCommand(commands: readonly CommandSummary[]): string {
  const nested = commands.map(({ path }) => path).filter((path) => path.includes(' '))
  return `  local last=$((\${#line[@]} - 1))
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
  esac`
}

/** Returns shell code that offers commands, else values of options, else operands, else options. */
function bashOffers(commands: readonly CommandSummary[]): string {
  const options = commands.map(
    ({ path, options }) => `    '${path}') words='${options.flatMap(({ names }) => names).join(' ')}' ;;`,
  )
  return `  case "$first $previous" in
    *' -c' | *' --config' | ' -f' | ' --file') COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  if [ -z "$path" ]; then
    COMPREPLY=($(compgen -W '${[...firstWords(commands), ...anywhere].join(' ')}' -- "$current"))
    return
  fi
  case "$path" in
${commandGroups(commands)
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
${options.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))`
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

/** Returns shell code that offers the values and nothing else, not even file names. */
function offered(values: Values): string {
  if (values.from === 'list') return `COMPREPLY=($(compgen -W '${values.words.join(' ')}' -- "$current")); return`
  return `_agents_lines ${values.source}; return`
}

function firstWords(commands: readonly CommandSummary[]): readonly string[] {
  return [...new Set(commands.map(({ path }) => path.split(' ')[0] ?? ''))]
}
