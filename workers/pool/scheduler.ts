// Decides where and when a task runs, and handles task and thread when one breaks the other. The queue determines the
// order; a task runs in the lane of its document, in another idle lane, or in the background.

import { limits } from '../limits.js'
import type { JobTable } from '../messages/reply.js'
import { PoolFailure } from '../messages/task.js'
import { BackgroundThreads } from './background-threads.js'
import { type BrokenThread, failureOf } from './broken-thread.js'
import type { Tally } from './counters.js'
import { FairQueue } from './fair-queue.js'
import { LongWork } from './long-work.js'
import { type PoolSettings, queueBoundsOf } from './pool-options.js'
import type { Quarantine } from './quarantine.js'
import type { QueuedTask } from './queued-task.js'
import { RecentWork } from './recent-work.js'
import { homeOf } from './routing.js'
import { SpareThread } from './spare-thread.js'
import { type RunningTask, Worker } from './worker.js'
import { ThreadOvertime, WorkerThread } from './worker-thread.js'

/** Worker on which a task can begin now. */
type Place =
  | { readonly kind: 'lane'; readonly worker: Worker; readonly isHome: boolean }
  | { readonly kind: 'background'; readonly thread: WorkerThread }

export interface SchedulerParts {
  readonly settings: PoolSettings
  readonly module: WebAssembly.Module
  readonly quarantine: Quarantine
  readonly tally: Tally
}

export class Scheduler {
  readonly #parts: SchedulerParts
  readonly #workers: readonly Worker[]
  readonly #queue: FairQueue<QueuedTask>
  readonly #background: BackgroundThreads
  readonly #spare: SpareThread
  readonly #recent = new RecentWork()
  readonly #longWork: LongWork
  readonly #running = new Map<QueuedTask, RunningTask>()
  readonly #executions = new Set<Promise<void>>()
  #watch: NodeJS.Timeout | undefined

  constructor(parts: SchedulerParts) {
    this.#parts = parts
    const { settings, module } = parts
    const { threads } = settings
    const dispatch = (): void => this.#dispatch()
    this.#workers = Array.from({ length: threads }, () => new Worker(settings, module, dispatch))
    this.#queue = new FairQueue(queueBoundsOf(settings))
    this.#longWork = new LongWork(this.#recent, { lanes: threads, yieldMs: settings.limits.yieldMs })
    this.#background = new BackgroundThreads(threads * limits.overtimePerWorkerMax)
    this.#spare = new SpareThread(async () => (await WorkerThread.start(settings, module))[0], dispatch)
  }

  get workers(): readonly Worker[] {
    return this.#workers
  }

  /** Number of tasks that run in the background. */
  get overtime(): number {
    return this.#background.busy
  }

  get queued(): number {
    return this.#queue.size
  }

  async start(): Promise<JobTable> {
    const tables = await Promise.all(this.#workers.map((worker) => worker.start()))
    return tables[0] ?? {}
  }

  /** Adds a task. Throws if the queue of its account is full. */
  enqueue(task: QueuedTask): void {
    const { account } = task.facts
    const now = this.#now()
    this.#recent.seen(account, now)
    if (!this.#queue.add(task, account, now)) {
      this.#parts.tally.add('refusedOverload')
      throw new PoolFailure('overloaded', 'Too many requests are queued', limits.retryAfterSeconds)
    }
    task.onAbort(() => this.#queue.remove(task, this.#now()))
    this.#dispatch()
  }

  /** Closes the scheduler: running tasks finish; queued ones are refused. */
  async close(refusal: PoolFailure): Promise<void> {
    for (const task of this.#queue.drain(this.#now())) task.fail(refusal)
    await Promise.all(this.#executions)
    clearTimeout(this.#watch)
    await Promise.all([...this.#workers, this.#spare].map((part) => part.close()))
    await this.#background.endIdle()
  }

  #now(): number {
    return this.#parts.settings.clock.now()
  }

  #dispatch(): void {
    const now = this.#now()
    if (this.#recent.isShared(now)) this.#prepareThreads(now)
    for (const [task, { startedAtMs }] of this.#running) {
      if (now - startedAtMs >= this.#parts.settings.limits.slowTaskMs) this.#queue.markSlow(task)
    }
    do this.#beginAll(now)
    while (this.#relieve(now))
    this.#watchRunning(now)
  }

  /** Prepares one background thread per lane while several parties have tasks and some of them take long. */
  #prepareThreads(now: number): void {
    const { yieldMs } = this.#parts.settings.limits
    const isLong = this.#workers.some(({ running }) => running !== undefined && now - running.startedAtMs >= yieldMs)
    const spare = isLong && this.#background.size < this.#workers.length ? this.#spare.take() : undefined
    if (spare !== undefined) this.#background.admit(spare)
    this.#spare.prepare()
  }

  #beginAll(now: number): void {
    while (this.#queue.size > 0 && (this.#idleLanes().length > 0 || this.#background.idle !== undefined)) {
      const taken = this.#queue.take(now, (task) => this.#placeFor(task, now))
      if (taken === undefined) return
      this.#begin(taken.task, taken.place)
    }
  }

  #idleLanes(): readonly Worker[] {
    return this.#workers.filter(({ isIdle }) => isIdle)
  }

  #placeFor(task: QueuedTask, now: number): Place | undefined {
    if (this.#waitsForItsDocument(task) || this.#waitsForLongWork(task, now)) return undefined
    const { idle: thread } = this.#background
    if (thread !== undefined && this.#staysInBackground(task, now)) return { kind: 'background', thread }
    const home = this.#homeOf(task)
    if (home.isIdle) return { kind: 'lane', worker: home, isHome: true }
    const other = task.isRead ? this.#idleLanes()[0] : undefined
    return other && { kind: 'lane', worker: other, isHome: false }
  }

  /** True for a write while another write of the document runs: writes of a document run in order. */
  #waitsForItsDocument({ isRead, facts }: QueuedTask): boolean {
    if (isRead) return false
    return [...this.#running.keys()].some((other) => !other.isRead && other.facts.document === facts.document)
  }

  #waitsForLongWork(task: QueuedTask, now: number): boolean {
    if (!this.#longWork.has(task) || !this.#recent.isShared(now)) return false
    return this.#queue.runsMore(task) && this.#longWork.takesEnough(this.#running, now)
  }

  /** True for a long task that should leave the lanes to others and for which a background thread is free. */
  #staysInBackground(task: QueuedTask, now: number): boolean {
    if (!this.#longWork.has(task)) return false
    return this.#recent.isShared(now)
  }

  #homeOf({ facts }: QueuedTask): Worker {
    const home = this.#workers[homeOf(facts.document, this.#workers.length)]
    if (home === undefined) throw new RangeError('A pool has at least one worker')
    return home
  }

  #begin(task: QueuedTask, place: Place): void {
    if (place.kind === 'lane' && !place.isHome) this.#parts.tally.add('stolen')
    const execution =
      place.kind === 'lane' ? this.#executeIn(place.worker, task) : this.#executeBehind(place.thread, task)
    this.#executions.add(execution)
    void execution.finally(() => this.#executions.delete(execution))
  }

  /** Moves a running task to the background if another one, whose turn it is, waits for the lane. */
  #relieve(now: number): boolean {
    if (this.#queue.size === 0 || !this.#background.hasRoom) return false
    const worker = this.#queue.first(now, (task) => this.#laneToRelieve(task, now))
    const running = worker?.running
    if (worker === undefined || running === undefined) return false
    this.#background.adopt(running.thread)
    worker.replace(this.#spare.take())
    return worker.isIdle
  }

  #laneToRelieve(task: QueuedTask, now: number): Worker | undefined {
    if (this.#waitsForItsDocument(task) || this.#workers.some(({ hasThread }) => !hasThread)) return undefined
    const lanes = task.isRead ? this.#workers : [this.#homeOf(task)]
    const since = ({ running }: Worker): number => now - (running?.startedAtMs ?? now)
    return lanes
      .filter((worker) => this.#mayRelieve(worker, task, since(worker)))
      .sort((a, b) => since(b) - since(a))[0]
  }

  /** True if a running task may be moved: a slow one at any time, another one only if a spare thread is ready. */
  #mayRelieve({ running }: Worker, task: QueuedTask, elapsedMs: number): boolean {
    const { slowTaskMs, yieldMs } = this.#parts.settings.limits
    if (running === undefined || elapsedMs < Math.min(slowTaskMs, yieldMs)) return false
    if (elapsedMs >= slowTaskMs) return true
    return this.#spare.isReady && this.#queue.isBehind(task, running.task)
  }

  /** Schedules a check for the time at which a running task may be moved for a queued one. */
  #watchRunning(now: number): void {
    clearTimeout(this.#watch)
    if (this.#queue.size === 0) return
    const { slowTaskMs, yieldMs } = this.#parts.settings.limits
    const pauses = [...this.#running.values()].flatMap(({ startedAtMs }) =>
      [yieldMs, slowTaskMs].map((ms) => startedAtMs + ms - now).filter((ms) => ms > 0),
    )
    if (pauses.length > 0) this.#watch = setTimeout(() => this.#dispatch(), Math.min(...pauses))
  }

  async #executeIn(worker: Worker, task: QueuedTask): Promise<void> {
    const running = worker.begin(task)
    const broken = await this.#execute(running)
    await this.#release(worker, running, broken)
    this.#dispatch()
  }

  async #executeBehind(thread: WorkerThread, task: QueuedTask): Promise<void> {
    this.#background.begin(thread)
    const broken = await this.#execute({ task, thread, startedAtMs: this.#now() })
    await this.#releaseBehind(thread, broken)
    this.#dispatch()
  }

  async #execute(running: RunningTask): Promise<BrokenThread | undefined> {
    const { task, thread, startedAtMs } = running
    this.#running.set(task, running)
    const wasFresh = thread.isFresh
    const broken = await this.#attempt(running)
    this.#running.delete(task)
    const { account, job } = task.facts
    const now = this.#now()
    this.#recent.took(account, job, now - startedAtMs)
    this.#recent.seen(account, now)
    if (broken !== undefined && this.#isTriedAgain(task, broken, wasFresh)) this.#queue.addAgain(task, now)
    else this.#queue.finish(task, now)
    return broken
  }

  /** Runs a task. Returns undefined if it ended and its thread is intact. */
  async #attempt({ task, thread }: RunningTask): Promise<BrokenThread | undefined> {
    try {
      const { outcome } = await thread.run(task.facts.request, task.facts.deadlineMs)
      if (outcome.kind === 'trap') return { kind: 'trapped', strike: 1 }
      this.#parts.tally.add('done')
      task.settle(outcome)
      return undefined
    } catch (error) {
      if (!(error instanceof ThreadOvertime)) return { kind: 'lost', strike: 1 }
      return { kind: 'timedOut', strike: error.usedShare }
    }
  }

  /**
   * Decides on a second attempt. A trap may be a late effect of the task before, so a read gets one more attempt on a
   * fresh thread. A task that exceeded its deadline is charged with the share of processor time that it received, so
   * that a request costs a bounded total in any number of attempts.
   */
  #isTriedAgain(task: QueuedTask, broken: BrokenThread, wasFresh: boolean): boolean {
    const { tally, quarantine } = this.#parts
    const isLate = broken.kind === 'timedOut'
    tally.add(broken.kind)
    if (!isLate && task.isRead && !wasFresh && task.takeSecondChance()) {
      tally.add('retried')
      return true
    }
    const { subject } = task.facts
    if (subject !== undefined) quarantine.strike(subject, broken.strike)
    task.fail(failureOf(broken))
    return false
  }

  async #release(worker: Worker, running: RunningTask, broken: BrokenThread | undefined): Promise<void> {
    const { tally } = this.#parts
    const { thread } = running
    const isStillItsThread = worker.finish(running)
    if (this.#background.has(thread)) return await this.#releaseBehind(thread, broken)
    if (broken !== undefined) tally.add('replaced')
    if (broken !== undefined && isStillItsThread) worker.replace()
    if (broken !== undefined || !isStillItsThread) return await thread.kill()
    if (thread.isWornOut && worker.renew()) tally.add('recycled')
  }

  /** Releases a background thread: its low priority cannot be raised again, so it stays in the background or ends. */
  async #releaseBehind(thread: WorkerThread, broken: BrokenThread | undefined): Promise<void> {
    if (broken !== undefined) this.#parts.tally.add('replaced')
    const isRetained = broken === undefined && !thread.isWornOut && this.#recent.isShared(this.#now())
    if (isRetained) this.#background.rest(thread)
    else await this.#background.end(thread)
  }
}
