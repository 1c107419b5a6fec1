// Limits of the document server that are not settings, with their units.
import { engineLimits } from './engine-limits.js'
import { httpLimits } from './http-limits.js'
import { storageLimits } from './storage-limits.js'

const second = 1000
const minute = 60 * second
const kilobyte = 1024
const megabyte = 1024 * kilobyte

export const limits = {
  ...engineLimits,
  ...httpLimits,
  ...storageLimits,
  /** Maximum size of a stored row in bytes; larger values are stored as blobs. */
  valueBytesMax: 256 * kilobyte,
  /**
   * JSON above this size is stored in a blob instead of its row, because the other members of the row need space too.
   */
  inlineBytesMax: 128 * kilobyte,
  largeValueBytesMax: 64 * megabyte,
  /** Content of one change is stored in rows up to this total; above it, its larger pieces go into one blob. */
  changeInlineBytesMax: 64 * kilobyte,
  pieceInlineBytesMax: 512,
  /** Maximum number of commits that share one sync of the store. */
  groupCommitsMax: 256,
  storeCacheBytes: 64 * megabyte,
  storeWriteBufferBytes: 16 * megabyte,
  /**
   * Below this much free disk space the store accepts only urgent commits, so that it never fails in the middle of a
   * write.
   */
  storeReserveBytes: 64 * megabyte,
  /** Free space that LevelDB needs to flush its memory into a table and to start a new log. */
  storeComfortBytes: 32 * megabyte,
  /**
   * Below this much free disk space the store accepts no commits at all; until then, urgent ones (refused tokens,
   * deletions, other removals) are accepted.
   */
  storeUrgentBytes: 2 * megabyte,
  /**
   * Share of the urgent space that one tenant's tokens may use for revocations: enough for thousands of tokens and
   * shares.
   */
  storeUrgentBytesOfOne: 2 * megabyte,
  /** Minimum difference for which a repeated revocation replaces the stored one. */
  revocationRenewedAfterMs: 60 * minute,
  /** Size of the file that reserves disk space for urgent commits; and the free space below which it is created. */
  reserveFileBytes: 64 * megabyte,
  reserveFileBelowBytes: 4096 * megabyte,
  /** Interval of checks whether a full disk has free space again. */
  reserveFileIntervalMs: 10 * second,
  /**
   * Time for which a measurement of free disk space is reused: the rows of one second are far smaller than the
   * reserve.
   */
  freeSpaceRememberedMs: 1 * second,
  /** Up to this size bytes are hashed in the main thread, because a round trip to a busy worker thread takes longer. */
  hashedHereBytesMax: 256 * kilobyte,
  /** Below this much free disk space no blob is started or continued. */
  blobReserveBytes: 256 * megabyte,
  /**
   * Time that a removal waits for readers that have the blob open by path; such readers have deadlines of their own.
   */
  pinnedBlobWaitMs: 60 * second,
  /**
   * Age at which a blob of a storage with several writers may be an orphan: longer than any request takes.
   */
  orphanAgeMs: 60 * minute,
  /** Maximum number of rows that one commit of a deletion removes. */
  sweepRowsMax: 200,
  /**
   * Maximum number of blobs that a redaction lists for removal; only layers with thousands of large changes exceed
   * it.
   */
  withheldBlobsMax: 2000,
  /** Intervals of the searches for expired rows, and for blobs that no row names. */
  expiryIntervalMs: minute,
  orphanIntervalMs: 60 * minute,
  /** Time that creating a document waits for the sweep of a deleted tenant whose document has the same id. */
  sweepWaitMs: 3 * second,
  sweepWaitStepMs: 100,
  /** Interval of the searches for deletions and erasures that a process left unfinished. */
  resumeIntervalMs: 20 * second,
  /** Maximum time for which redacted content stays in the memory of a process that missed all messages about it. */
  cachedContentMaxMs: 5 * minute,
  /** Delay before a failed deletion is retried. */
  sweepRetryMs: minute,
  /**
   * The pause between two compactions that erase deleted data is this many times the duration of the last one, within
   * the bounds below.
   */
  erasureRestFactor: 9,
  erasureRestMinMs: 30 * second,
  erasureRestMaxMs: 10 * minute,
  /**
   * Maximum number of keys outside the deleted tenant or document that are erased one by one; above it, the ranges of
   * whole row kinds are erased.
   */
  erasedKeysMax: 10_000,
  /** Size of the cache of decoded rows, over all kinds of row. */
  decodedRowBytesMax: 32 * megabyte,
  /** Maximum memory of cached layers that were moved over a newer version. */
  computedMoveBytesMax: 64 * megabyte,
  /** Maximum number of pages that a version lists as changed; above it, all pages count as changed. */
  versionEffectPagesMax: 1000,
  tokenCharactersMax: 8192,
  /** Size of the cache of verified tokens: about 10,000 tokens of usual size. */
  verifiedTokenBytesMax: 16 * megabyte,
  /** Maximum number of changes in one request, and limits of one change. */
  changesMax: 64,
  opsMax: 512,
  /**
   * Maximum number of annotations, stored inline in the uploaded file, that one layer may change: they are listed in
   * the row of the layer.
   */
  promotedAnnotationsMax: 3000,
  /** Rows of a large change that are written between two turns of the event loop. */
  rowsAtOnce: 500,
  /** Pages of a manifest that are written between two turns of the event loop. */
  pagesAtOnce: 1000,
  /** Default and maximum size of a page of a list; a larger requested size is refused. */
  pageSizeMax: 200,
  pageSizeDefault: 100,
  /** Rows that one request of a filtered list reads; above it, the answer ends with a cursor to continue from. */
  listRowsReadMax: 10_000,
  /** Maximum length of the text or pattern of a search, and number of matches after which one slice of it ends. */
  searchTextCharactersMax: 1000,
  searchMatchesMax: 500,
  idempotencyKeyCharactersMax: 255,
  /** Maximum size of a document's client metadata as JSON, which is stored in the document's row. */
  documentMetadataBytesMax: 64 * kilobyte,
  documentPasswordBytesMax: 1024,
  /** Size of the cache of pictures, texts and JSON. */
  answerCacheBytesMax: 128 * megabyte,
  /** Maximum size of one cached answer: lists of very many annotations fit. */
  answerCacheEntryBytesMax: 48 * megabyte,
  /** Minimum size of an answer whose request-specific form is assembled once and shared between requests. */
  sharedAnswerBytesMin: 256 * kilobyte,
  /** A read of a layer that is changed meanwhile is repeated this often before it makes writers wait. */
  readAttemptsMax: 4,
  /** Size of the cache of proven passwords of encrypted documents, as keyed hashes: about 10,000. */
  provenPasswordBytesMax: 4 * megabyte,
  compressedCacheBytesMax: 32 * megabyte,
  /** Size of the cache of version pages: a few of the largest documents. */
  versionPagesBytesMax: 16 * megabyte,
  /** Maximum number of concurrent scrypt computations; each takes 128 MB and half a second. */
  passwordHashesAtOnce: 2,
  /**
   * Maximum queue of one tenant, and the number of full queues above which tenants with less than their share are
   * favoured.
   */
  passwordHashesWaitingMax: 32,
  passwordHashesFullQueuesMax: 8,
  shareAttemptsPerMinute: 10,
  /** Rate limit of wrong document passwords, per document and client network. */
  documentAttemptsPerMinute: 10,
  /** Lifetime of a viewer session with the password of an encrypted document: a working day. */
  passwordSessionMs: 8 * 60 * 60 * 1000,
  /** Object numbers per reservation, and unused ones per caller and layer; how long unused ones are kept. */
  reservationMax: 1000,
  reservedNumbersMax: 4000,
  reservedNumbersMs: 24 * 60 * minute,
  /** Unused numbers that all sessions of one share hold in a document, so that one link cannot take all of them. */
  reservedNumbersOfShareMax: 64_000,
  /** Ranges that a document keeps of numbers that were given back; the smallest of more ranges are given up. */
  freeRangesMax: 1000,
  /**
   * Highest number that is reserved, far below the highest that an object may have, so that reservations never use up
   * what changes need, and above what the changes of several layers take. The engine keeps a table of this size.
   */
  reservableNumberMax: 4_000_000,
  /**
   * Object numbers that the changes of a layer, and in it those of one caller (or of all sessions of a share), may take:
   * all layers of a document share its numbers.
   */
  numbersOfLayerMax: 400_000,
  /** Object numbers that one signing takes at least. */
  numbersOfSigning: 1,
  numbersOfCallerMax: 200_000,
  /** Changes that take fewer object numbers are not counted for their caller, only for the layer. */
  countedNumbersMin: 100,
  /** Lifetime of a link to one picture or file, in seconds. */
  linkSecondsDefault: 300,
  linkSecondsMax: 900,
  /** Maximum length of what a link adds to an address; proxies limit request lines to 8 KB. */
  linkCharactersMax: 4096,
  /** Rate limit per share and client network: hundreds of people behind one address may open a share at once. */
  shareExchangesPerMinute: 300,
  /** Rate limit per client network. A page of the reference takes about ten requests, a scrape of the metrics one. */
  anonymousRequestsPerMinute: 1200,
  ratedNetworksMax: 50_000,
  /** Time during which the result of a readiness check is reused: the check writes files. */
  readinessRememberedMs: 1 * second,
  /** Time after which a part that does not answer counts as failed. */
  readinessProbeMs: 2 * second,
  uploadTtlDefaultMs: 15 * minute,
  /** Time within which a prepared signature must be completed. */
  signingTtlMs: 15 * minute,
  /** Retention of a signing that expired or was cancelled, without its content. */
  endedSigningRetentionMs: 24 * 60 * minute,
  importRedirectsMax: 3,
  importConnectTimeoutMs: 10 * second,
  importIdleTimeoutMs: 30 * second,
  /**
   * Minimum average rate of an import, applied once the total time spent waiting for the source exceeds the idle
   * timeout.
   */
  importBytesPerSecondMin: 16 * kilobyte,
  /** Maximum duration of an import, shorter than the lifetime of a pending document. */
  importDeadlineMs: 10 * minute,
  /** Maximum number of addresses of one host that are tried, one after the other. */
  importAddressesMax: 4,
  /**
   * Maximum number of concurrent imports: each occupies a connection and a file for as long as its source takes. One
   * tenant may use half of what the others leave.
   */
  importsAtOnceMax: 32,
  importsRetryAfterSeconds: 10,
  /** Number of times that one transfer from an S3 storage continues after a broken connection. */
  importResumesMax: 5,
  /** Maximum number of asynchronous imports that one process works on; one tenant may use half of what others leave. */
  backgroundImportsAtOnceMax: 8,
  /** Maximum duration of one attempt of an asynchronous import. */
  backgroundImportDeadlineMs: 60 * minute,
  /** Number of attempts of an asynchronous import before its document fails. */
  importAttemptsMax: 8,
  /** Delay before the second attempt; it doubles with each attempt, up to the maximum. */
  importRetryMinMs: 5 * second,
  importRetryMaxMs: 10 * minute,
  /** Time after which the claim of a process that does not renew it any more ends; and interval of its renewal. */
  importClaimMs: 30 * second,
  importClaimRenewalMs: 10 * second,
  /** Interval at which each process searches for due imports, if no bus message arrives. */
  importPollMs: 2 * second,
  /** Rows of the audit log that are searched for a change of another that is to be undone, newest first. */
  undoneRowsMax: 1_000,
  /** Number of attempts of a commit that conflicts with others, before the request fails. */
  commitAttemptsMax: 8,
  /**
   * Maximum number of event streams of this process, and of one token. One tenant may use half of what the others
   * leave, and a share link half of what the other links of its tenant leave.
   */
  eventStreamsMax: 1000,
  eventStreamsPerTokenMax: 32,
  /** A reader that is more audit rows behind than this must read everything again. */
  eventReplayRowsMax: 1000,
  /** Maximum number of audit rows in memory for one stream. */
  eventBatchRowsMax: 16,
  /** Delay after which changes in quick succession are read together. */
  eventPauseMs: 25,
  /** Interval at which a stream checks for new changes and for the validity of its token, if no bus message arrives. */
  eventPollMs: 2 * second,
  eventHeartbeatMs: 15 * second,
  /** A stream ends this long before its token expires, so that its reader can reconnect with a new one. */
  eventExpiryNoticeMs: 5 * second,
  eventStallMs: minute,
  eventStreamLifetimeMs: 60 * minute,
  /** Maximum lifetime of a token minted by this server. */
  tokenLifetimeSecondsMax: 90 * 24 * 60 * 60,
  /** Tolerance for clock differences of token issuers. */
  clockToleranceSeconds: 60,
  /** Minimum size of RSA keys that verify tokens. */
  rsaModulusBitsMin: 2048,
  /** Limits of fetching a JWKS: after a failure, a URL is not fetched again for a while, however many tokens arrive. */
  jwksBytesMax: megabyte,
  jwksTimeoutMs: 5 * second,
  jwksCooldownMs: 5 * second,
  /** Time in which a process of the server must answer with its metrics; otherwise a scrape shows the others. */
  processMetricsMs: 2 * second,
  shutdownGraceMs: 20 * second,
  /** `Retry-After` of responses while the server stops; another process may have taken over by then. */
  closingRetryAfterSeconds: 5,
} as const
