// The parts of a running document server. Built once by `start.ts` and passed to every handler; there is no other
// shared state.
import type { Logger } from 'pino'
import type { Clock } from '../../core/ports/clock.js'
import type { Random } from '../../core/ports/random.js'
import type { TrustRootsFolder } from '../../workers/messages/trust-roots.js'
import type { WorkerPool } from '../../workers/pool/pool.js'
import type { Authenticator } from '../auth/authenticator.js'
import type { Passphrases } from '../auth/passphrase.js'
import type { Rates } from '../auth/rates.js'
import type { Caches } from '../caches/caches.js'
import type { EventStreams } from '../concurrency/event-streams.js'
import type { ImportsAtOnce } from '../concurrency/imports-at-once.js'
import type { ReceivedBodies } from '../concurrency/received-bodies.js'
import type { StagedFiles } from '../concurrency/staged-files.js'
import type { Turns } from '../concurrency/turns.js'
import type { Deletions } from '../deletion/deletions.js'
import type { Presence } from '../presence/presence.js'
import type { ReadLog } from '../read-log/read-log.js'
import type { Sealing } from '../rows/sealing.js'
import type { Config } from '../settings/config.js'
import type { Blobs } from '../storage/blobs.js'
import type { Bus } from '../storage/bus.js'
import type { LargeValues } from '../storage/large-values.js'
import type { Leases } from '../storage/leases.js'
import type { PageFacts } from '../storage/page-facts.js'
import type { Store } from '../storage/store.js'
import type { Tables } from '../storage/tables.js'
import type { TenantTotals } from '../storage/tenant-totals.js'
import type { Metrics } from '../telemetry/metrics.js'
import type { Withholdings } from '../withholding/withholdings.js'
import type { Connections } from './connections.js'

export interface Deployment {
  readonly config: Config
  readonly store: Store
  /** Typed access to the store. */
  readonly tables: Tables
  readonly blobs: Blobs
  /** Stored bytes of tenants, for their limit. */
  readonly totals: TenantTotals
  /** Page facts of versions, in rows or blobs. */
  readonly pageFacts: LargeValues<typeof PageFacts>
  /** Deletes tenants and documents: hides them at once, then removes their data. */
  readonly deletions: Deletions
  /** Erases redacted content wherever it is stored. */
  readonly withholdings: Withholdings
  readonly leases: Leases
  readonly bus: Bus
  readonly workers: WorkerPool
  /** Roots that signers are trusted by, for tasks that judge signatures; undefined: none. */
  readonly trustRoots: TrustRootsFolder | undefined
  readonly authenticator: Authenticator
  readonly caches: Caches
  /** Scheduler for long work on lists in short steps. */
  readonly turns: Turns
  readonly eventStreams: EventStreams
  /** Readers who have a layer open now. */
  readonly presence: Presence
  /** Who read what, of tenants that switched it on. */
  readonly readLog: ReadLog
  readonly passphrases: Passphrases
  readonly rates: Rates
  /** Encrypts stored content of encrypted documents. */
  readonly sealing: Sealing
  readonly imports: ImportsAtOnce
  readonly receivedBodies: ReceivedBodies
  readonly stagedFiles: StagedFiles
  /** Storages that documents may be imported from. */
  readonly connections: Connections
  readonly metrics: Metrics
  /** Aborted when the server leaves its balancer, before it stops. */
  readonly draining: AbortController
  /** Logger for work that belongs to no request. */
  readonly log: Logger
  readonly clock: Clock
  readonly random: Random
}
