// Answers to help and completion, from the files in `prepared` that the build has made by running the program. To load the
// program takes as long as to start Node.
import { readFileSync, statSync } from 'node:fs'
import { asksForHelp, helpText, topicOf } from './help.js'
import { readCommandLine } from './line/command-line.js'
import { sources } from './line/completion-values.js'
import { usualFile } from './line/global-options.js'
import { styleFor } from './render/style.js'
import { type CommandSummary, type Context, widthOf } from './terminal/context.js'

const completeKey = ['__complete', sources.key] as const

/** Command lines whose output the build stores. That of the last one is longer if the project file names plugins. */
export const preparedLines = [
  ['completion', 'bash'],
  ['completion', 'zsh'],
  ['completion', 'fish'],
  completeKey,
] as const

/** Returns what the program prints for the command line; undefined if the program has to be asked. */
export function preparedAnswer(
  written: readonly string[],
  { env, stdout, version }: Pick<Context, 'env' | 'stdout' | 'version'>,
): string | undefined {
  const { words, isPlain } = readCommandLine(written, preparedCatalogue)
  if (!asksForHelp(words)) return storedOutput(words)
  const style = styleFor(stdout, isPlain ? { NO_COLOR: '1' } : env)
  const text = helpText(topicOf(words), preparedCatalogue(), { version, view: { style, width: widthOf(stdout) } })
  return text === undefined ? undefined : `${text}\n`
}

export function preparedCatalogue(): readonly CommandSummary[] {
  return JSON.parse(readPrepared('commands.json'))
}

function storedOutput([command, operand, ...options]: readonly string[]): string | undefined {
  const line = preparedLines.find((words) => words[0] === command && words[1] === operand)
  const isComplete = line === completeKey ? !mayHavePlugins(options) : options.length === 0
  return line && isComplete ? readPrepared(`${line.join('-')}.txt`) : undefined
}

/** Returns true if the project file may name plugins, or cannot be read as usual. */
function mayHavePlugins(options: readonly string[]): boolean {
  const [name, file = usualFile] = options
  const isNamed = options.length === 2 && (name === '--config' || name === '-c')
  if (options.length > 0 && !isNamed) return true
  try {
    const status = statSync(file, { throwIfNoEntry: false })
    if (status === undefined) return file !== usualFile
    // An escape (`"pl\x75gin"`) begins with a backslash.
    return !status.isFile() || /\bplugin\b|\\/.test(readFileSync(file, 'utf8'))
  } catch {
    return true
  }
}

function readPrepared(name: string): string {
  return readFileSync(new URL(`prepared/${name}`, import.meta.url), 'utf8')
}
