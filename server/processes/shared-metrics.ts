// Metrics of a server of several processes, as one scrape: whichever process is asked, all of them are shown together.
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, type MetricObject, Registry } from 'prom-client'
import { limits } from '../limits.js'
import type { Metrics } from '../telemetry/metrics.js'
import type { Channel } from './channel.js'

const names = { ofProcess: 'metrics-of-process', ofServer: 'metrics-of-server' } as const

/** Makes a process answer with the metrics of all. */
export function showAllProcesses(metrics: Metrics, channel: Channel): void {
  channel.handle(names.ofProcess, () => metrics.registry.getMetricsAsJSON())
  metrics.read = () => channel.call(names.ofServer)
}

/** Collects in the first process what the others counted, and adds what it counts itself. */
export class ServerMetrics {
  private readonly registry = new Registry()
  private readonly channels = new Set<Channel>()
  private readonly restarts = new Counter({
    name: 'steward_process_restarts_total',
    help: 'Processes of the server that ended and were started again',
    registers: [this.registry],
  })
  private readonly answering = new Gauge({
    name: 'steward_processes',
    help: 'Processes of the server whose metrics are in this scrape',
    registers: [this.registry],
  })

  constructor() {
    collectDefaultMetrics({ register: this.registry, prefix: 'steward_' })
  }

  countRestart(): void {
    this.restarts.inc()
  }

  /** Returns a function that removes the process. */
  add(channel: Channel): () => void {
    this.channels.add(channel)
    channel.handle(names.ofServer, () => this.read())
    return () => void this.channels.delete(channel)
  }

  /** Returns the text of a scrape: sums over the processes, unless a metric is declared otherwise. */
  private async read(): Promise<string> {
    const collected = await Promise.all([...this.channels].map(metricsOf))
    const answers = collected.filter((answer) => answer !== undefined)
    this.answering.set(answers.length)
    return AggregatorRegistry.aggregate([...answers, await this.registry.getMetricsAsJSON()]).metrics()
  }
}

/** Returns undefined for a process that does not answer in time, or has just ended. */
async function metricsOf(channel: Channel): Promise<MetricObject[] | undefined> {
  const late = new AbortController()
  const answer = channel.call<MetricObject[]>(names.ofProcess).catch(() => undefined)
  const inTime = sleep(limits.processMetricsMs, undefined, { signal: late.signal, ref: false }).catch(() => undefined)
  const first = await Promise.race([answer, inTime])
  late.abort()
  return first
}
