#!/usr/bin/env node
// The `agents` program. Everything heavy is loaded by the command that needs it, so that help and mistakes are quick.
import { readFileSync } from 'node:fs'
import { runProgram } from './program.js'

// Links and tokens among the arguments are secrets, and others on the machine list processes.
if (process.argv[2] === 'documents') process.title = 'agents documents'

// A reader that went away (`agents plan | head`) must not stop an apply halfway.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
// A message that cannot be written (a full disk) can be reported nowhere, and must stop neither an apply nor a server.
process.stderr.on('error', () => {})

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  colorDepth: 1,
  workingFolder: process.cwd(),
  version: readVersion(),
})

/** package.json stands beside the built program's folder. */
function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version }: { version: string } = JSON.parse(text)
  return version
}
