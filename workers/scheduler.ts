// Decides which task runs where and when, and what happens to task and thread when one breaks the other.
import type { Tally } from './counters.js'
import { limits } from './limits.js'
import type { PoolSettings } from './pool-options.js'
import type { Quarantine } from './quarantine.js'
import type { QueuedTask } from './queued-task.js'
import type { JobTable } from './reply.js'
import { homeOf } from './routing.js'
import { PoolFailure } from './task.js'
import { type Running, Worker } from './worker.js'
import { ThreadOvertime, type WorkerThread } from './worker-thread.js'

type Broken = 'trapped' | 'lost' | 'timedOut'

export interface SchedulerParts {
  readonly settings: PoolSettings
  readonly module: WebAssembly.Module
  readonly quarantine: Quarantine
  readonly tally: Tally
}

export class Scheduler {
  readonly #parts: SchedulerParts
  readonly #workers: readonly Worker[]
  /** Slow reads that go on while their worker has a new thread. */
  readonly #overtime = new Set<WorkerThread>()
  readonly #executions = new Set<Promise<void>>()

  constructor(parts: SchedulerParts) {
    this.#parts = parts
    const { settings, module } = parts
    this.#workers = Array.from({ length: settings.threads }, () => new Worker(settings, module, () => this.#dispatch()))
  }

  get workers(): readonly Worker[] {
    return this.#workers
  }

  get overtime(): number {
    return this.#overtime.size
  }

  async start(): Promise<JobTable> {
    const tables = await Promise.all(this.#workers.map((worker) => worker.start()))
    return tables[0] ?? {}
  }

  /** Throws when the queue of the document's home is full. */
  enqueue(task: QueuedTask, document: string): void {
    const home = this.#workers[homeOf(document, this.#workers.length)]
    if (home === undefined) throw new RangeError('A pool has at least one worker')
    if (home.queue.length >= this.#parts.settings.limits.queuedTasksMax) {
      this.#parts.tally.add('refusedOverload')
      throw new PoolFailure('overloaded', 'Too many requests wait already', limits.retryAfterSeconds)
    }
    home.queue.push(task)
    task.onAbort(() => home.remove(task))
    this.#dispatch()
  }

  /** Finishes what runs; what waits is refused. */
  async close(refusal: PoolFailure): Promise<void> {
    for (const { queue } of this.#workers) for (const task of queue.splice(0)) task.fail(refusal)
    await Promise.all(this.#executions)
    await Promise.all(this.#workers.map((worker) => worker.close()))
  }

  /** Gives every idle worker the next of its own queue, and those that have none the oldest read of the longest queue. */
  #dispatch(): void {
    for (const worker of this.#idle()) this.#begin(worker, worker.queue.shift())
    for (const worker of this.#idle()) this.#begin(worker, this.#steal())
    if (this.#workers.some(({ queue }) => queue.length > 0)) this.#relieve()
  }

  #idle(): readonly Worker[] {
    return this.#workers.filter(({ isIdle }) => isIdle)
  }

  #begin(worker: Worker, task: QueuedTask | undefined): void {
    if (task === undefined) return
    const execution = this.#execute(worker, task)
    this.#executions.add(execution)
    void execution.finally(() => this.#executions.delete(execution))
  }

  #steal(): QueuedTask | undefined {
    const donors = this.#workers.filter(({ queue }) => queue.some((task) => task.isRead))
    const task = donors.sort((a, b) => b.queue.length - a.queue.length)[0]?.giveRead()
    if (task !== undefined) this.#parts.tally.add('stolen')
    return task
  }

  /** While others wait, a read that has run for long goes on by itself, at low priority, beside a new thread. */
  #relieve(): void {
    const { clock, threads, limits: bounds } = this.#parts.settings
    for (const worker of this.#workers) {
      const { running } = worker
      if (running === undefined || !running.task.isRead) continue
      if (clock.now() - running.startedAtMs < bounds.slowTaskMs) continue
      if (this.#overtime.size >= threads * limits.overtimePerWorkerMax) return
      this.#overtime.add(running.thread)
      running.thread.lowerPriority()
      worker.replace()
    }
  }

  async #execute(worker: Worker, task: QueuedTask): Promise<void> {
    const running = worker.begin(task)
    const slow = setTimeout(() => this.#dispatch(), this.#parts.settings.limits.slowTaskMs)
    const wasFresh = running.thread.isFresh
    const broken = await this.#attempt(running)
    clearTimeout(slow)
    if (broken !== undefined) this.#blame(worker, running, broken, wasFresh)
    await this.#release(worker, running, broken)
    this.#dispatch()
  }

  /** Undefined = the task is settled and its thread is well. */
  async #attempt({ task, thread }: Running): Promise<Broken | undefined> {
    try {
      const { outcome } = await thread.run(task.facts.request, task.facts.deadlineMs)
      if (outcome.kind === 'trap') return 'trapped'
      this.#parts.tally.add('done')
      task.settle(outcome)
      return undefined
    } catch (error) {
      return error instanceof ThreadOvertime ? 'timedOut' : 'lost'
    }
  }

  /**
   * A trap may be the late harm of the task before, so a read gets one more try on a thread that nothing has used. What
   * ran out of time has only itself to blame.
   */
  #blame(worker: Worker, { task }: Running, broken: Broken, wasFresh: boolean): void {
    const { tally, quarantine } = this.#parts
    tally.add(broken)
    if (broken !== 'timedOut' && task.isRead && !wasFresh && task.takeSecondChance()) {
      tally.add('retried')
      worker.queue.unshift(task)
      return
    }
    const { subject } = task.facts
    if (subject !== undefined) quarantine.strike(subject)
    task.fail(
      broken === 'timedOut'
        ? new PoolFailure('timed-out', 'The document takes too long to process', limits.retryAfterSeconds)
        : new PoolFailure('worker-lost', 'The document made its worker fail', limits.retryAfterSeconds),
    )
  }

  async #release(worker: Worker, running: Running, broken: Broken | undefined): Promise<void> {
    const { tally } = this.#parts
    const wasOvertime = this.#overtime.delete(running.thread)
    const isStillItsThread = worker.finish(running)
    if (broken !== undefined) tally.add('replaced')
    if (broken !== undefined && isStillItsThread) worker.replace()
    if (broken !== undefined || wasOvertime || !isStillItsThread) return await running.thread.kill()
    if (running.thread.isWornOut && worker.renew()) tally.add('recycled')
  }
}
