// The pool with files that break its threads: other requests get correct answers in time.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { type Clock, systemClock } from '../../../core/ports/clock.js'
import { JobRefusal } from '../../../workers/contract/job-refusal.js'
import type { RenderInput } from '../../../workers/jobs/render.js'
import { limits } from '../../../workers/limits.js'
import type { Account } from '../../../workers/messages/account.js'
import { type PdfSource, PoolFailure } from '../../../workers/messages/task.js'
import { WorkerPool } from '../../../workers/pool/pool.js'
import type { PoolOptions } from '../../../workers/pool/pool-options.js'
import { scratchFolder } from '../../cli/scratch.js'
import { exponential, longPath, stackBreaker, tinySteps } from '../../support/pdf/hostile.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'
import { builtThread } from '../../support/worker-thread.js'

const thread = await builtThread()
const hello = onePage('BT /F1 12 Tf 20 100 Td (Hello) Tj ET', { resources: helvetica })

/**
 * Starts a pool of one thread. Where a test shortens the deadlines, they count processor time only, so that the short
 * tasks beside its endless ones succeed however busy the machine is.
 */
async function startPool(t: Test, options: PoolOptions = {}): Promise<WorkerPool> {
  const patient = options.deadlineFactor === undefined ? {} : { deadlineElapsedFactor: 240 }
  const pool = await WorkerPool.start({ threads: 1, thread, ...options, limits: { ...patient, ...options.limits } })
  t.teardown(() => pool.close())
  return pool
}

/** Ends a task after two deadlines of elapsed time, as in production, for tests in which it gets no processor time. */
const starved = { deadlineElapsedFactor: limits.deadlineElapsedFactor }

const accountOf = (...names: string[]): Account => names.map((name) => ({ name, weight: 1 }))

const picture = (source: PdfSource, page = 3): RenderInput => ({
  source,
  page,
  family: 'pages',
  view: { viewport: { kind: 'scale', scale: 1 }, target: undefined, rotation: 0 },
  encoding: { format: 'png' },
  background: 'white',
})

const failsWith = async (t: Test, promise: Promise<unknown>, code: PoolFailure['code']): Promise<void> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  t.ok(
    error instanceof PoolFailure,
    `the task fails with a PoolFailure: ${error instanceof Error ? error.message : 'no failure'}`,
  )
  t.equal(error instanceof PoolFailure && error.code, code)
  t.ok(error instanceof PoolFailure && error.retryAfterSeconds >= 1, 'the failure states when to retry')
}

/** Runs a job per attempt instead of waiting for a fixed time. */
async function until(pool: WorkerPool, holds: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < 5_000 && !holds(); turn++) await pool.probe()
  return holds()
}

t.test('a job returns its answer, and a refusal arrives as a JobRefusal', async (t) => {
  const pool = await startPool(t)
  const source = Workshop.of(t).source(hello)
  t.match(await pool.run('text', { source, page: 3 }), { text: /^Hello/ })
  await t.rejects(pool.run('text', { source, page: 99 }), new JobRefusal('NotFound', 'There is no page obj:99'))
  t.equal(pool.counters().done, 2, 'a refusal is an answer')
})

t.test('an unexpected error arrives as a JobFailure with the stack of the thread', async (t) => {
  const pool = await startPool(t)
  const source = { ...Workshop.of(t).source(hello), path: '/nowhere/at/all.pdf' }
  const error: unknown = await pool.run('text', { source, page: 3 }).catch((reason: unknown) => reason)
  t.match(error, { name: 'JobFailure', message: /ENOENT/, threadStack: /openSync/ })
  t.match(pool.counters(), { done: 1, replaced: 0 }, 'the thread lives on')
})

t.test('the process of the pool never loads the PDF engine', async (t) => {
  const pool = await startPool(t)
  await pool.probe()
  t.equal(globalThis.$libmupdf_wasm_Module, undefined)
})

for (const [name, make] of Object.entries({ exponential, tinySteps })) {
  t.test(
    `a page that never ends (${name}) ends its thread at the deadline, and other requests are answered`,
    async (t) => {
      const pool = await startPool(t, { deadlineFactor: 0.05, limits: { slowTaskMs: 60_000 } })
      const workshop = Workshop.of(t)
      const [endless, good] = [workshop.source(make()), workshop.source(hello)]
      const startedAtMs = Date.now()
      const failing = failsWith(t, pool.run('render', picture(endless)), 'timed-out')
      const behind = Promise.all([1, 2, 3].map(() => pool.run('text', { source: good, page: 3 })))
      await failing
      t.ok(Date.now() - startedAtMs >= 500, 'not before the deadline')
      t.match(
        await behind,
        [{ text: /Hello/ }, { text: /Hello/ }, { text: /Hello/ }],
        'a task queued behind it is answered',
      )
      t.match(pool.counters(), { timedOut: 1, replaced: 1, retried: 0, queued: 0 })
    },
  )
}

t.test('a deadline counts running time, not time in the queue', async (t) => {
  const pool = await startPool(t, { deadlineFactor: 0.05, limits: { slowTaskMs: 60_000 } })
  const workshop = Workshop.of(t)
  const endless = [1, 2, 3].map(() => workshop.source(exponential()))
  const failing = endless.map((source) => failsWith(t, pool.run('render', picture(source)), 'timed-out'))
  // Three deadlines of 500 ms before its own of 250 ms begins.
  t.match(await pool.run('text', { source: workshop.source(hello), page: 3 }), { text: /Hello/ })
  await Promise.all(failing)
})

t.test('a WebAssembly trap ends its thread, and the next task gets a working engine', async (t) => {
  const pool = await startPool(t)
  const workshop = Workshop.of(t)
  const [broken, good] = [workshop.source(stackBreaker()), workshop.source(hello)]
  const before = await pool.run('render', picture(good))
  const failing = failsWith(t, pool.run('render', picture(broken)), 'worker-lost')
  const behind = await pool.run('render', picture(good))
  await failing
  t.same(Buffer.from(behind.bytes), Buffer.from(before.bytes))
  // An earlier task of the thread could have caused the trap, so the task was repeated on a new thread.
  t.match(pool.counters(), { trapped: 2, replaced: 2, retried: 1 })
})

t.test('a request that failed twice is quarantined for ten minutes; other requests and accounts are not', async (t) => {
  let aheadMs = 0
  const clock: Clock = { ...systemClock, now: () => Date.now() + aheadMs }
  // Reports full processor time for the endless task, however busy the machine is: a strike counts in proportion to it.
  let isEndless = true
  const threadTime = { usedMs: () => (isEndless ? performance.now() : 1) }
  const bounds = { slowTaskMs: 3_600_000 }
  const pool = await startPool(t, { clock, threadTime, deadlineFactor: 0.05, limits: bounds })
  const workshop = Workshop.of(t)
  const source = { ...workshop.source(exponential()), account: accountOf('acme', 'ada') }
  const large = { ...picture(source), variant: 'large' }
  for (const _attempt of [1, 2]) await failsWith(t, pool.run('render', large), 'timed-out')
  const refused: unknown = await pool.run('render', large).catch((error: unknown) => error)
  t.match(refused, { code: 'quarantined', retryAfterSeconds: 600 }, 'refused at once')
  t.match(pool.counters(), { timedOut: 2, quarantined: 1, refusedQuarantine: 1 })
  const tried = { ...large, source: { ...source, account: accountOf('acme', 'bob') } }
  await failsWith(t, pool.run('render', tried), 'timed-out')
  await failsWith(t, pool.run('render', { ...large, variant: 'small' }), 'timed-out')
  isEndless = false
  t.match(await pool.run('digest', { source }), { sizeBytes: source.sizeBytes })
  isEndless = true
  aheadMs = 10 * 60 * 1000
  await failsWith(t, pool.run('render', large), 'timed-out')
  t.equal(pool.counters().quarantined, 0, 'strikes expire with the quarantine')
})

t.test('processor time that a task did not receive is not charged to its document', async (t) => {
  // Reports no processor time at all for the thread.
  const threadTime = { usedMs: () => 1 }
  const pool = await startPool(t, { threadTime, deadlineFactor: 0.01, limits: { ...starved, slowTaskMs: 60_000 } })
  const source = Workshop.of(t).source(exponential())
  for (const _attempt of [1, 2, 3]) await failsWith(t, pool.run('render', picture(source)), 'timed-out')
  t.match(pool.counters(), { timedOut: 3, quarantined: 0, refusedQuarantine: 0 })
})

t.test(
  'a request that never gets its full processor time is quarantined once its runs have used as much as failed ones',
  async (t) => {
    // Less than half of the elapsed time, so that the elapsed-time limit is reached first: 80 % of a deadline.
    const startedAtMs = performance.now()
    const threadTime = { usedMs: () => 1 + (performance.now() - startedAtMs) * 0.4 }
    const pool = await startPool(t, { threadTime, deadlineFactor: 0.01, limits: { ...starved, slowTaskMs: 60_000 } })
    const source = Workshop.of(t).source(exponential())
    for (const _attempt of [1, 2, 3]) await failsWith(t, pool.run('render', picture(source)), 'timed-out')
    await failsWith(t, pool.run('render', picture(source)), 'quarantined')
    t.match(pool.counters(), { timedOut: 3, quarantined: 1 })
  },
)

t.test('with unknown processor time, the deadline is multiplied by the tasks that share a processor', async (t) => {
  const threadTime = { usedMs: () => undefined }
  const pool = await startPool(t, { threadTime, deadlineFactor: 0.02, limits: { slowTaskMs: 60_000 } })
  const source = Workshop.of(t).source(exponential())
  await failsWith(t, pool.run('render', picture(source)), 'timed-out')
  t.match(pool.counters(), { timedOut: 1, replaced: 1 })
})

t.test('many concurrent pictures of maximum size do not quarantine their page', async (t) => {
  const pool = await startPool(t, { threads: 2, deadlineFactor: 0.1, limits: { slowTaskMs: 50, yieldMs: 10 } })
  const workshop = Workshop.of(t)
  const source = { ...workshop.source(longPath(1_000)), account: accountOf('acme', 'viewer') }
  const large = { viewport: { kind: 'scale', scale: 4 }, target: undefined, rotation: 0 } as const
  const greedy = Array.from({ length: 8 }, () => pool.run('render', { ...picture(source), view: large }))
  t.ok((await Promise.all(greedy)).every(({ width }) => width === 1_200))
  const everybody = { ...source, account: accountOf('acme', 'owner') }
  t.match(await pool.run('render', picture(everybody)), { width: 300 })
  t.match(pool.counters(), { timedOut: 0, quarantined: 0 })
})

t.test('a request of one tenant is served before the backlog of another one', async (t) => {
  const pool = await startPool(t, { threads: 2, limits: { queuedTasksMax: 8, yieldMs: 20 } })
  const workshop = Workshop.of(t)
  const slow = { ...workshop.source(longPath(1_000)), account: accountOf('greedy', 'token') }
  const small = { ...workshop.source(hello), account: accountOf('small', 'token') }
  const view = { viewport: { kind: 'scale', scale: 3 }, target: undefined, rotation: 0 } as const
  const ended: string[] = []
  const as = (name: string, work: Promise<unknown>) => work.then(() => ended.push(name))
  const backlog = Array.from({ length: 16 }, () => as('greedy', pool.run('render', { ...picture(slow), view })))
  const more = Array.from({ length: 8 }, () => pool.run('render', { ...picture(slow), view }).catch((error) => error))
  t.match(await more.at(-1), { code: 'overloaded' }, 'one is too many for its own queue')
  for (const _time of [1, 2, 3, 4]) await as('small', pool.run('text', { source: small, page: 3 }))
  const before = ended.lastIndexOf('small')
  t.ok(ended.slice(0, before).filter((name) => name === 'greedy').length < 12, `${ended.join(' ')}`)
  await Promise.all([...backlog, ...more])
})

t.test('a long read continues in the background while queued tasks run', async (t) => {
  const pool = await startPool(t, { deadlineFactor: 0.6, limits: { slowTaskMs: 100 } })
  const workshop = Workshop.of(t)
  const [endless, good] = [workshop.source(exponential()), workshop.source(hello)]
  const failing = failsWith(t, pool.run('render', picture(endless)), 'timed-out')
  t.match(await pool.run('text', { source: good, page: 3 }), { text: /Hello/ })
  t.match(pool.counters(), { overtime: 1, running: 1, timedOut: 0 }, 'the slow one still has its time')
  await failing
  t.match(pool.counters(), { overtime: 0, running: 0, timedOut: 1 })
})

t.test('a long read that ends returns its answer, in the background or not', async (t) => {
  const pool = await startPool(t, { limits: { slowTaskMs: 1 } })
  const workshop = Workshop.of(t)
  const slow = pool.run('render', picture(workshop.source(longPath(4_000))))
  await pool.run('text', { source: workshop.source(hello), page: 3 })
  t.match(await slow, { width: 300, height: 200 })
})

t.test('reads use an idle worker if their home worker is busy, and the home worker otherwise', async (t) => {
  const pool = await startPool(t, { threads: 2, deadlineFactor: 0.05, limits: { slowTaskMs: 60_000 } })
  const workshop = Workshop.of(t)
  const good = workshop.source(hello)
  for (const _time of [1, 2, 3]) await pool.run('text', { source: good, page: 3 })
  t.equal(pool.counters().stolen, 0)
  const endless = workshop.source(exponential(), { document: good.document })
  const failing = failsWith(t, pool.run('render', picture(endless)), 'timed-out')
  t.match(await pool.run('text', { source: good, page: 3 }), { text: /Hello/ })
  t.equal(pool.counters().stolen, 1)
  t.equal(pool.counters().running, 1, 'the endless task still runs')
  await failing
})

t.test('a full queue refuses at once and accepts tasks again when it has room', async (t) => {
  const pool = await startPool(t, { deadlineFactor: 0.05, limits: { queuedTasksMax: 2, slowTaskMs: 60_000 } })
  const workshop = Workshop.of(t)
  const good = workshop.source(hello)
  const failing = failsWith(t, pool.run('render', picture(workshop.source(exponential()))), 'timed-out')
  const waiting = [pool.run('text', { source: good, page: 3 }), pool.run('text', { source: good, page: 3 })]
  await failsWith(t, pool.run('text', { source: good, page: 3 }), 'overloaded')
  t.match(pool.counters(), { running: 1, queued: 2, refusedOverload: 1 }, 'refused while the first one runs')
  t.match(await Promise.all(waiting), [{ text: /Hello/ }, { text: /Hello/ }])
  await failing
  t.match(await pool.run('text', { source: good, page: 3 }), { text: /Hello/ })
})

t.test('an aborted request is removed from the queue, and one aborted before is not queued', async (t) => {
  const pool = await startPool(t, { deadlineFactor: 0.05, limits: { slowTaskMs: 60_000 } })
  const workshop = Workshop.of(t)
  const good = workshop.source(hello)
  const failing = failsWith(t, pool.run('render', picture(workshop.source(exponential()))), 'timed-out')
  const client = new AbortController()
  const waiting = pool.run('text', { source: good, page: 3 }, { signal: client.signal })
  t.equal(pool.counters().queued, 1)
  client.abort(new Error('the client has gone'))
  await t.rejects(waiting, { message: 'the client has gone' })
  t.equal(pool.counters().queued, 0)
  await t.rejects(pool.run('text', { source: good, page: 3 }, { signal: client.signal }), {
    message: 'the client has gone',
  })
  await failing
  t.equal(pool.counters().done, 0, 'the aborted task never ran')
})

t.test(
  'a thread that reached its task limit is replaced by one started in advance, and no answer is lost',
  async (t) => {
    const pool = await startPool(t, { limits: { threadTasksMax: 5 } })
    const source = Workshop.of(t).source(hello)
    const answers = await Promise.all(Array.from({ length: 40 }, () => pool.run('text', { source, page: 3 })))
    t.ok(answers.every(({ text }) => text.startsWith('Hello')))
    t.ok(await until(pool, () => pool.counters().recycled > 1), 'threads are replaced repeatedly')
    t.match(pool.counters(), { replaced: 0, lost: 0, retried: 0, threads: 1 })
  },
)

t.test('a thread whose engine uses too much memory is replaced', async (t) => {
  const pool = await startPool(t, { limits: { heapBytesMax: 64 * 1024 * 1024 } })
  const workshop = Workshop.of(t)
  const source = workshop.source(hello)
  await pool.run('text', { source, page: 3 })
  t.equal(pool.counters().recycled, 0)
  const view = { viewport: { kind: 'scale', scale: 20 }, target: undefined, rotation: 0 } as const
  await pool.run('render', { ...picture(source), view })
  t.equal(pool.counters().recycled, 1)
  t.match(await pool.run('text', { source, page: 3 }), { text: /Hello/ })
})

t.test('a file that needs more memory than a thread may use is refused, and the thread survives', async (t) => {
  const pool = await startPool(t, { limits: { engineBytesMax: 48 * 1024 * 1024 } })
  const source = Workshop.of(t).source(hello)
  const view = { viewport: { kind: 'scale', scale: 20 }, target: undefined, rotation: 0 } as const
  await t.rejects(pool.run('render', { ...picture(source), view }), { name: 'JobRefusal', code: 'MalformedPdf' })
  t.match(await pool.run('text', { source, page: 3 }), { text: /Hello/ })
  t.match(pool.counters(), { trapped: 0, lost: 0, replaced: 0 })
})

t.test('closing finishes running tasks and refuses queued ones', async (t) => {
  const pool = await startPool(t, { limits: { slowTaskMs: 60_000 } })
  const workshop = Workshop.of(t)
  const running = pool.run('render', picture(workshop.source(longPath(4_000))))
  const waiting = failsWith(t, pool.run('text', { source: workshop.source(hello), page: 3 }), 'closed')
  const closed = pool.close()
  await waiting
  t.match(await running, { width: 300 })
  await closed
  await failsWith(t, pool.run('text', { source: workshop.source(hello), page: 3 }), 'closed')
  await failsWith(t, pool.probe(), 'closed')
})

t.test('a probe runs a job, so it fails when the pool is stuck', async (t) => {
  const pool = await startPool(t, { deadlineFactor: 0.3, limits: { probeMs: 1_500, slowTaskMs: 60_000 } })
  const workshop = Workshop.of(t)
  await pool.probe()
  const failing = failsWith(t, pool.run('render', picture(workshop.source(exponential()))), 'timed-out')
  await t.rejects(pool.probe(), { name: 'TimeoutError' })
  await failing
  await pool.run('text', { source: workshop.source(hello), page: 3 })
  await pool.probe()
})

t.test('threads load modules asynchronously: ending one during a synchronous load aborts the process', async (t) => {
  const folder = scratchFolder(t)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'module.js'), 'export {}')
  writeFileSync(
    join(folder, 'thread.js'),
    `import { createRequire } from 'node:module'
    export default () => {
      const outcome = { kind: 'answer', answer: { jobs: {}, systemId: null } }
      try {
        createRequire(import.meta.url)('./module.js')
        return { outcome: { kind: 'trap', message: 'loaded synchronously' }, heapBytes: 0 }
      } catch {
        return { outcome, heapBytes: 0 }
      }
    }`,
  )
  await t.resolves(startPool(t, { thread: pathToFileURL(join(folder, 'thread.js')) }))
})
