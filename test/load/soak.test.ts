// The short form of `npm run soak`, and the judgement of series that leak.
import t from 'tap'
import { scratchFolder } from '../cli/scratch.js'
import { seed } from '../support/sample.js'
import { Draw } from './draw.js'
import type { Measurement } from './soak/measurements.js'
import { soak } from './soak/soak.js'
import { type SoakRecord, verdictOf } from './soak/verdict.js'

t.setTimeout(300_000)
t.comment(`seed ${seed}`)
const minutes = 10

/** A healthy series of ten minutes after the warm-up: memory rises and is collected; `leak`: more, by the minute. */
function recordOf(leak: (minute: number) => Partial<Measurement>, more: Partial<SoakRecord> = {}): SoakRecord {
  const draw = new Draw(seed)
  const at = (minute: number): Measurement => {
    const healthy = {
      minute,
      residentMb: 500 + draw.below(60),
      heapMb: 50 + draw.below(25),
      externalMb: 10,
      files: 100 + draw.below(12),
      threads: 21 + draw.below(3),
      folderMb: 5,
      loopDelayMs: 20,
      replaced: 0,
    }
    const leaked = Object.entries(leak(minute)).map(([name, value]) => [name, Object(healthy)[name] + value])
    return { ...healthy, ...Object.fromEntries(leaked) }
  }
  const quiet = at(3)
  const idle = { before: quiet, after: quiet }
  const measurements = Array.from({ length: 20 * minutes }, (_, index) => at(index / 20))
  return { measurements, idle, complaints: [], ...more }
}

const failuresOf = (record: SoakRecord) => verdictOf(record).failures

t.test('what rises and falls passes', async (t) => {
  t.same(failuresOf(recordOf(() => ({}))), [])
  t.same(failuresOf(recordOf((minute) => (minute > 5 && minute < 5.3 ? { residentMb: 900, files: 200 } : {}))), [])
})

t.test('a leak of every judged value fails, and only that value is named', async (t) => {
  const leaks = { residentMb: 14, heapMb: 4, threads: 2 }
  for (const [name, perMinute] of Object.entries(leaks)) {
    const failures = failuresOf(recordOf((minute) => ({ [name]: Math.floor(perMinute * minute) })))
    t.equal(failures.length, 1, `${name}: ${failures}`)
    t.match(failures[0], new RegExp(`^${name} grew by`))
  }
})

t.test('descriptors and threads that stay without clients fail, and so does every complaint', async (t) => {
  const { idle } = recordOf(() => ({}))
  const open = { before: idle.before, after: { ...idle.before, files: idle.before.files + 20 } }
  t.match(failuresOf(recordOf(() => ({}), { idle: open })), [/20 more descriptors/])
  const threads = { before: idle.before, after: { ...idle.before, threads: idle.before.threads + 5 } }
  t.match(failuresOf(recordOf(() => ({}), { idle: threads })), [/5 more threads/])
  t.same(failuresOf(recordOf(() => ({}), { complaints: ['serve --check ended with 1'] })), [
    'serve --check ended with 1',
  ])
})

t.test('a short mixed load is answered without a bug, and leaves a sound data folder', async (t) => {
  const lines: string[] = []
  const options = { minutes: 0.1, seed, filled: 2, idleMs: 500, measuredEveryMs: 2_000 }
  const verdict = await soak({ ...options, folder: scratchFolder(t), report: (line) => lines.push(line) })
  t.same(verdict.complaints, [])
  t.match(lines.join('\n'), /answers: 200 x [1-9]/)
})
