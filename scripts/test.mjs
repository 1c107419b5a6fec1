// Runs the tests and ends with the one line that machines read: `12 passed, 0 failed`.
//
//   node scripts/test.mjs                        the everyday tier: what needs no server, browser or crash
//   node scripts/test.mjs --all [--shard=1/4]    every test, the everyday tier first; or one of four equal parts
//   node scripts/test.mjs --changed[=REVISION]   what a change since the revision (default HEAD) can affect
//   node scripts/test.mjs [--watch] FILE…        some test files; --watch: one, again whenever it or what it imports is saved
//   … --long                                     seeded samples in full (STEWARD_TEST_LONG=1)
//   … --measure                                  writes test/map.json anew for the files that ran
//
// Builds first when needed, because the command line is tested as the program people get. With CI=true a skipped test is a
// failure, unless all it lacks is the corpus, and so is a map that no longer says which tests execute what.
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { bundleThread } from './bundle-thread.mjs'
import { compileAll } from './compiled-typescript.mjs'
import { affectedTests } from './tests/affected.mjs'
import { allTests, inOrder, shardOf } from './tests/choose.mjs'
import { endTestFilesWithRunner, runTestFile, watchTestFile } from './tests/file.mjs'
import { Measurement } from './tests/measurement.mjs'
import { readOptions } from './tests/options.mjs'
import { Progress } from './tests/progress.mjs'
import { installLine, unexcused } from './tests/skipped.mjs'
import { root, sourcesOf, testsOf } from './tests/sources.mjs'
import { TestMap } from './tests/test-map.mjs'

/** Files at a time. Half of their time they wait: for other programs, for disks, for time to pass. */
const jobs = 2 * availableParallelism()
/** Share of the sources that may have tests which executed them by chance. */
const byChance = 0.01
const options = readOptions(process.argv.slice(2))
const isCi = process.env.CI === 'true'

const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-needed'], { stdio: 'inherit' })
if (built.status !== 0) end(0, 1)
if (options.isWatching) process.exit(watchTestFile(options.files[0]))
await compileAll()

const map = TestMap.read(root)
const known = new Set(map.seconds.keys())
const secondsOf = (test) => map.secondsOf(test)
const tests = inOrder(chosenTests(), secondsOf)
const isMeasured = options.isMeasuring || (isCi && options.isAll)
const measurement = isMeasured ? new Measurement(root) : undefined
// Tracing costs a tenth of the processor time, so that the map is checked by as few files as can prove it.
const traced = isMeasured && !options.isMeasuring ? map.provers() : new Set(tests)
// A single file bundles the thread itself, if it starts one.
if (tests.length > 1) process.env.STEWARD_TEST_THREAD = await bundleThread()
const isByFile = options.files.length > 0 || options.changedSince !== undefined
const progress = new Progress(tests, { print: (line) => console.log(line), isByFile })
const results = []
const startedAt = performance.now()
const waiting = [...tests]
endTestFilesWithRunner()
await Promise.all(Array.from({ length: jobs }, runWaiting))
progress.end()

const reasons = results.flatMap((result) => result.reasons)
const install = installLine(reasons)
if (install !== undefined) console.log(install)
if (options.isEveryday) {
  const others = testsOf(root).length - tests.length
  const minutes = Math.ceil((performance.now() - startedAt) / 60_000)
  console.log(
    `Not run in these ${minutes} min: ${others} files on servers, browsers and crashes. All: npm run test:all`,
  )
}
const wrong = mapFaults()
if (options.isMeasuring) {
  measurement.writeInto(map, { isWhole: options.isAll && options.shard === undefined })
  map.keep(testsOf(root), sourcesOf(root))
  map.write(root)
}
const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((count) =>
  results.reduce((sum, result) => sum + result[count], 0),
)
const isIncomplete = isCi && unexcused(reasons) > 0
if (isIncomplete) console.log('Tests were skipped, which fails in continuous integration.')
end(passed, failed + wrong, skipped, isIncomplete)

/** Runs files one after the other. */
async function runWaiting() {
  for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) {
    const tracing = traced.has(test) ? measurement : undefined
    const result = await runTestFile(test, { isLong: options.isLong, env: tracing?.variablesFor(test) })
    tracing?.take(test)
    map.record(test, result.seconds)
    results.push(result)
    progress.take(result)
  }
}

function chosenTests() {
  if (options.files.length > 0) return options.files
  if (options.changedSince !== undefined) return changedTests()
  const all = allTests(options)
  return options.shard === undefined ? all : shardOf(all, options.shard, secondsOf)
}

function changedTests() {
  const { tests: affected, untested, unknown } = affectedTests(root, options.changedSince, map)
  for (const path of unknown) console.log(`No rule says which tests read ${path}.`)
  console.log(`${affected.length} test files can be affected.`)
  if (affected.length === 0 && untested.length === 0) end(0, 0)
  for (const path of untested) console.log(`not ok ${path} is executed by no test`)
  if (untested.length > 0) end(0, untested.length)
  return affected
}

/**
 * Prints the sources of the map that its tests no longer execute, and the tests that it lacks; returns how many there are. Some
 * functions execute by chance (a retry, a race), so a few sources are printed only.
 */
function mapFaults() {
  if (!isMeasured || options.isMeasuring) return 0
  const unproven = measurement.unproven(map)
  for (const source of unproven) console.log(`test/map.json: no test named for ${source} executes it`)
  const missing = testsOf(root).filter((test) => !known.has(test))
  for (const test of missing) console.log(`not ok test/map.json lacks ${test}`)
  if (unproven.length + missing.length > 0)
    console.log('  npm test -- --measure FILES writes the map anew for these test files.')
  return missing.length + (unproven.length > byChance * map.sources.length ? unproven.length : 0)
}

function end(passed, failed, skipped = 0, isIncomplete = false) {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exit(failed > 0 || isIncomplete || (passed === 0 && options.changedSince === undefined) ? 1 : 0)
}
