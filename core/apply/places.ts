// Places of changes in progress: at most so many at a time on each provider.

/** Error of a change that was stopped before it had a place, so that it sent nothing. */
export class NotBegun extends Error {
  constructor() {
    super('The run was stopped before the change began')
    this.name = 'NotBegun'
  }
}

interface Waiting {
  readonly enter: () => void
  readonly stop: () => void
}

export class Places {
  readonly #taken = new Map<string, number>()
  readonly #waiting = new Map<string, Waiting[]>()

  /** `stopped`: signal after which no place is given. */
  constructor(
    private readonly limit: number,
    private readonly stopped: AbortSignal,
  ) {
    stopped.addEventListener('abort', () => this.#stop(), { once: true })
  }

  /** Resolves when there is a place, first come, first served. Throws `NotBegun`. */
  async take(provider: string): Promise<void> {
    if (this.stopped.aborted) throw new NotBegun()
    const taken = this.#taken.get(provider) ?? 0
    if (taken < this.limit) this.#taken.set(provider, taken + 1)
    else await this.#wait(provider)
  }

  /** Gives the place to the next change that waits for one. */
  leave(provider: string): void {
    const next = this.#waiting.get(provider)?.shift()
    if (next === undefined) this.#taken.set(provider, (this.#taken.get(provider) ?? 0) - 1)
    else next.enter()
  }

  #wait(provider: string): Promise<void> {
    return new Promise((enter, reject) => {
      const queue = this.#waiting.get(provider) ?? []
      this.#waiting.set(provider, queue)
      queue.push({ enter, stop: () => reject(new NotBegun()) })
    })
  }

  #stop(): void {
    for (const queue of this.#waiting.values()) for (const { stop } of queue.splice(0)) stop()
  }
}
