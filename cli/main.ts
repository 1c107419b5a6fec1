#!/usr/bin/env node
// The `agents` program. The build bundles this file without the rest, which is loaded only if there is no prepared answer.
import { readFileSync } from 'node:fs'
import { preparedAnswer, preparedCatalogue } from './prepared.js'

// Arguments may contain tokens and links, and other users can list processes.
if (process.argv[2] === 'documents') process.title = 'agents documents'

// A reader that has closed the pipe (`agents plan | head`), or a full disk under stdout, must not stop an apply
// halfway.
let unwritten: NodeJS.ErrnoException | undefined
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') unwritten ??= error
})

const ended = await answer(process.argv.slice(2))
// Errors of a stream are reported at the latest when it ends.
await new Promise<void>((resolve) => process.stdout.write('', () => resolve()))
process.exitCode = ended
if (unwritten) {
  ignoreErrorsOfStderr()
  process.stderr.write(
    `Standard output could not be written: ${unwritten.message}. What was done is in the state file.\n`,
  )
  process.exitCode = ended === 0 ? 1 : ended
}

async function answer(written: readonly string[]): Promise<number> {
  const { env, stdout } = process
  const version = readVersion()
  const prepared = preparedAnswer(written, { env, stdout, version })
  if (prepared !== undefined) {
    stdout.write(prepared)
    return 0
  }
  ignoreErrorsOfStderr()
  const workingFolder = existingWorkingFolder()
  if (workingFolder === undefined) {
    process.stderr.write('The working folder no longer exists. Change into another one, and run the command again.\n')
    return 1
  }
  const { runProgram } = await import('./program.js')
  return runProgram(written, {
    env,
    stdin: process.stdin,
    stdout,
    stderr: process.stderr,
    colorDepth: 1,
    workingFolder,
    version,
    catalogue: preparedCatalogue,
  })
}

/** A message that cannot be written (full disk) cannot be reported, and must not stop an apply or a server. */
function ignoreErrorsOfStderr(): void {
  process.stderr.on('error', () => {})
}

/** Returns the working folder; undefined if it was removed. */
function existingWorkingFolder(): string | undefined {
  try {
    return process.cwd()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Reads the version from package.json, which is beside the folder of the built program. */
function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version }: { version: string } = JSON.parse(text)
  return version
}
