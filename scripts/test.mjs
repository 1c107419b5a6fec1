// Runs the tests and ends with the one line that machines read: `12 passed, 0 failed`.
//
//   node scripts/test.mjs [--long] [--changed[=REVISION]] [test files]
//   node scripts/test.mjs --watch FILE
//
// `--changed` runs the tests that a change since the revision (default HEAD) can affect; `--watch` runs one file again
// whenever it, or what it imports, is saved. Builds first when needed, because the command line is tested as the program people get. `--long` sets
// STEWARD_TEST_LONG=1, which lets seeded samples run in full. With CI=true a skipped test is a failure too, unless all it
// lacks is the corpus.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { affectedTests } from './affected-tests.mjs'
import { bundleThread } from './bundle-thread.mjs'
import { compileAll } from './compiled-typescript.mjs'
import { installLine, unexcused } from './skipped.mjs'
import { runTestFile, watchTestFile } from './test-file.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Files at a time. Half of their time they wait: for other programs, for disks, for time to pass. */
const jobs = 2 * availableParallelism()
/** Folders whose files take longest, run first: a long file that starts last delays the end. */
const slowFolders = [
  'test/crash/',
  'test/conformance/',
  'test/examples/',
  'test/cli/',
  'test/faults/',
  'test/properties/',
]
const given = process.argv.slice(2)
const named = given.filter((argument) => !argument.startsWith('--'))
const isLong = given.includes('--long') || process.env.STEWARD_TEST_LONG === '1'

const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-needed'], { stdio: 'inherit' })
if (built.status !== 0) {
  console.log('0 passed, 1 failed')
  process.exit(1)
}

if (given.includes('--watch')) process.exit(watchTestFile(named[0]))
await compileAll()
process.env.STEWARD_TEST_THREAD = await bundleThread()
const changed = given.find((argument) => argument.startsWith('--changed'))
const waiting = slowestFirst(chosenFiles())
const results = []
await Promise.all(Array.from({ length: jobs }, work))

const reasons = results.flatMap((result) => result.reasons)
const install = installLine(reasons)
if (install !== undefined) console.log(install)
const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((count) =>
  results.reduce((sum, result) => sum + result[count], 0),
)
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
const isIncomplete = process.env.CI === 'true' && unexcused(reasons) > 0
const ranNothing = passed === 0 && changed === undefined
process.exitCode = failed > 0 || ranNothing || isIncomplete ? 1 : 0

/** Runs files one after the other; the output of a file is printed when it has ended, so that two never mix. */
async function work() {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const output = []
    results.push(await runTestFile(file, { isLong, print: (line) => output.push(line) }))
    console.log(output.join('\n'))
  }
}

function chosenFiles() {
  if (named.length > 0) return named
  if (changed === undefined) return testFiles(join(root, 'test'))
  const files = affectedTests(root, changed.split('=')[1] ?? 'HEAD')
  console.log(`${files.length} test files can be affected.`)
  return files
}

function testFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => relative(root, join(folder, name)))
    .sort()
}

function slowestFirst(files) {
  const rank = (file) => slowFolders.findIndex((folder) => file.startsWith(folder)) + 1 || slowFolders.length + 1
  return files.toSorted((a, b) => rank(a) - rank(b))
}
