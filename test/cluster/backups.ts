// Backups of a cluster: each is one moment of the history, with every row and byte of what was answered before it began.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { layerPath } from '../server/changes/support/changing.js'
import { Client } from '../server/support/client.js'
import { freePort } from '../support/free-port.js'
import type { Cluster } from './cluster.js'
import { entriesIn } from './load/editors.js'
import { type Load, now, type PromisedBytes } from './load/load.js'
import { found } from './load/run-load.js'
import { SteadyClient } from './load/steady-client.js'
import { expected } from './load/uploads.js'
import { builtProgram, ServerProcess } from './processes.js'

interface Backup {
  readonly folder: string
  readonly invokedAt: number
  readonly returnedAt: number
  /** Layers, as `document/layer`, that were changed before it began. */
  readonly layers: readonly string[]
  /** Bytes that were promised before it began, and were the same when it ended. */
  readonly promises: readonly (readonly [id: string, PromisedBytes])[]
}

/** Milliseconds between attempts: a backup is refused while Redis is lost, and fails with the process that makes it. */
const pauseMs = 1000

export class Backups {
  private readonly made: Backup[] = []

  constructor(private readonly cluster: Cluster) {}

  /** Makes a backup. Its attempts end when one succeeds. */
  async make(load: Load): Promise<void> {
    const { cluster, made } = this
    for (let attempt = 0; ; attempt++) {
      const folder = join(cluster.folder, `backup-${made.length}-${attempt}`)
      const invokedAt = now()
      const layers = new Set(load.records.flatMap((record) => (record.kind === 'change' ? [record.layer] : [])))
      const before = [...load.promises]
      const words = ['documents', 'backup', folder, '--url', cluster.url]
      const failure = await this.agents(words).catch((error: unknown) => String(error))
      if (typeof failure !== 'string') {
        const promises = before.filter(([id, promised]) => load.promises.get(id) === promised)
        made.push({ folder, invokedAt, returnedAt: now(), layers: [...layers], promises })
        return
      }
      if (attempt > 120) throw new Error(`A backup failed for good: ${failure}`)
      await sleep(pauseMs)
    }
  }

  /** Restores each backup into a folder, checks every row and byte of it, and records what a server on it answers. */
  async verify(load: Load): Promise<void> {
    for (const backup of this.made) {
      const folder = `${backup.folder}-restored`
      const data = join(folder, 'data')
      await this.agents(['documents', 'restore', backup.folder, '--data', data])
      const check = await this.agents(['serve', '--check', '--data', data, '--json'])
      const findings = /"findings":(\d+)/.exec(check.stdout)?.[1] ?? check.stdout
      load.records.push({ kind: 'promise', subject: `check of ${folder}`, promised: '0', found: findings })
      const server = new ServerProcess({
        ...{ name: folder, port: await freePort(), folder, flags: ['--threads', '1', '--log-level', 'warn'] },
        env: this.secrets,
      })
      server.program = this.program
      await server.start()
      await this.readAll(load, backup, server.url)
      await server.end('SIGTERM')
    }
  }

  private async readAll(load: Load, { invokedAt, returnedAt, layers, promises }: Backup, url: string): Promise<void> {
    const { apiToken } = this.cluster
    const steady = new SteadyClient(new Client(url, apiToken), { answered: 0, repeated: new Map() }, 60_000)
    for (const layer of layers) {
      const [docId = '', layerName = ''] = layer.split('/')
      const answer = expected(await steady.send(`${layerPath({ docId, layerName })}/metadata/custom`, {}))
      const entries = entriesIn(answer.json())
      load.records.push({ kind: 'read', client: 'backup', layer, invokedAt, returnedAt, entries })
    }
    for (const [id, promised] of promises) {
      load.records.push(await found(steady, `${id} in a backup`, promised))
    }
    console.log(`backup: ${layers.length} layers and ${promises.length} documents read from it`)
  }

  /** Program of the first process: after an upgrade, an older one refuses backups of the newer format. */
  private get program(): string {
    return this.cluster.servers[0]?.program ?? builtProgram
  }

  private get secrets(): Readonly<Record<string, string>> {
    const [server] = this.cluster.servers
    const env = Object.entries(server?.options.env ?? {})
    return Object.fromEntries(env.filter(([name]) => /^STEWARD_(API|SIGNING|SEALING)_/.test(name)))
  }

  private agents(words: readonly string[]) {
    const env = { ...process.env, ...this.secrets }
    return promisify(execFile)(process.execPath, [this.program, ...words], { env, maxBuffer: 2 ** 26 })
  }
}
