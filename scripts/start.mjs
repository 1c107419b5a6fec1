// `npm start`: the main job end to end, without an account. Four emulated providers, one agents.yaml: plan, apply, and
// a second plan that finds nothing to do. Works in a temporary folder and leaves nothing behind.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(root, 'dist/agents.js')
const changesExitCode = 2

const steps = [
  { line: 'agents plan --provider all', wants: 0 },
  { line: 'agents apply --provider all --yes', wants: 0 },
  { line: 'agents state list', wants: 0 },
  { line: 'agents plan --provider all --detailed-exitcode', wants: 0 },
]

const scratch = mkdtempSync(join(tmpdir(), 'agents-'))
const emulator = spawn(process.execPath, [program, 'emulate', '--port', '0', '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const folder = join(scratch, 'four-providers')
  cpSync(join(root, 'examples/four-providers'), folder, { recursive: true })
  console.log('$ agents emulate &')
  const { url } = JSON.parse(await firstLine(emulator))
  process.exitCode = steps.every((step) => succeeds(step, { folder, url })) ? 0 : 1
} finally {
  const ended = emulator.exitCode ?? once(emulator, 'exit')
  emulator.kill('SIGTERM')
  await ended
  rmSync(scratch, { recursive: true, force: true })
}

function succeeds({ line, wants }, { folder, url }) {
  console.log(`\n$ ${line}`)
  const { status } = spawnSync(process.execPath, [program, ...line.split(' ').slice(1)], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, STEWARD_EMULATOR: url },
  })
  if (status === wants) return true
  const why = status === changesExitCode ? 'the second plan was to be empty' : `exit code ${status}`
  console.error(`"${line}" did not do what it was to do: ${why}.`)
  return false
}

/** Rejects when the emulator ends before it prints its address. */
async function firstLine(child) {
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error('the emulator did not start')
}
