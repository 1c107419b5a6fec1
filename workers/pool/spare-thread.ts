// A thread that is started in advance, because starting one takes longer than most tasks.
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

  /** Starts a spare thread if there is none. */
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
      // If no thread can be started now, the lanes continue without a spare one; the next call tries again.
      return
    } finally {
      this.#starting = undefined
    }
    if (!this.#isClosed) this.#onReady()
  }
}
