// Metrics of the pool as plain numbers: current gauges, and totals since the start.

const noTotals = {
  /** Number of tasks that ended with an answer, a refusal or an error of the job. */
  done: 0,
  retried: 0,
  stolen: 0,
  /** Number of threads that were replaced because they broke or were worn out. */
  replaced: 0,
  recycled: 0,
  timedOut: 0,
  trapped: 0,
  lost: 0,
  refusedOverload: 0,
  refusedQuarantine: 0,
}
type Totals = typeof noTotals

export interface Gauges {
  /** Number of workers with a running thread. */
  readonly threads: number
  readonly running: number
  /** Number of slow reads that continue in the background. */
  readonly overtime: number
  readonly queued: number
  readonly quarantined: number
}

export type PoolCounters = Readonly<Totals> & Gauges

export class Tally {
  readonly #totals: Totals = { ...noTotals }

  add(total: keyof Totals): void {
    this.#totals[total] += 1
  }

  with(gauges: Gauges): PoolCounters {
    return { ...this.#totals, ...gauges }
  }
}
