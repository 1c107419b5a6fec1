// Opens the parts of a deployment in order (threads, storage, secrets, housekeeping) and closes them in reverse.
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { type Clock, systemClock } from '../../core/ports/clock.js'
import { systemRandom } from '../../core/ports/random.js'
import { WorkerPool } from '../../workers/pool/pool.js'
import { Authenticator } from '../auth/authenticator.js'
import { configuredKeys } from '../auth/configured-keys.js'
import { type PassphraseBounds, Passphrases } from '../auth/passphrase.js'
import { defaultRateBounds, type RateBounds, ratesOf } from '../auth/rates.js'
import { Caches } from '../caches/caches.js'
import { EventStreams, type StreamBounds } from '../concurrency/event-streams.js'
import { ImportsAtOnce } from '../concurrency/imports-at-once.js'
import { Turns } from '../concurrency/turns.js'
import { Housekeeping } from '../expiry/housekeeping.js'
import type { Deployment } from '../operation/deployment.js'
import { digestFile } from '../operation/digest-file.js'
import { Sealing } from '../rows/sealing.js'
import type { Config } from '../settings/config.js'
import { type ApiTokenSource, apiTokenSourceOf, readSecrets } from '../settings/secrets.js'
import { configuredRoots } from '../settings/trust-roots.js'
import { openStorage, type Storage, type StorageOptions } from '../storage/open-storage.js'
import { openLog } from '../telemetry/logging.js'
import { Metrics } from '../telemetry/metrics.js'
import { openingProblem } from './opening-problem.js'

export interface DeploymentOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logTo: Writable
  /** Default: the file beside the program. */
  readonly thread?: URL
  readonly clock?: Clock
  /** Access to files, database and free space. */
  readonly access?: Pick<StorageOptions, 'files' | 'openDatabase' | 'freeSpace'>
  readonly streamBounds?: Partial<StreamBounds>
  readonly rateBounds?: Partial<RateBounds>
  readonly passphraseBounds?: PassphraseBounds
}

export interface OpenedDeployment {
  readonly deployment: Deployment
  readonly apiToken: string
  readonly apiTokenSource: ApiTokenSource
  readonly dataFolder: string
  /** Resolves when the store failed. */
  readonly failed: Promise<Error>
  close(): Promise<void>
}

export async function openDeployment(
  config: Config,
  { env, logTo, thread, clock = systemClock, access = {}, ...bounds }: DeploymentOptions,
): Promise<OpenedDeployment> {
  const dataFolder = resolve(config.data)
  const metrics = new Metrics()
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    // Threads.
    const log = openLog(config.logLevel, logTo)
    const trustRoots = configuredRoots(config)
    const workers = await WorkerPool.start({
      ...(config.threads === undefined ? {} : { threads: config.threads }),
      ...(thread === undefined ? {} : { thread }),
      jobLimits: { pixelsMax: config.pixelsMax },
    })
    closing.push(() => workers.close())
    // Storage.
    const caches = new Caches(metrics)
    const storage = await open(dataFolder, {
      ...access,
      engines: {
        store: config.store,
        blobs: config.blobs,
        redis: config.redis,
        blobCacheBytes: config.blobCacheBytes,
      },
      decodedRows: caches.rows,
      digest: (path) => digestFile(workers, path),
      onSynced: () => metrics.count('store-sync'),
    })
    closing.push(() => storage.close())
    // Secrets. They come after the storage, which refuses a folder that is in use or contains other files: nothing may
    // be written into such a folder.
    const apiTokenSource = await apiTokenSourceOf(dataFolder, env)
    const secrets = await readSecrets(dataFolder, env)
    const keys = await configuredKeys(config, secrets)
    // Housekeeping.
    const housekeeping = new Housekeeping({
      storage,
      clock,
      onFailure: (error, what) => log.error({ err: error, what }, 'housekeeping failed and will be tried again'),
    })
    await housekeeping.start()
    closing.push(() => housekeeping.stop())
    metrics.watchPool(() => workers.counters())
    const deployment: Deployment = {
      ...storage,
      ...boundedParts(bounds, clock),
      config,
      workers,
      trustRoots,
      metrics,
      clock,
      log,
      random: systemRandom,
      deletions: housekeeping.deletions,
      withholdings: housekeeping.withholdings,
      authenticator: new Authenticator({ apiTokens: secrets.apiTokens, keys, clock, verified: caches.verifiedTokens }),
      caches,
      sealing: new Sealing(secrets.sealingKey),
    }
    return { deployment, apiToken: secrets.apiTokens[0], apiTokenSource, dataFolder, failed: storage.failed, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Creates the parts that limit work in this process; nothing has to close them. */
function boundedParts(
  { streamBounds, passphraseBounds, rateBounds }: Pick<DeploymentOptions, BoundNames>,
  clock: Clock,
): Pick<Deployment, 'turns' | 'eventStreams' | 'passphrases' | 'imports' | 'rates'> {
  return {
    turns: new Turns(),
    eventStreams: new EventStreams(streamBounds),
    passphrases: new Passphrases(passphraseBounds),
    imports: new ImportsAtOnce(),
    rates: ratesOf({ ...defaultRateBounds, ...rateBounds }, clock),
  }
}

type BoundNames = 'streamBounds' | 'rateBounds' | 'passphraseBounds'

async function open(folder: string, options: Omit<StorageOptions, 'folder'>): Promise<Storage> {
  try {
    return await openStorage({ ...options, folder })
  } catch (error) {
    throw openingProblem(folder, error) ?? error
  }
}
