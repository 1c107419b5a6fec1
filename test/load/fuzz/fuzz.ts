// Runs a target for a time or a number of cases. Each case has a seed of its own, the seed of the run plus its number, so
// that it is repeated with `--seed CASE --cases 1`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Draw } from '../draw.js'
import type { FuzzCase, FuzzTarget } from './fuzz-target.js'

export interface FuzzOptions {
  readonly seed: number
  /** Default: unlimited. */
  readonly cases?: number
  readonly seconds?: number
  /** Folder for the files of failing cases. Default: they are not stored. */
  readonly keep?: string
  report(line: string): void
  /** Called with the seed before each case. */
  onCase?(seed: number): void
}

export interface FuzzSummary {
  readonly cases: number
  /** One per case, or per session, with complaints. */
  readonly failures: readonly Failure[]
}

export interface Failure {
  readonly seed: number
  readonly title: string
  readonly complaints: readonly string[]
}

export async function fuzz(target: FuzzTarget, options: FuzzOptions): Promise<FuzzSummary> {
  const { seed, cases = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY, report } = options
  const folder = mkdtempSync(join(tmpdir(), `fuzz-${target.name}-`))
  const failures: Failure[] = []
  const until = performance.now() + seconds * 1000
  let done = 0
  const session = await target.open(folder)
  try {
    for (; done < cases && performance.now() < until; done++) {
      const failure = await failureOf(seed + done)
      if (failure !== undefined) failures.push(failure)
    }
  } finally {
    const complaints = await session.close()
    if (complaints.length > 0) failures.push(failed({ seed, title: 'end of the session', complaints }))
    rmSync(folder, { recursive: true, force: true })
  }
  return { cases: done, failures }

  async function failureOf(seed: number): Promise<Failure | undefined> {
    options.onCase?.(seed)
    const one = await session.draw(new Draw(seed))
    const complaints = await complaintsOf(one)
    if (complaints.length === 0) return undefined
    if (options.keep !== undefined) store(join(options.keep, `${target.name}-${seed}`), one, complaints)
    return failed({ seed, title: one.title, complaints })
  }

  function failed(failure: Failure): Failure {
    report(`${target.name}: seed ${failure.seed} (${failure.title})`)
    for (const complaint of failure.complaints) report(`  ${complaint}`)
    report(`  again: npm run fuzz -- --target ${target.name} --seed ${failure.seed} --cases 1`)
    return failure
  }
}

async function complaintsOf(one: FuzzCase): Promise<readonly string[]> {
  try {
    return await one.run()
  } catch (error) {
    return [`threw ${error instanceof Error ? error.stack : String(error)}`]
  }
}

function store(folder: string, { title, files }: FuzzCase, complaints: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'complaints.txt'), `${title}\n${complaints.join('\n')}\n`)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
}
