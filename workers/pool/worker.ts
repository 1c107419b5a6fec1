// One lane of the pool: a place where one task runs at a time, at full priority, on the thread that is there now. Threads
// come and go; the lane stays.
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

  /** The first thread; answers what its jobs are. */
  async start(): Promise<JobTable> {
    const [thread, { jobs }] = await WorkerThread.start(this.#settings, this.#module)
    this.#thread = thread
    return jobs
  }

  /** Only an idle worker begins. */
  begin(task: QueuedTask): RunningTask {
    if (this.#thread === undefined || this.#running !== undefined) throw new Error('The worker is not idle')
    this.#running = { task, thread: this.#thread, startedAtMs: this.#settings.clock.now() }
    return this.#running
  }

  /** True when the thread is still this worker's; otherwise a successor came meanwhile, and the thread can end. */
  finish(running: RunningTask): boolean {
    if (this.#running === running) this.#running = undefined
    return this.#thread === running.thread
  }

  /** The thread is gone, or goes on without us: `next` takes its place, or one that is started now. */
  replace(next?: WorkerThread): void {
    this.#thread = next
    this.#running = undefined
    if (next === undefined) void this.#install()
  }

  /** The thread works, but should not for much longer: it stays until the next one is ready. False = one is coming. */
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

  /** Tries until it works: a machine that cannot start a thread now may be able to in a second. */
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
    // A task that still runs on the old thread ends it when it is done.
    if (old !== undefined && this.#running?.thread !== old) await old.kill()
    this.#onReady()
  }
}
