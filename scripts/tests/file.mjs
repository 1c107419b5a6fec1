// One test file in a process of its own.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { compiledPath } from '../compiled-typescript.mjs'
import { root } from './sources.mjs'
import { TapLines } from './tap-lines.mjs'

/** Seconds after which a file ends itself and prints what it waits for, unless it asks tap for more. */
const timeoutSeconds = 600
/** Milliseconds after which a file that cannot end itself is ended. */
const hangsAfterMs = 2 * timeoutSeconds * 1000
/** Processes of the test files that are running. */
const running = new Set()
/** Options of Node for the process of a test file. */
export const nodeOptions = ['--import', new URL('no-async-hooks.mjs', import.meta.url).href, '--enable-source-maps']

/**
 * Returns `{ test, passed, failed, skipped, reasons, seconds, reason, output }`: numbers of assertions, why tests were skipped,
 * why the file failed, and lines with the details of what failed. With `isLong`, there is no timeout.
 */
export async function runTestFile(test, { isLong, env = {} }) {
  const startedAt = performance.now()
  const output = []
  const child = spawn(process.execPath, [...nodeOptions, compiledPath(test)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, TAP_TIMEOUT: String(timeoutSeconds), ...(isLong ? { STEWARD_TEST_LONG: '1' } : {}) },
  })
  running.add(child)
  const hangs = isLong ? undefined : setTimeout(() => child.kill('SIGKILL'), hangsAfterMs)
  const closed = once(child, 'close')
  createInterface({ input: child.stderr }).on('line', (line) => output.push(line))
  const lines = new TapLines((line) => output.push(line))
  for await (const line of createInterface({ input: child.stdout })) lines.take(line)
  const [code, signal] = await closed
  running.delete(child)
  clearTimeout(hangs)
  const { passed, skipped, reasons } = lines
  // A file that could not start, or ended between two assertions, counts as one failure.
  const isWhole = code === 0 && passed + skipped > 0
  const failed = Math.max(lines.failed, isWhole ? 0 : 1)
  const reason = signal ?? (code === 0 ? 'nothing was tested' : `exit code ${code}`)
  return { test, passed, failed, skipped, reasons, seconds: (performance.now() - startedAt) / 1000, reason, output }
}

/** Ends the running test files when this process is told to end, so that none goes on alone. */
export function endTestFilesWithRunner() {
  for (const [signal, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }))
    process.once(signal, () => {
      for (const child of running) child.kill(signal)
      process.exit(128 + number)
    })
}

/** Runs a file again whenever it, or what it imports, is saved; returns the exit code when it is stopped. */
export function watchTestFile(file) {
  if (file === undefined) {
    console.error('--watch needs a test file: npm test -- --watch test/core/graph/order.test.ts')
    return 1
  }
  const loader = new URL('../typescript.mjs', import.meta.url).href
  const words = ['--watch', '--import', loader, ...nodeOptions, file]
  return spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' }).status ?? 1
}
