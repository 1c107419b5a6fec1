// One thread that is ready before it is needed: starting one takes longer than most tasks.
import type { WorkerThread } from './worker-thread.js'

export class SpareThread {
  #thread: WorkerThread | undefined
  #starting: Promise<void> | undefined
  #isClosed = false
  readonly #start: () => Promise<WorkerThread>
  readonly #onReady: () => void

  constructor(start: () => Promise<WorkerThread>, onReady: () => void) {
    this.#start = start
    this.#onReady = onReady
  }

  /** Starts one where there is none. */
  prepare(): void {
    if (this.#thread !== undefined || this.#isClosed) return
    this.#starting ??= this.#install()
  }

  take(): WorkerThread | undefined {
    const thread = this.#thread
    this.#thread = undefined
    return thread
  }

  get isReady(): boolean {
    return this.#thread !== undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#starting
    await this.take()?.kill()
  }

  async #install(): Promise<void> {
    try {
      this.#thread = await this.#start()
    } catch {
      // A machine that cannot start a thread now has the lanes it has; the next need tries again.
      return
    } finally {
      this.#starting = undefined
    }
    if (!this.#isClosed) this.#onReady()
  }
}
