// Starts a document server on its data folder: opens everything in order, listens, and closes it all in reverse.
import { rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
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
import { limits } from './limits.js'
import { openLog } from './logging.js'
import { Metrics } from './metrics.js'
import { serveProblem } from './problems.js'
import { readSecrets } from './secrets.js'
import { openStorage } from './storage/open-storage.js'

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
    const workers = new WorkerPool({ threads: config.threads ?? availableParallelism(), pixelsMax: config.pixelsMax })
    closing.push(() => workers.close())
    const storage = await openStorage({ folder: dataFolder, digest: (path) => workers.run('digest', { path }) })
    closing.push(() => storage.close())
    const metrics = new Metrics()
    const clock = systemClock
    const deployment: Deployment = {
      ...storage,
      config,
      workers,
      metrics,
      clock,
      random: systemRandom,
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
    const app = await buildApp(deployment, { logger: openLog(config.logLevel, logTo), version })
    closing.push(() => app.close())
    const url = await listen(app, config)
    closing.push(await announce(dataFolder, url))
    return { url, apiToken: secrets.apiToken, dataFolder, failed: storage.failed, close }
  } catch (error) {
    await close()
    throw error
  }
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
