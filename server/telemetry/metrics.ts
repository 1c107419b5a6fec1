// Prometheus metrics: requests by operation, worker pool, caches. Labels contain no ids or names.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { PoolCounters } from '../../workers/pool/counters.js'
import type { Measurement } from '../storage/measurement.js'

export interface AnswerFacts {
  readonly operation: string
  readonly status: number
  readonly seconds: number
}

const poolGauges = {
  threads: 'Worker threads that are up',
  running: 'Tasks that run',
  overtime: 'Slow reads that go on beside their worker',
  queued: 'Tasks that wait for a thread',
  quarantined: 'Parts of documents that are left alone for a while',
  done: 'Tasks that came back with an answer, a refusal or an error of their own, since the start',
  replaced: 'Threads that were given up, since the start',
  timedOut: 'Tasks that met their deadline, since the start',
  refusedOverload: 'Tasks refused because the queues were full, since the start',
} as const satisfies Partial<Record<keyof PoolCounters, string>>

export class Metrics {
  readonly registry = new Registry()
  /** Returns the text of a scrape: of this process, or of all processes of the server. */
  read: () => Promise<string> = () => this.registry.metrics()
  private readonly durations = new Histogram({
    name: 'steward_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [this.registry],
  })
  private readonly events = new Counter({
    name: 'steward_events_total',
    help: 'Things worth counting: cache hits, refusals, swept documents',
    labelNames: ['event'],
    registers: [this.registry],
  })

  constructor() {
    collectDefaultMetrics({ register: this.registry, prefix: 'steward_' })
  }

  countAnswer({ operation, status, seconds }: AnswerFacts): void {
    this.durations.observe({ operation, status: String(status) }, seconds)
  }

  count(event: string): void {
    this.events.inc({ event })
  }

  watchPool(counters: () => PoolCounters): void {
    for (const [name, help] of Object.entries(poolGauges)) {
      this.gauge(`pool_${name}`, help, () => counters()[name as keyof typeof poolGauges])
    }
  }

  watchLeases(leases: { readonly waiting: number; readonly isShared: boolean }): void {
    this.gauge('leases_waiting', 'Requests that wait for a lease', () => leases.waiting)
    this.gauge('leases_shared', '0 while other processes cannot be reached', () => Number(leases.isShared), 'min')
  }

  /** Registers figures of the engines. */
  watchEngines(measurements: readonly Measurement[]): void {
    for (const { name, help, read, aggregator } of measurements) this.gauge(name, help, read, aggregator)
  }

  /** Registers a gauge whose value is read for every scrape. `aggregator`: how the values of several processes become one. */
  private gauge(
    name: string,
    help: string,
    read: Measurement['read'],
    aggregator: Measurement['aggregator'] = 'sum',
  ): void {
    new Gauge({
      name: `steward_${name}`,
      help,
      aggregator,
      registers: [this.registry],
      async collect() {
        this.set(await read())
      },
    })
  }
}
