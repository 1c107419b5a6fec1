// Runs one command line and returns its exit code.

import { Cli } from 'clipanion'
import { commands } from './commands/index.js'
import { asksForHelp, helpText, topicOf } from './help.js'
import { catalogueOf } from './line/catalogue.js'
import { readCommandLine } from './line/command-line.js'
import { diagnosticsOf, isUsageMistake } from './line/failure.js'
import { globalOptions } from './line/global-options.js'
import { explainUsage } from './line/usage.js'
import { Output } from './render/output.js'
import type { CommandSummary, Context } from './terminal/context.js'
import { type ExitCode, exitCode } from './terminal/exit-codes.js'

export { preparedLines } from './prepared.js'

const binary = 'agents'

/** Returns every command, by the parser's own knowledge. */
export function catalogue(): readonly CommandSummary[] {
  return catalogueOf(cliOf(commands), binary)
}

export async function runProgram(written: readonly string[], process: Context): Promise<number> {
  const { words, isJson, isPlain } = readCommandLine(written, process.catalogue)
  const env = isPlain ? { ...process.env, NO_COLOR: '1' } : process.env
  const context: Context = { ...process, env }
  let output = new Output(context, { isJson })
  if (versionWords.has(words[0] ?? '') && words.slice(1).every((word) => word === '--json')) {
    output.record({ type: 'version', version: context.version })
    output.print(context.version)
    return exitCode.done
  }
  if (asksForHelp(words)) return showHelp(words, context, new Output(context, { isJson: false }))
  try {
    const command = parse(words, context)
    if ('output' in command && command.output instanceof Output) output = command.output
    return await command.validateAndExecute()
  } catch (error) {
    output.report(diagnosticsOf(error))
    return isUsageMistake(error) ? exitCode.usage : exitCode.failed
  }
}

const versionWords: ReadonlySet<string> = new Set(['--version', '-v', '-V'])

function cliOf(some: readonly (typeof commands)[number][]): Cli<Context> {
  return Cli.from<Context>([...some], { binaryName: binary })
}

/**
 * Builds a parser for the named commands only: a parser for all takes as long to build as a small file takes to check.
 */
function parserFor([first]: readonly string[]): Cli<Context> {
  const named = commands.filter(({ paths }) => paths?.some((path) => path[0] === first))
  return cliOf(named.length > 0 ? named : commands)
}

function parse(words: readonly string[], context: Context) {
  if (words.every((word) => globalOptions[word] === false)) throw explainUsage([], context.catalogue(), undefined)
  try {
    const cli = parserFor(words)
    const command = cli.process([...words], context)
    command.context = context
    return command
  } catch (error) {
    if (isUsageMistake(error)) throw error
    throw explainUsage(words, context.catalogue(), reasonOf(error))
  }
}

/** Returns the message for the best candidate: clipanion's error contains one for every command that it tried. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('candidates' in error) || !Array.isArray(error.candidates)) return undefined
  const reasons: readonly unknown[] = error.candidates.map(
    (candidate: { readonly reason?: unknown }) => candidate.reason,
  )
  return reasons.find((reason) => typeof reason === 'string')
}

function showHelp(words: readonly string[], { version, catalogue }: Context, output: Output): ExitCode {
  const topic = topicOf(words)
  const text = helpText(topic, catalogue(), { version, view: output })
  if (text === undefined) {
    const named = topic.filter((word) => !word.startsWith('-'))
    output.report([explainUsage(named, catalogue(), undefined).diagnostic])
    return exitCode.usage
  }
  output.print(text)
  return exitCode.done
}
