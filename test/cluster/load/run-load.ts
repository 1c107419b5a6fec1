// Runs all clients of a load for some time, and reads at the end what their answers promised.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../../server/support/client.js'
import type { HistoryRecord } from '../history/records.js'
import { change, editMany, layerOf } from './editors.js'
import { follow } from './followers.js'
import { type Load, layerNames, type PromisedBytes, type Stage } from './load.js'
import { signMany } from './signings.js'
import { type Attempts, SteadyClient } from './steady-client.js'
import { expected, tenantId, upload, uploadMany } from './uploads.js'

export interface LoadOptions {
  /** Address of the balancer. */
  readonly url: string
  readonly apiToken: string
  readonly seconds: number
  readonly editors: number
  readonly draw: Load['draw']
  readonly newPdf: Load['newPdf']
  /** Seconds after which clients edit another document. */
  readonly stageSeconds: number
  /** Further clients, which run until the load is over. */
  readonly others?: readonly ((load: Load, client: string) => Promise<void>)[]
}

export interface LoadResult {
  readonly records: readonly HistoryRecord[]
  readonly attempts: Attempts
  readonly documents: number
  /** With the records, which may be added to. */
  readonly load: Load
}

/** Time for a request to be answered at all, and for readers to receive the last event: longer than any fault lasts. */
const patienceMs = 180_000

/** Milliseconds that the last attempt of a request may last after the patience has ended. */
const attemptMs = 60_000

const lastOp = 'last'

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { url, apiToken, seconds, editors, stageSeconds, others = [], ...given } = options
  const api = new Client(url, apiToken)
  const attempts: Attempts = { answered: 0, repeated: new Map() }
  const over = new AbortController()
  const steady = new SteadyClient(api, attempts, patienceMs)
  const load: Load = { api, steady, records: [], over: over.signal, promises: new Map(), ...given }
  expected(await steady.send('/v1/tenants', { method: 'POST', json: { id: tenantId } }))
  const stages = new Stages(load)
  await stages.next()
  const edit = (client: string) => editMany(load, client, () => stages.current)
  const clients = [
    ...Array.from({ length: editors }, (_, index) => persist(load, `editor-${index}`, edit)),
    persist(load, 'uploader', (client) => uploadMany(load, client)),
    persist(load, 'signer', (client) => signMany(load, client)),
    ...others.map((other, index) => persist(load, `other-${index}`, (client) => other(load, client))),
    stages.rotate(stageSeconds),
  ]
  const ended = sleep(seconds * 1000, undefined, { ref: false }).then(() => over.abort())
  await Promise.all([ended, ...clients])
  await stages.finish()
  const left = [...load.promises]
  const look = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) load.records.push(await found(steady, ...next))
  }
  await Promise.all(Array.from({ length: 4 }, look))
  return { records: load.records, attempts, documents: load.promises.size, load }
}

/** Runs a client until the run is over. An answer that it does not expect is a violation, and another client goes on. */
async function persist(load: Load, name: string, run: (client: string) => Promise<void>): Promise<void> {
  for (let life = 0; ; life++) {
    try {
      return await run(life === 0 ? name : `${name}-${life}-`)
    } catch (error) {
      load.records.push({ kind: 'promise', subject: `answers to ${name}`, promised: 'expected', found: String(error) })
      if (load.over.aborted) return
      await sleep(1000)
    }
  }
}

/**
 * The documents that are edited one after the other, each with two readers of events for each layer. A document is finished
 * when no request to it can be on its way any more, so that a long run has a bounded number of readers.
 */
class Stages {
  private readonly edited: { readonly stage: Stage; readonly startedAt: number }[] = []
  private readonly readers: Promise<boolean>[] = []
  private readonly patience = new AbortController()
  private made = 0

  constructor(private readonly load: Load) {}

  get current(): Stage {
    const newest = this.edited.at(-1)
    if (newest === undefined) throw new Error('There is no document yet')
    return newest.stage
  }

  async next(): Promise<void> {
    const docId = await upload(this.load, `stage-${this.made++}`)
    const stage: Stage = { docId, applied: new Map() }
    for (const layerName of layerNames) {
      const following = { place: { stage, layerName }, lastOp: `${lastOp}-${layerName}`, signal: this.patience.signal }
      for (const reader of ['one', 'two'])
        this.readers.push(follow(this.load, `${reader} ${layerOf(stage, layerName)}`, following))
    }
    this.edited.push({ stage, startedAt: performance.now() })
  }

  async rotate(seconds: number): Promise<void> {
    while (!this.load.over.aborted) {
      await sleep(seconds * 1000, undefined, { signal: this.load.over }).catch(() => {})
      if (this.load.over.aborted) return
      await this.next()
      const [oldest, second] = this.edited
      if (!oldest || !second || performance.now() - second.startedAt < patienceMs + attemptMs) continue
      await this.finishOne(oldest.stage)
      this.edited.shift()
    }
  }

  /** Makes a last change in each layer, so that readers know where to end. */
  private async finishOne(stage: Stage): Promise<void> {
    for (const layerName of layerNames) {
      const opId = `${lastOp}-${layerName}`
      await change(this.load, { client: 'last', opId, stage, layerName }, { key: 'a', work: { set: opId } })
    }
  }

  /** Finishes all that are left, and waits for the readers. */
  async finish(): Promise<void> {
    for (const { stage } of this.edited) await this.finishOne(stage)
    const giveUp = setTimeout(() => this.patience.abort(), patienceMs)
    const arrived = await Promise.all(this.readers)
    clearTimeout(giveUp)
    const late = arrived.filter((isThere) => !isThere).length
    this.load.records.push({
      kind: 'promise',
      subject: 'event readers without the last event',
      promised: '0',
      found: `${late}`,
    })
  }
}

/** Reads what was promised. */
export async function found(
  steady: SteadyClient,
  id: string,
  { sha256, path, by }: PromisedBytes,
): Promise<HistoryRecord> {
  const { status, bytes } = await steady.send(path, {})
  const actual = status === 200 ? createHash('sha256').update(bytes).digest('hex') : `status ${status}`
  return { kind: 'promise', subject: `document ${id} by ${by}`, promised: sha256, found: actual }
}
