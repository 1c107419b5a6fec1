// A server of several processes: this one starts the others, which answer requests, starts them again when they end, and has
// what they share. With an embedded store that is the store too; else each of them opens the same distributed one.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../core/ports/clock.js'
import { defaultRateBounds, type Rates, ratesOf } from '../auth/rates.js'
import { endClaims } from '../imports/import-worker.js'
import { limits } from '../limits.js'
import { Channel } from '../processes/channel.js'
import { receivedError } from '../processes/channel-errors.js'
import { servePorts } from '../processes/serve-ports.js'
import { BusExchange } from '../processes/shared-bus.js'
import { RemovalGate } from '../processes/shared-files.js'
import { ServerMetrics } from '../processes/shared-metrics.js'
import { handOnUntaken } from '../processes/untaken-connections.js'
import { watchProcess } from '../processes/watch-process.js'
import { wireToChild } from '../processes/wires.js'
import type { Config } from '../settings/config.js'
import { serveProblem } from '../settings/problems.js'
import { apiTokenSourceOf, readSecrets, type SecretVariables, secretVariables } from '../settings/secrets.js'
import { dataFolderAt, layOut, refuseForeign } from '../storage/data-folder.js'
import { openStorage, type Storage } from '../storage/open-storage.js'
import { announce } from './announce.js'
import { openingProblem } from './opening-problem.js'
import type { RunningServer } from './start.js'

/** Variables that tell a process its part. The secrets come by the channel, because others may see the environment of a process. */
export const partVariables = {
  index: 'STEWARD_PROCESS_INDEX',
  threads: 'STEWARD_PROCESS_THREADS',
  /** Port that all processes listen on, where any free one was asked for. */
  port: 'STEWARD_PROCESS_PORT',
  /** Set for a process that takes the place of one that ended. */
  again: 'STEWARD_PROCESS_AGAIN',
} as const

/**
 * Returns the number of processes: one for each four cores, because PDF work runs in threads beside them; one where they could
 * not coordinate. Throws `serve.no-coordination` if that many cannot either.
 */
export function processCount({ processes, store, redis }: Config): number {
  const canCoordinate = store === undefined || redis !== undefined
  if (processes === undefined) return canCoordinate ? Math.max(1, Math.floor(availableParallelism() / 4)) : 1
  if (processes > 1 && !canCoordinate) throw serveProblem('serve.no-coordination', {})
  return processes
}

/** Request by which a process asks the first one for the secrets. */
export const secretsName = 'secrets'

export interface SuperviseOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Called when a process ended, which is then started again, and when one no longer answers, which is then ended. */
  readonly onLoss: (index: number, loss: 'ended' | 'silent') => void
}

/** Starts the processes, and resolves when all of them listen. */
export async function superviseServers(config: Config, { env, onLoss }: SuperviseOptions): Promise<RunningServer> {
  const dataFolder = resolve(config.data)
  const storage = config.store === undefined ? await openShared(dataFolder, config) : undefined
  try {
    // Imports of earlier processes continue at once.
    if (storage) await endClaims({ ...storage, clock: systemClock })
    // It has the secrets of all processes, and what each of them has in the folder.
    if (storage === undefined) await layOutFolder(dataFolder)
    const apiTokenSource = await apiTokenSourceOf(dataFolder, env)
    const secrets = await readSecrets(dataFolder, env)
    const threads = Math.max(1, Math.floor((config.threads ?? availableParallelism()) / processCount(config)))
    const supervisor = new Supervisor(storage, await ratesOf(defaultRateBounds, systemClock, storage?.redis), {
      count: processCount(config),
      onLoss,
      secrets: secretVariables(secrets),
      env: {
        [partVariables.threads]: String(threads),
        // The cluster of Node shares a port among processes that ask for it by the same number.
        ...(config.port === 0 ? { [partVariables.port]: String(await freePort(config.host)) } : {}),
        // The allocator of glibc keeps twice the memory where each thread has a part of its own (docs/operations.md, sizing).
        MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX ?? '2',
      },
    })
    const address = await supervisor.start()
    const addresses = { url: address, publicUrl: config.publicUrl }
    const withdraw = await announce(dataFolder, addresses, secrets.apiTokens)
    const close = async () => {
      await withdraw()
      await supervisor.stop()
      await storage?.close()
    }
    const [apiToken] = secrets.apiTokens
    const failed = storage?.failed ?? new Promise<never>(() => {})
    // The processes drain by themselves, when they are told to stop.
    const drain = async () => {}
    return { url: config.publicUrl ?? address, apiToken, apiTokenSource, dataFolder, failed, drain, close }
  } catch (error) {
    await storage?.close()
    throw error
  }
}

/**
 * Data folder of a process: where rows and files are elsewhere, each has its own, for staging and local copies. Files in a
 * folder are in one that all have.
 */
export const dataFolderOfProcess = ({ data, store, blobs }: Config, index: number): string =>
  store === undefined || blobs === undefined ? data : join(data, `process-${index}`)

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function layOutFolder(path: string): Promise<void> {
  try {
    const folder = dataFolderAt(path)
    await refuseForeign(folder)
    await layOut(folder)
  } catch (error) {
    throw openingProblem(path, error) ?? error
  }
}

/** Opens what the processes share; each of them opens the files itself. */
async function openShared(folder: string, { redis }: Config): Promise<Storage> {
  try {
    return await openStorage({ folder, engines: { redis } })
  } catch (error) {
    throw openingProblem(folder, error) ?? error
  }
}

interface SupervisorOptions extends Pick<SuperviseOptions, 'onLoss'> {
  readonly count: number
  readonly env: Readonly<Record<string, string>>
  readonly secrets: SecretVariables
}

class Supervisor {
  private readonly bus = new BusExchange()
  private readonly removals = new RemovalGate()
  private readonly metrics = new ServerMetrics()
  private readonly children = new Map<number, Worker>()
  private isStopping = false

  constructor(
    private readonly storage: Storage | undefined,
    private readonly rates: Rates,
    private readonly options: SupervisorOptions,
  ) {
    cluster.setupPrimary({ serialization: 'advanced' })
  }

  /** Returns the address that the processes listen on. */
  async start(): Promise<string> {
    const indexes = Array.from({ length: this.options.count }, (_, index) => index)
    try {
      const [address = ''] = await Promise.all(indexes.map((index) => this.startChild(index)))
      return address
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** Lets every process finish its requests. */
  async stop(): Promise<void> {
    this.isStopping = true
    const ended = [...this.children.values()].map((child) => new Promise((resolve) => child.once('exit', resolve)))
    for (const child of this.children.values()) child.process.kill('SIGTERM')
    await Promise.all(ended)
  }

  private startChild(index: number, more: Readonly<Record<string, string>> = {}): Promise<string> {
    const child = cluster.fork({ ...this.options.env, ...more, [partVariables.index]: String(index) })
    this.children.set(index, child)
    handOnUntaken(child)
    const channel = new Channel(wireToChild(child), receivedError)
    const { storage, rates, bus, removals } = this
    channel.handle(secretsName, () => this.options.secrets)
    const releases = [
      this.metrics.add(channel),
      watchProcess(channel, () => this.endSilent(index, child)),
      ...(storage ? [servePorts(channel, { storage, rates, bus, removals })] : []),
    ]
    return new Promise((resolve, reject) => {
      channel.handle('ready', resolve)
      child.once('exit', (code) => {
        for (const release of releases) release()
        this.children.delete(index)
        reject(serveProblem('serve.process-ended', { detail: `Process ${index} ended with ${code}.` }))
        if (!this.isStopping) void this.restart(index)
      })
    })
  }

  private endSilent(index: number, child: Worker): void {
    this.options.onLoss(index, 'silent')
    child.process.kill('SIGKILL')
  }

  private async restart(index: number): Promise<void> {
    await sleep(limits.processRestartMs)
    if (this.isStopping) return
    this.metrics.countRestart()
    this.options.onLoss(index, 'ended')
    await this.startChild(index, { [partVariables.again]: 'true' }).catch(() => {}) // Its end has started the next attempt.
  }
}
