// What operators watch, for Prometheus: requests by operation, the pool, caches. No ids and no names in labels.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Answered {
  readonly operation: string
  readonly status: number
  readonly seconds: number
}

export class Metrics {
  readonly registry = new Registry()
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

  answered({ operation, status, seconds }: Answered): void {
    this.durations.observe({ operation, status: String(status) }, seconds)
  }

  count(event: string): void {
    this.events.inc({ event })
  }

  /** Read anew whenever metrics are asked for. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name: `steward_${name}`,
      help,
      registers: [this.registry],
      collect() {
        this.set(read())
      },
    })
  }
}
