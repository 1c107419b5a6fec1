// Minimum pace of bytes that a client sends or takes. A client has a reserve of time; waiting spends it, every byte
// earns some of it back, up to the full reserve. So a slow client goes on for as long as it makes progress, and one that
// trickles or stops is found out within the reserve.

export interface RateBounds {
  readonly bytesPerSecondMin: number
  readonly reserveMs: number
}

export class MinimumRate {
  #leftMs: number

  constructor(
    private readonly bounds: RateBounds,
    /** Bytes that had moved when the client's turn began. */
    private bytes: number,
  ) {
    this.#leftMs = bounds.reserveMs
  }

  /** Reports whether the client keeps the pace. `bytes`: all that moved so far. */
  isMet(bytes: number, elapsedMs: number): boolean {
    const { bytesPerSecondMin, reserveMs } = this.bounds
    const earnedMs = ((bytes - this.bytes) / bytesPerSecondMin) * 1000
    this.bytes = bytes
    this.#leftMs = Math.min(reserveMs, this.#leftMs + earnedMs - elapsedMs)
    return this.#leftMs > 0
  }

  /** For time in which nothing was expected of the client. */
  rest(bytes: number): void {
    this.bytes = bytes
    this.#leftMs = this.bounds.reserveMs
  }
}
