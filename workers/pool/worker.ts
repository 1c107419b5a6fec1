// One lane of the pool, in which one task runs at a time, at normal priority, on the current thread. Threads are
// replaced; the lane stays.
import { limits } from '../limits.js'
import type { JobTable } from '../messages/reply.js'
import type { PoolSettings } from './pool-options.js'
import type { QueuedTask } from './queued-task.js'
import { WorkerThread } from './worker-thread.js'

export interface RunningTask {
  readonly task: QueuedTask
  readonly thread: WorkerThread
  readonly startedAtMs: number
}

export class Worker {
  #thread: WorkerThread | undefined
  #running: RunningTask | undefined
  #isInstalling = false
  #isClosed = false
  readonly #settings: PoolSettings
  readonly #module: WebAssembly.Module
  readonly #onReady: () => void

  constructor(settings: PoolSettings, module: WebAssembly.Module, onReady: () => void) {
    this.#settings = settings
    this.#module = module
    this.#onReady = onReady
  }

  get running(): RunningTask | undefined {
    return this.#running
  }

  get hasThread(): boolean {
    return this.#thread !== undefined
  }

  get isIdle(): boolean {
    return this.hasThread && this.#running === undefined
  }

  /** Starts the first thread. Returns the properties of its jobs. */
  async start(): Promise<JobTable> {
    const [thread, { jobs }] = await WorkerThread.start(this.#settings, this.#module)
    this.#thread = thread
    return jobs
  }

  /** Begins a task; the worker must be idle. */
  begin(task: QueuedTask): RunningTask {
    if (this.#thread === undefined || this.#running !== undefined) throw new Error('The worker is not idle')
    this.#running = { task, thread: this.#thread, startedAtMs: this.#settings.clock.now() }
    return this.#running
  }

  /**
   * Ends a task. Returns true if the thread still belongs to this worker; otherwise it was replaced meanwhile and can
   * be closed.
   */
  finish(running: RunningTask): boolean {
    if (this.#running === running) this.#running = undefined
    return this.#thread === running.thread
  }

  /** Replaces a thread that has ended or moved to the background, by `next` or by a new one. */
  replace(next?: WorkerThread): void {
    this.#thread = next
    this.#running = undefined
    if (next === undefined) void this.#install()
  }

  /** Replaces a worn-out thread as soon as the next one is ready. Returns false if one is being started already. */
  renew(): boolean {
    if (this.#isInstalling) return false
    void this.#install()
    return true
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.kill()
    this.#thread = undefined
  }

  /** Starts a thread, retrying until it succeeds: the machine may lack resources for a moment only. */
  async #install(): Promise<void> {
    if (this.#isInstalling) return
    this.#isInstalling = true
    let next: WorkerThread | undefined
    while (next === undefined && !this.#isClosed) next = await this.#startThread()
    this.#isInstalling = false
    if (next !== undefined) await this.#adopt(next)
  }

  async #startThread(): Promise<WorkerThread | undefined> {
    try {
      return (await WorkerThread.start(this.#settings, this.#module))[0]
    } catch {
      await this.#settings.clock.sleep(limits.threadRestartMs)
      return undefined
    }
  }

  async #adopt(next: WorkerThread): Promise<void> {
    if (this.#isClosed) return await next.kill()
    const old = this.#thread
    this.#thread = next
    // A task that still runs on the old thread closes it at its end.
    if (old !== undefined && this.#running?.thread !== old) await old.kill()
    this.#onReady()
  }
}
