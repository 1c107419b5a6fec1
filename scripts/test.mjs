// Runs the tests and ends with the one line that machines read: `12 passed, 0 failed`.
//
//   node scripts/test.mjs [--long] [test files]
//
// Builds first when needed, because the command line is tested as the program people get. `--long` sets
// STEWARD_TEST_LONG=1, which lets seeded samples run in full. With CI=true a skipped test is a failure too, unless all it
// lacks is the corpus.
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { installLine, unexcused } from './skipped.mjs'
import { TapLines } from './tap-lines.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const jobsMax = 2
const given = process.argv.slice(2)
const named = given.filter((argument) => !argument.startsWith('--'))
const files = named.length > 0 ? named : testFiles(join(root, 'test'))

const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-needed'], { stdio: 'inherit' })
if (built.status !== 0) {
  console.log('0 passed, 1 failed')
  process.exit(1)
}

const tap = spawn(
  process.execPath,
  [join(root, 'node_modules/tap/dist/esm/run.mjs'), 'run', `--jobs=${jobsMax}`, '--reporter=tap', ...files],
  {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: given.includes('--long') ? { ...process.env, STEWARD_TEST_LONG: '1' } : process.env,
  },
)
const lines = new TapLines((text) => console.log(text))
for await (const line of createInterface({ input: tap.stdout })) lines.take(line)
const code = tap.exitCode ?? (await new Promise((done) => tap.once('exit', (status) => done(status ?? 1))))

const { passed, skipped, reasons } = lines
const install = installLine(reasons)
if (install !== undefined) console.log(install)
// A test file that could not start fails without an assertion of its own.
const failed = Math.max(lines.failed, code === 0 && files.length > 0 ? 0 : 1)
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
const isIncomplete = process.env.CI === 'true' && unexcused(reasons) > 0
process.exitCode = failed > 0 || passed === 0 || isIncomplete ? 1 : 0

function testFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => relative(root, join(folder, name)))
    .sort()
}
