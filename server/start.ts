// Starts a document server on its data folder: opens everything in order, listens, and closes it all in reverse.
import { rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { systemClock } from '../core/ports/clock.js'
import { systemRandom } from '../core/ports/random.js'
import { WorkerPool } from '../workers/pool.js'
import { buildApp } from './app.js'
import { Attempts } from './auth/attempts.js'
import { Authenticator } from './auth/authenticator.js'
import { configuredKeys } from './auth/configured-keys.js'
import { Passphrases } from './auth/passphrase.js'
import type { Config } from './config.js'
import type { Deployment } from './deployment.js'
import { ProvenPasswords } from './documents/proven-passwords.js'
import { ReadCache } from './documents/read-cache.js'
import { Housekeeping } from './expiry/housekeeping.js'
import { limits } from './limits.js'
import { openLog } from './logging.js'
import { Metrics } from './metrics.js'
import { openingProblem } from './opening-problem.js'
import { serveProblem } from './problems.js'
import { readSecrets } from './secrets.js'
import { openStorage, type Storage, type StorageOptions } from './storage/open-storage.js'

export interface StartOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Of Steward. */
  readonly version: string
  readonly logTo: Writable
}

export interface RunningServer {
  readonly url: string
  readonly apiToken: string
  readonly dataFolder: string
  /** Resolves when the store failed underneath; nothing more can be promised, so the process must end. */
  readonly failed: Promise<Error>
  /** Stops accepting, finishes what is under way, closes. */
  close(): Promise<void>
}

export async function startServer(config: Config, { env, version, logTo }: StartOptions): Promise<RunningServer> {
  const dataFolder = resolve(config.data)
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    const secrets = await readSecrets(dataFolder, env)
    const keys = await configuredKeys(config, secrets)
    const log = openLog(config.logLevel, logTo)
    const workers = await WorkerPool.start({
      ...(config.threads === undefined ? {} : { threads: config.threads }),
      jobLimits: { pixelsMax: config.pixelsMax },
    })
    closing.push(() => workers.close())
    const storage = await open(dataFolder, { digest: (path) => digestIn(workers, path) })
    closing.push(() => storage.close())
    const clock = systemClock
    const housekeeping = new Housekeeping({
      storage,
      clock,
      onFailure: (error, what) => log.error({ err: error, what }, 'housekeeping failed and will be tried again'),
    })
    await housekeeping.start()
    closing.push(() => housekeeping.stop())
    const metrics = new Metrics()
    const deployment: Deployment = {
      ...storage,
      config,
      workers,
      metrics,
      clock,
      log,
      random: systemRandom,
      deletions: housekeeping.deletions,
      authenticator: new Authenticator({ apiTokens: [secrets.apiToken], keys, clock }),
      readCache: new ReadCache(metrics),
      provenPasswords: new ProvenPasswords(),
      passphrases: new Passphrases(),
      shareAttempts: new Attempts({
        perMinuteMax: limits.shareAttemptsPerMinute,
        rememberedMax: limits.shareAttemptsRememberedMax,
        clock,
      }),
    }
    const app = await buildApp(deployment, { logger: log, version })
    closing.push(() => app.close())
    const url = await listen(app, config)
    closing.push(await announce(dataFolder, url))
    return { url, apiToken: secrets.apiToken, dataFolder, failed: storage.failed, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(folder: string, options: Omit<StorageOptions, 'folder'>): Promise<Storage> {
  try {
    return await openStorage({ ...options, folder })
  } catch (error) {
    throw openingProblem(folder, error) ?? error
  }
}

/** Hashing 100 MB takes half a second: not in this thread. */
async function digestIn(workers: WorkerPool, path: string): Promise<string> {
  const { size: sizeBytes } = await stat(path)
  const source = { document: path, key: path, path, sizeBytes }
  return (await workers.run('digest', { source })).sha256
}

async function listen(app: FastifyInstance, { host, port, publicUrl }: Config): Promise<string> {
  try {
    const address = await app.listen({ host, port })
    return publicUrl ?? address
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw serveProblem('serve.address-in-use', { detail: `${host}:${port} is in use.`, cause: error })
    }
    throw error
  }
}

/** Tells programs on this machine where the server is; answers what takes the word back. */
async function announce(folder: string, url: string): Promise<() => Promise<void>> {
  const path = join(folder, 'server.json')
  await writeFile(path, `${JSON.stringify({ url, pid: process.pid })}\n`, { mode: 0o600 })
  return () => rm(path, { force: true })
}
