// Rounds of background work: one at the start, then one whenever it is woken, and one after each pause.
import { setTimeout as sleep } from 'node:timers/promises'

export interface RoundsOptions {
  /** Does what is due. */
  readonly round: () => Promise<void>
  /** Called when a round fails; the next one tries again. */
  readonly onError: (error: unknown) => void
  /** Longest pause between two rounds. */
  readonly pauseMs: number
}

export class BackgroundRounds {
  private readonly stopping = new AbortController()
  private loop: Promise<void> = Promise.resolve()
  private isWoken = false
  private endPause = () => {}

  constructor(private readonly options: RoundsOptions) {}

  /** Signal that is aborted when the work stops. */
  get signal(): AbortSignal {
    return this.stopping.signal
  }

  start(): void {
    this.loop = this.run()
  }

  /** Starts another round at once, or after the running one. */
  wake(): void {
    this.isWoken = true
    this.endPause()
  }

  /** Waits until the running round is over. */
  async stop(): Promise<void> {
    this.stopping.abort()
    this.endPause()
    await this.loop
  }

  private async run(): Promise<void> {
    while (!this.signal.aborted) {
      this.isWoken = false
      await this.options.round().catch(this.options.onError)
      if (!this.isWoken) await this.pause()
    }
  }

  private async pause(): Promise<void> {
    const over = new AbortController()
    this.endPause = () => over.abort()
    if (this.signal.aborted) return
    await sleep(this.options.pauseMs, undefined, { signal: over.signal, ref: false }).catch(() => {})
  }
}
