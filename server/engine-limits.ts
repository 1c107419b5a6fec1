// Limits of what several processes share: the database, the storage of files, Redis, and the processes of one server.

const second = 1000
const minute = 60 * second
const megabyte = 1024 * 1024

export const engineLimits = {
  /**
   * Maximum number of connections of this process to a store on PostgreSQL: for single statements, and for long walks
   * over ranges, which occupy a connection for their duration.
   */
  storeConnectionsMax: 10,
  storeWalksMax: 4,
  /** Time that a statement waits for a connection; that its answer may take; and that it waits for a lock. */
  storeConnectTimeoutMs: 5 * second,
  storeStatementTimeoutMs: 30 * second,
  storeLockTimeoutMs: 5 * second,
  storeVacuumTimeoutMs: 60 * minute,
  /** Interval at which a process reads which format of rows its deployment has. */
  rowFormatReadMs: 2 * second,
  /** Time after which unused connections are closed. */
  storeConnectionIdleMs: minute,
  /** Time that a walk may pause between two pages; its snapshot keeps old rows in the database meanwhile. */
  storeWalkIdleMs: 10 * minute,
  /** Time in which the outcome of a commit is looked for after its connection was lost. */
  storeResolveMs: 8 * second,
  storeRetryPauseMaxMs: 200,
  /** Maximum number of amended rows whose last value is remembered. */
  storeSeenRowsMax: 2000,
  /** `Retry-After` of responses while the store cannot be reached. */
  storeRetryAfterSeconds: 5,
  /**
   * Limits of requests to a storage of blobs: connecting, a pause of the sender, the whole request, and one with many
   * bytes.
   */
  blobConnectMs: 5 * second,
  blobIdleMs: 20 * second,
  blobRequestMs: 30 * second,
  blobTransferMs: 2 * minute,
  /** Number of attempts, and base of the growing delay between attempts to continue a broken download. */
  blobAttemptsMax: 4,
  blobRetryMs: 100,
  blobConnectionsMax: 1024,
  /** Larger files are uploaded in parts of this size, so many at once. */
  blobPartBytes: 8 * megabyte,
  blobPartsAtOnce: 3,
  blobRemovalsAtOnce: 8,
  blobsUnavailableRetryAfterSeconds: 5,
  /** Blobs up to this size are read through the local copies, larger ones directly. */
  blobCopiedToReadBytesMax: 4 * megabyte,
  /** Number of blobs whose place in the storage is remembered. */
  blobPlacesMax: 50_000,
  /**
   * Time after which a local copy is compared with the storage, so that content that another process erased does not
   * remain; and the interval of the comparison.
   */
  localCopyUncheckedMs: 10 * minute,
  localCopyCheckIntervalMs: minute,
  /** Age at which the parts of an unfinished upload are removed. */
  unfinishedUploadMs: 6 * 60 * minute,
  /**
   * Lifetime of a lease in Redis, which its holder renews at a third of it: a killed holder delays the next one for so
   * long.
   */
  leaseTtlMs: 5 * second,
  /** Maximum interval at which a process asks for a lease that another one holds, if it is not woken up. */
  leasePollMs: 300,
  /** Time for which a request for a lease is remembered, so that its holder lets other processes go first. */
  leaseWaitingMs: second,
  /** Time that a process leaves to others before it takes a lease again that they wait for. */
  leaseYieldMs: 25,
  /** Time within which Redis must answer; otherwise it counts as lost, and is tried again at this interval. */
  redisTimeoutMs: second,
  redisCheckMs: second,
  redisConnectMs: 2 * second,
  redisRetryMaxMs: second,
  /** Number of checks in which a new connection may still be greeting before it is replaced. */
  redisGreetingChecksMax: 5,
  /** Maximum number of topics that wait for Redis; above it, all listeners of other processes are called. */
  busUnsentTopicsMax: 10_000,
  /** Maximum number of announcements in a message. */
  busAnnouncementsMax: 16,
  /** Maximum length of a message: all topics that may wait, of some 60 characters each, with room. */
  busMessageBytesMax: 1_000_000,
  /** Interval at which all listeners are called for messages of other processes at most. */
  busCallAllIntervalMs: 1000,
  /** Number of times that a process computes the amendments of a commit again because another one was faster. */
  amendAttemptsMax: 64,
  /** Delay before a process of the server that ended is started again. */
  processRestartMs: second,
  /** Time in which the first process has read what one that ended had answered. */
  processLastAnswersMs: 200,
  /** Time after which a deployment that claims an unused storage looks for others that do, and differences of clocks in it. */
  claimSettledMs: 2 * second,
  /** Number of files without a record after which a storage counts as that of another deployment. */
  claimFilesLookedAt: 100,
  /** Age of the record of a deployment up to which another one may have been recorded at the same time. */
  claimYoungMs: minute,
  /** Interval at which a deployment looks whether its storage still belongs to it. */
  claimWatchMs: minute,
  /** Interval at which a process on a shared store records itself, and the silence after which it counts as gone. */
  processRecordMs: 2 * second,
  processGoneMs: 6 * second,
  /** Time in which a process that coordinates elsewhere may end or change its mind, and the interval of looking. */
  processJoinMs: 15 * second,
  processJoinStepMs: 500,
  /** Time after which the identity of a Redis that no process uses expires. */
  redisIdentityMs: minute,
  /** Interval at which the first process asks the others whether they answer, and the silence after which it ends them. */
  processPingMs: 2 * second,
  processSilenceMs: 30 * second,
} as const
