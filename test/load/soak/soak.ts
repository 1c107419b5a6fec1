// Drives a seeded mixed load against the built server for a time, measures the process, and judges it.
import { setTimeout } from 'node:timers/promises'
import { done, makers } from '../../server/support/running-server.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { type BuiltServer, startBuiltServer } from '../built-server.js'
import { Draw } from '../draw.js'
import { actions } from './actions.js'
import { SoakClient, type SoakDocument, tenants } from './client.js'
import { type Measurement, measure } from './measurements.js'
import { Tally } from './tally.js'
import { type Verdict, verdictOf } from './verdict.js'

export interface SoakOptions {
  /** Measured time; the warm-up before it takes more than half as long again. */
  readonly minutes: number
  readonly seed: number
  /** Empty folder for the data. */
  readonly folder: string
  readonly clients?: number
  readonly measuredEveryMs?: number
  /** Time in which deletions are swept, files that were removed closed, and idle connections closed, before an idle server is measured. */
  readonly idleMs?: number
  /** Number of documents that are opened first. */
  readonly filled?: number
  report(line: string): void
}

/** Mean pause of a client between two actions: bounds the rate, so that client and server need two cores. */
const pauseMs = 250
/** Two threads keep 64 documents open each; documents are spread by chance. */
const cachedDocuments = 180

export async function soak(options: SoakOptions): Promise<Verdict> {
  const { minutes, seed, folder, clients = 4, measuredEveryMs = 3_000, idleMs = 25_000, report } = options
  const server = await startBuiltServer({ folder, threads: 2 })
  const tally = new Tally()
  const documents: SoakDocument[] = []
  const all = Array.from(
    { length: clients },
    (_, index) => new SoakClient(server.api, new Draw(seed + index), tally, documents),
  )
  const startedAt = performance.now()
  const minute = () => (performance.now() - startedAt) / 60_000
  const measurements: Measurement[] = []

  /** Runs all clients until the minute. */
  async function load(until: number): Promise<void> {
    const isOver = () => minute() >= until || server.ended() !== undefined
    await Promise.all([...all.map((client) => live(client, isOver)), watch(isOver)])
  }
  async function watch(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const one = await measure(server, folder, minute())
      measurements.push(one)
      report(lineOf(one))
      await setTimeout(measuredEveryMs)
    }
  }

  report(`seed ${seed}, ${minutes} minutes after the warm-up, ${clients} clients`)
  report(header)
  await fillCaches(server, options.filled ?? cachedDocuments)
  await load(minute() + warmUpShare * minutes)
  const before = await idle(server, { client: all[0], folder, minute, idleMs })
  report(`idle ${lineOf(before)}`)
  // The caches are empty now, and memory and descriptors grow while they fill.
  await fillCaches(server, options.filled ?? cachedDocuments)
  await load(minute() + warmUpShare * minutes)
  measurements.length = 0
  await load(minute() + minutes)
  const after = await idle(server, { client: all[0], folder, minute, idleMs })
  report(`idle ${lineOf(after)}`)
  report(`actions: ${tally.actions}`)
  report(`answers: ${tally.statuses}`)
  if (server.ended() !== undefined) tally.complain(`the server ended with ${server.ended()}`)
  for (const line of server.errors()) tally.complain(`log: ${line.slice(0, 1000)}`)
  for (const finding of await server.close()) tally.complain(finding)
  return verdictOf({ measurements, idle: { before, after }, complaints: tally.complaints })
}

/** Time that caches, code and threads need to reach their size, as a share of the measured time. */
const warmUpShare = 0.3

/** Opens more documents than threads keep open, so that their caches have their size before the load begins. */
async function fillCaches({ api }: BuiltServer, count: number): Promise<void> {
  const { upload } = makers(api)
  for (let number = 0; number < count; number++) {
    const docId = await upload(onePage(`% ${number}`), { tenantId: tenants[0] })
    await api.get(`/v1/docs/${docId}/layers/default/annotations/items`).then(done)
  }
}

async function live(client: SoakClient, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const action = client.draw.weighted(actions)
    client.tally.action(action.name)
    await action.run(client).catch((error) => client.tally.complain(`${action.name}: ${error.stack ?? error}`))
    await setTimeout(client.draw.below(2 * pauseMs))
  }
}

interface Idling {
  readonly client: SoakClient | undefined
  readonly folder: string
  readonly minute: () => number
  readonly idleMs: number
}

/** Deletes everything and measures the server without clients. */
async function idle(server: BuiltServer, { client, folder, minute, idleMs }: Idling): Promise<Measurement> {
  for (const tenant of tenants) await client?.deleteTenant(tenant)
  await setTimeout(idleMs)
  return measure(server, folder, minute())
}

const columns = ['minute', 'resident', 'heap', 'external', 'files', 'threads', 'folder', 'loop ms', 'replaced']
const header = columns.map((name) => name.padStart(9)).join('')

function lineOf(one: Measurement): string {
  const { minute, residentMb, heapMb, externalMb, files, threads, folderMb, loopDelayMs, replaced } = one
  const cells = [minute.toFixed(2), residentMb, heapMb, externalMb, files, threads, folderMb, loopDelayMs, replaced]
  return cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(0) : cell).padStart(9)).join('')
}
