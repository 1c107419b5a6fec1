// Minimum rate at which a client sends or reads bytes. A client has a time budget: waiting spends it, every byte earns
// some of it back. A slow client continues while it makes progress; one that stalls is detected within the budget.

export interface RateBounds {
  readonly bytesPerSecondMin: number
  readonly reserveMs: number
}

export class MinimumRate {
  #leftMs: number

  constructor(
    private readonly bounds: RateBounds,
    /** Bytes transferred when the measurement began. */
    private bytes: number,
  ) {
    this.#leftMs = bounds.reserveMs
  }

  /** True if the client meets the rate. `bytes`: total transferred so far. */
  isMet(bytes: number, elapsedMs: number): boolean {
    const { bytesPerSecondMin, reserveMs } = this.bounds
    const earnedMs = ((bytes - this.bytes) / bytesPerSecondMin) * 1000
    this.bytes = bytes
    this.#leftMs = Math.min(reserveMs, this.#leftMs + earnedMs - elapsedMs)
    return this.#leftMs > 0
  }

  /** Excludes time in which nothing was expected of the client. */
  rest(bytes: number): void {
    this.bytes = bytes
    this.#leftMs = this.bounds.reserveMs
  }
}
