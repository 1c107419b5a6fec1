// The typed interface of the worker threads: fair queues, a home worker for every document, deadlines in processor
// time, and replacement of threads that a file broke. The PDF engine is not loaded on this side.

import type { JobName, Jobs } from '../jobs/index.js'
import type { AnswerOf, InputOf, OnDocument } from '../jobs/job.js'
import { accountText, ownAccount } from '../messages/account.js'
import type { JsonAnswer } from '../messages/json-answer.js'
import type { JobFacts, JobTable } from '../messages/reply.js'
import { PoolFailure } from '../messages/task.js'
import { type PoolCounters, Tally } from './counters.js'
import { compileEngine } from './engine-module.js'
import { type PoolOptions, type PoolSettings, settingsOf } from './pool-options.js'
import { Quarantine } from './quarantine.js'
import { QueuedTask } from './queued-task.js'
import { Scheduler } from './scheduler.js'

const bytesPerMegabyte = 1_000_000
/** Levels of an account that a quarantine applies to: a tenant's token, or all visitors of one share. */
const accountLevels = 2

export interface RunOptions {
  /** Signal that aborts the request: a queued one is removed; a running one continues, but its caller is released. */
  readonly signal?: AbortSignal
}

interface PoolRun extends RunOptions {
  readonly isJson: boolean
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

  /** Starts a pool. Resolves when every thread has loaded its engine and replied. */
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
   * Runs a job. Rejects with `JobRefusal` (the request cannot be fulfilled), `PoolFailure` (not at present) or
   * `JobFailure` (a bug).
   *
   *     const { text } = await pool.run('text', { source, page: 3 })
   */
  async run<Name extends JobName>(
    job: Name,
    input: InputOf<Jobs[Name]>,
    options: RunOptions = {},
  ): Promise<AnswerOf<Jobs[Name]>> {
    return await this.#run(job, input, { ...options, isJson: false })
  }

  /**
   * Runs a job, see `run`. Returns the answer as the JSON text that is sent, which this thread neither copies nor
   * serialises.
   */
  async runJson<Name extends JobName>(
    job: Name,
    input: InputOf<Jobs[Name]>,
    options: RunOptions = {},
  ): Promise<JsonAnswer> {
    return await this.#run(job, input, { ...options, isJson: true })
  }

  async #run<Answer>(job: JobName, input: OnDocument, { signal, isJson }: PoolRun): Promise<Answer> {
    const { source, page, variant } = input
    const { account = ownAccount } = source
    const facts = this.#jobs[job]
    if (facts === undefined) throw new Error(`Unknown job ${job}`)
    const subject = [accountText(account, accountLevels), source.key, job, page ?? '', variant ?? ''].join(' ')
    this.#refuseQuarantined(subject)
    const task = new QueuedTask<Answer>({
      request: { kind: 'run', job, input, isJson },
      job,
      kind: facts.kind,
      document: source.document,
      account,
      subject,
      deadlineMs: this.#deadlineMs(facts, source.sizeBytes),
      signal,
    })
    return await this.#enqueue(task)
  }

  /** Runs a trivial job, queued like any other. Rejects if it does not return in time. */
  async probe(): Promise<void> {
    const deadlineMs = this.#settings.limits.probeMs
    const signal = AbortSignal.timeout(deadlineMs)
    const task = { request: { kind: 'describe' }, job: 'describe', kind: 'read', document: '' } as const
    await this.#enqueue(new QueuedTask({ ...task, account: ownAccount, subject: undefined, deadlineMs, signal }))
  }

  counters(): PoolCounters {
    const { workers, overtime, queued } = this.#scheduler
    return this.#tally.with({
      threads: workers.filter(({ hasThread }) => hasThread).length,
      running: workers.filter(({ running }) => running !== undefined).length + overtime,
      overtime,
      queued,
      quarantined: this.#quarantine.size,
    })
  }

  /** Closes the pool: running tasks finish; queued and later ones are refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#scheduler.close(closedFailure())
  }

  async #enqueue<Answer>(task: QueuedTask<Answer>): Promise<Answer> {
    if (this.#isClosed) throw closedFailure()
    task.facts.signal?.throwIfAborted()
    this.#scheduler.enqueue(task)
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
      'This part of the document failed repeatedly and is quarantined for some time',
      Math.ceil(remainingMs / 1000),
    )
  }
}

const closedFailure = () => new PoolFailure('closed', 'The server is shutting down', 1)
