// The typed door to the worker threads: bounded queues, a home worker for every document, deadlines that count running
// time only, and threads that are replaced when a file breaks them. Nothing of the PDF engine is loaded on this side.
import { type PoolCounters, Tally } from './counters.js'
import { compileEngine } from './engine.js'
import type { AnswerOf, InputOf, OnDocument } from './job.js'
import type { JobName, Jobs } from './jobs/index.js'
import { type PoolOptions, type PoolSettings, settingsOf } from './pool-options.js'
import { Quarantine } from './quarantine.js'
import { QueuedTask } from './queued-task.js'
import type { JobFacts, JobTable } from './reply.js'
import { Scheduler } from './scheduler.js'
import { PoolFailure } from './task.js'

const bytesPerMegabyte = 1_000_000

export interface RunOptions {
  /** Takes the request out of its queue; one that runs goes on, and its caller is let go. */
  readonly signal?: AbortSignal
}

export class WorkerPool {
  readonly #settings: PoolSettings
  readonly #tally = new Tally()
  readonly #quarantine: Quarantine
  readonly #scheduler: Scheduler
  #jobs: JobTable = {}
  #isClosed = false

  private constructor(settings: PoolSettings, module: WebAssembly.Module) {
    this.#settings = settings
    this.#quarantine = new Quarantine(settings.clock, settings.limits)
    this.#scheduler = new Scheduler({ settings, module, quarantine: this.#quarantine, tally: this.#tally })
  }

  /** Resolves when every thread has loaded its engine and answered. */
  static async start(options: PoolOptions = {}): Promise<WorkerPool> {
    const settings = settingsOf(options)
    const pool = new WorkerPool(settings, await compileEngine(settings.limits.engineBytesMax))
    try {
      pool.#jobs = await pool.#scheduler.start()
      return pool
    } catch (error) {
      await pool.close()
      throw error
    }
  }

  /**
   * Rejects with `JobRefusal` (this cannot be done), `PoolFailure` (not now) or `JobFailure` (a bug).
   *
   *     const { text } = await pool.run('text', { source, page: 3 })
   */
  async run<Name extends JobName>(
    job: Name,
    input: InputOf<Jobs[Name]>,
    { signal }: RunOptions = {},
  ): Promise<AnswerOf<Jobs[Name]>> {
    const { source, page }: OnDocument = input
    const facts = this.#jobs[job]
    if (facts === undefined) throw new Error(`The threads know no job ${job}`)
    const subject = page === undefined ? `${source.key} ${job}` : `${source.key} page ${page}`
    this.#refuseQuarantined(subject)
    const task = new QueuedTask<AnswerOf<Jobs[Name]>>({
      request: { kind: 'run', job, input },
      kind: facts.kind,
      subject,
      deadlineMs: this.#deadlineMs(facts, source.sizeBytes),
      signal,
    })
    return await this.#enqueue(task, source.document)
  }

  /** Rejects when a trivial job does not come back in time: it waits like any other. */
  async probe(): Promise<void> {
    const deadlineMs = this.#settings.limits.probeMs
    const signal = AbortSignal.timeout(deadlineMs)
    const facts = { request: { kind: 'describe' }, kind: 'read', subject: undefined, deadlineMs, signal } as const
    await this.#enqueue(new QueuedTask(facts), '')
  }

  counters(): PoolCounters {
    const { workers, overtime } = this.#scheduler
    return this.#tally.with({
      threads: workers.filter(({ hasThread }) => hasThread).length,
      running: workers.filter(({ running }) => running !== undefined).length + overtime,
      overtime,
      queued: workers.reduce((sum, { queue }) => sum + queue.length, 0),
      quarantined: this.#quarantine.size,
    })
  }

  /** Finishes what runs; what waits, or comes later, is refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#scheduler.close(closedFailure())
  }

  async #enqueue<Answer>(task: QueuedTask<Answer>, document: string): Promise<Answer> {
    if (this.#isClosed) throw closedFailure()
    task.facts.signal?.throwIfAborted()
    this.#scheduler.enqueue(task, document)
    return await task.answer
  }

  #deadlineMs({ constantMs, perMegabyteMs }: JobFacts, sizeBytes: number): number {
    return this.#settings.deadlineFactor * (constantMs + (perMegabyteMs * sizeBytes) / bytesPerMegabyte)
  }

  #refuseQuarantined(subject: string): void {
    const remainingMs = this.#quarantine.remainingMs(subject)
    if (remainingMs <= 0) return
    this.#tally.add('refusedQuarantine')
    throw new PoolFailure(
      'quarantined',
      'This part of the document failed repeatedly and is left alone for a while',
      Math.ceil(remainingMs / 1000),
    )
  }
}

const closedFailure = () => new PoolFailure('closed', 'The server is shutting down', 1)
