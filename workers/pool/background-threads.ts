// Threads beside the lanes, at low priority. A thread is added with a task that others must not wait for, continues it,
// and may run more work that is known to take long: threads at normal priority get the processor first.
import { limits } from '../limits.js'
import type { WorkerThread } from './worker-thread.js'

export class BackgroundThreads {
  readonly #threads = new Map<WorkerThread, 'busy' | 'idle'>()
  readonly #max: number
  #reaper: NodeJS.Timeout | undefined

  constructor(max: number) {
    this.#max = max
  }

  get busy(): number {
    return [...this.#threads.values()].filter((state) => state === 'busy').length
  }

  /** True if one more thread may join; idle ones are ended to make room. */
  get hasRoom(): boolean {
    return this.busy < this.#max
  }

  get idle(): WorkerThread | undefined {
    for (const [thread, state] of this.#threads) if (state === 'idle') return thread
    return undefined
  }

  has(thread: WorkerThread): boolean {
    return this.#threads.has(thread)
  }

  /** Adds a thread that runs a task. */
  adopt(thread: WorkerThread): void {
    const { idle } = this
    if (this.#threads.size >= this.#max && idle !== undefined) void this.end(idle)
    thread.lowerPriority()
    this.#threads.set(thread, 'busy')
  }

  /** Adds an idle thread from somewhere else. */
  admit(thread: WorkerThread): void {
    thread.lowerPriority()
    this.rest(thread)
  }

  get size(): number {
    return this.#threads.size
  }

  begin(thread: WorkerThread): void {
    this.#threads.set(thread, 'busy')
  }

  rest(thread: WorkerThread): void {
    this.#threads.set(thread, 'idle')
    clearTimeout(this.#reaper)
    this.#reaper = setTimeout(() => void this.endIdle(), limits.sharedForMs).unref()
  }

  async end(thread: WorkerThread): Promise<void> {
    this.#threads.delete(thread)
    await thread.kill()
  }

  async endIdle(): Promise<void> {
    clearTimeout(this.#reaper)
    const idle = [...this.#threads].filter(([, state]) => state === 'idle')
    await Promise.all(idle.map(([thread]) => this.end(thread)))
  }
}
