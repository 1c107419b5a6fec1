#!/usr/bin/env node
// The `agents` program. Everything heavy is loaded by the command that needs it, so that help and mistakes are quick.
import { readFileSync } from 'node:fs'
import { runProgram } from './program.js'

// Arguments may contain tokens and links, and other users can list processes.
if (process.argv[2] === 'documents') process.title = 'agents documents'

// A reader that has closed the pipe (`agents plan | head`), or a full disk under stdout, must not stop an apply
// halfway.
let unwritten: NodeJS.ErrnoException | undefined
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') unwritten ??= error
})
// A message that cannot be written (full disk) cannot be reported, and must not stop an apply or a server.
process.stderr.on('error', () => {})

const ended = await runProgram(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  colorDepth: 1,
  workingFolder: process.cwd(),
  version: readVersion(),
})
// Errors of a stream are reported at the latest when it ends.
await new Promise<void>((resolve) => process.stdout.write('', () => resolve()))
process.exitCode = ended
if (unwritten) {
  process.stderr.write(
    `Standard output could not be written: ${unwritten.message}. What was done is in the state file.\n`,
  )
  process.exitCode = ended === 0 ? 1 : ended
}

/** Reads the version from package.json, which is beside the folder of the built program. */
function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version }: { version: string } = JSON.parse(text)
  return version
}
