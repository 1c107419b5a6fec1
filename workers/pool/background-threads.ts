// Threads beside the lanes, at low priority. A thread comes here with a task that others must not wait for, goes on with it,
// and may do more work that is known to take long: whoever needs a processor for a moment gets it before them.
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

  /** Whether one more may come; idle ones make room. */
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

  /** It runs a task. */
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
