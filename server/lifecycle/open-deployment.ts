// Opens the parts of a deployment in order (threads, storage, secrets, housekeeping) and closes them in reverse.
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { type Clock, systemClock } from '../../core/ports/clock.js'
import { systemRandom } from '../../core/ports/random.js'
import { WorkerPool } from '../../workers/pool/pool.js'
import type { PoolOptions } from '../../workers/pool/pool-options.js'
import { Authenticator } from '../auth/authenticator.js'
import { configuredKeys } from '../auth/configured-keys.js'
import { type PassphraseBounds, Passphrases } from '../auth/passphrase.js'
import { defaultRateBounds, type RateBounds, ratesOf } from '../auth/rates.js'
import { Caches } from '../caches/caches.js'
import { EventStreams, type StreamBounds } from '../concurrency/event-streams.js'
import { ImportsAtOnce } from '../concurrency/imports-at-once.js'
import { ReceivedBodies } from '../concurrency/received-bodies.js'
import { StagedFiles } from '../concurrency/staged-files.js'
import { Turns } from '../concurrency/turns.js'
import { Housekeeping } from '../expiry/housekeeping.js'
import { defaultImportBounds, ImportWorker } from '../imports/import-worker.js'
import { RegisteredConnections } from '../imports/registered-connections.js'
import type { ImportBounds } from '../imports/run-import.js'
import { limits } from '../limits.js'
import type { Deployment } from '../operation/deployment.js'
import { digestFile } from '../operation/digest-file.js'
import { webhookLimits } from '../outbox/webhook-limits.js'
import { Presence } from '../presence/presence.js'
import type { Channel } from '../processes/channel.js'
import { type Behind, openBehind } from '../processes/open-behind.js'
import { remoteRates } from '../processes/remote-rates.js'
import { showAllProcesses } from '../processes/shared-metrics.js'
import { ReadLog } from '../read-log/read-log.js'
import { Sealing } from '../rows/sealing.js'
import type { Config } from '../settings/config.js'
import { type ApiTokenSource, apiTokenSourceOf, readSecrets } from '../settings/secrets.js'
import { refuseFolderOfDatabase } from '../settings/shared-files.js'
import { configuredRoots } from '../settings/trust-roots.js'
import { erasureTopic } from '../storage/erasure-topic.js'
import { freeBytesOf } from '../storage/free-space.js'
import { openStorage, type Storage, type StorageOptions } from '../storage/open-storage.js'
import { storedBytesOfAll } from '../storage/stored-bytes.js'
import { TenantTotals } from '../storage/tenant-totals.js'
import { openLog } from '../telemetry/logging.js'
import { Metrics } from '../telemetry/metrics.js'
import { endpointNetwork } from '../webhooks/endpoint.js'
import { WebhookWorker, type WebhookWorkerOptions } from '../webhooks/webhook-worker.js'
import { joinDeployment } from './join-deployment.js'
import { openingProblem } from './opening-problem.js'

export interface DeploymentOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logTo: Writable
  /** Default: the file beside the program. */
  readonly thread?: URL
  /** Times of the pool. Default: those of the pool itself. */
  readonly pool?: Pick<PoolOptions, 'deadlineFactor' | 'limits'>
  readonly clock?: Clock
  /** Access to files, database and free space. */
  readonly access?: Pick<StorageOptions, 'files' | 'openDatabase' | 'freeSpace'>
  /** Connection to the first process of a server of several. Default: this is the only process. */
  readonly firstProcess?: Channel
  /** Connection to the first process of the server, which has the store. Default: this is the only process. */
  readonly behind?: Behind
  /** True replaces the secrets that processes on the same store were first started with. Default false. */
  readonly acceptNewSecrets?: boolean
  /** True records the place of the files anew, after they were moved. Default false. */
  readonly acceptMovedFiles?: boolean
  readonly streamBounds?: Partial<StreamBounds>
  readonly rateBounds?: Partial<RateBounds>
  readonly passphraseBounds?: PassphraseBounds
  readonly importBounds?: Partial<ImportBounds>
  readonly webhookBounds?: Partial<Pick<WebhookWorkerOptions, 'network' | 'pollMs'>>
}

export interface OpenedDeployment {
  readonly deployment: Deployment
  readonly apiToken: string
  /** All that are accepted; several during a rotation. */
  readonly apiTokens: readonly [string, ...string[]]
  readonly apiTokenSource: ApiTokenSource
  readonly dataFolder: string
  /** Resolves when the process must end: the store failed, or other processes go on without this one. */
  readonly failed: Promise<Error>
  close(): Promise<void>
}

export async function openDeployment(config: Config, options: DeploymentOptions): Promise<OpenedDeployment> {
  const {
    env,
    logTo,
    thread,
    pool,
    clock = systemClock,
    access = {},
    behind,
    firstProcess,
    acceptNewSecrets = false,
    acceptMovedFiles = false,
    ...bounds
  } = options
  const dataFolder = resolve(config.data)
  const metrics = new Metrics()
  if (firstProcess) showAllProcesses(metrics, firstProcess)
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    // Threads.
    const log = openLog(config.logLevel, logTo)
    const trustRoots = configuredRoots(config)
    const connections = new RegisteredConnections(config.connections, { env, dataFolder, blobs: config.blobs })
    closing.push(async () => connections.close())
    const workers = await WorkerPool.start({
      ...(config.threads === undefined ? {} : { threads: config.threads }),
      ...(thread === undefined ? {} : { thread }),
      ...pool,
      jobLimits: { pixelsMax: config.pixelsMax },
    })
    closing.push(() => workers.close())
    // Storage.
    if (config.store === undefined) {
      await refuseFolderOfDatabase({ dataFolder, blobs: config.blobs, acceptMovedFiles })
    }
    const caches = new Caches(metrics)
    const opened: StorageOptions = {
      ...access,
      folder: dataFolder,
      engines: {
        store: config.store,
        blobs: config.blobs,
        redis: config.redis,
        blobCacheBytes: config.blobCacheBytes,
      },
      decodedRows: caches.rows,
      digest: (path) => digestFile(workers, path),
      onSynced: () => metrics.count('store-sync'),
      onRedisEvent: (event, detail) => {
        metrics.count(event)
        if (event === 'redis-lost') log.error({ detail }, 'Redis is lost: leases and rate limits hold per process')
        else if (event !== 'lease-unshared') log.info({ event, detail }, 'Redis')
      },
    }
    const storage = await (behind ? openBehind(behind, opened) : openStorage(opened))
    closing.push(() => storage.close())
    closing.push(eraseWithOthers(storage, caches))
    metrics.watchLeases(storage.leases)
    metrics.watchEngines([...storage.measurements, freeBytesOf(dataFolder), storedBytesOfAll(storage.tables)])
    // Secrets. They come after the storage, which refuses a folder that is in use or contains other files: nothing may
    // be written into such a folder.
    const apiTokenSource = await apiTokenSourceOf(dataFolder, env)
    const secrets = await readSecrets(dataFolder, env)
    const keys = await configuredKeys(config, secrets)
    const joined = await joinDeployment(storage, {
      config,
      dataFolder,
      secrets,
      log,
      acceptNewSecrets,
      acceptMovedFiles,
    })
    closing.push(() => joined.leave())
    // Housekeeping.
    const housekeeping = new Housekeeping({
      storage,
      clock,
      ownsStorage: joined.ownsStorage,
      onFailure: (error, what) => log.error({ err: error, what }, 'housekeeping failed and will be tried again'),
    })
    await housekeeping.start()
    closing.push(() => housekeeping.stop())
    metrics.watchPool(() => workers.counters())
    const presence = new Presence({ bus: storage.bus, clock, random: systemRandom })
    closing.push(async () => presence.close())
    const readLog = new ReadLog({
      storage,
      clock,
      onFailure: (error) => log.error({ err: error }, 'the log of reads was not written, and will be tried again'),
    })
    closing.push(() => readLog.close())
    const deployment: Deployment = {
      ...storage,
      ...boundedParts(bounds),
      totals: new TenantTotals({ tables: storage.tables, clock }),
      rates: behind
        ? remoteRates(behind.channel)
        : await ratesOf({ ...defaultRateBounds, ...bounds.rateBounds }, clock, storage.redis),
      config,
      workers,
      trustRoots,
      connections,
      metrics,
      clock,
      log,
      random: systemRandom,
      presence,
      readLog,
      draining: new AbortController(),
      deletions: housekeeping.deletions,
      withholdings: housekeeping.withholdings,
      authenticator: new Authenticator({ apiTokens: secrets.apiTokens, keys, clock, verified: caches.verifiedTokens }),
      caches,
      sealing: new Sealing(secrets.sealingKey),
    }
    // Imports of earlier processes continue.
    const imports = new ImportWorker(deployment, {
      isAlone: config.store === undefined && behind === undefined,
      bounds: { ...defaultImportBounds, ...bounds.importBounds },
    })
    metrics.watchEngines(imports.measurements)
    await imports.start()
    closing.push(() => imports.stop())
    // Deliveries of earlier processes continue.
    const webhooks = new WebhookWorker(deployment, {
      isAlone: config.store === undefined && behind === undefined,
      network: endpointNetwork,
      pollMs: webhookLimits.pollMs,
      ...bounds.webhookBounds,
    })
    metrics.watchEngines(webhooks.measurements)
    await webhooks.start()
    closing.push(() => webhooks.stop())
    const failed = Promise.race([storage.failed, joined.excluded])
    const { apiTokens } = secrets
    return { deployment, apiToken: apiTokens[0], apiTokens, apiTokenSource, dataFolder, failed, close }
  } catch (error) {
    await close()
    throw openingProblem(dataFolder, error) ?? error
  }
}

/** Creates the parts that limit work in this process; nothing has to close them. */
function boundedParts({
  streamBounds,
  passphraseBounds,
}: Pick<DeploymentOptions, BoundNames>): Pick<
  Deployment,
  'turns' | 'eventStreams' | 'passphrases' | 'imports' | 'receivedBodies' | 'stagedFiles'
> {
  return {
    turns: new Turns(),
    eventStreams: new EventStreams(streamBounds),
    passphrases: new Passphrases(passphraseBounds),
    imports: new ImportsAtOnce(),
    receivedBodies: new ReceivedBodies(),
    stagedFiles: new StagedFiles(),
  }
}

type BoundNames = 'streamBounds' | 'passphraseBounds'

/**
 * Evicts content from the caches when another process redacted some, and at an interval where there are other processes,
 * whose messages may be lost. Returns a function that ends it.
 */
function eraseWithOthers({ bus, redis }: Pick<Storage, 'bus' | 'redis'>, caches: Caches): () => Promise<void> {
  const erase = () => caches.eraseContent()
  const end = bus.subscribe(erasureTopic, erase)
  const timer = redis && setInterval(erase, limits.cachedContentMaxMs).unref()
  return async () => {
    clearInterval(timer)
    end()
  }
}
