// Every bound of the document server that is not a setting, with its unit.

const second = 1000
const minute = 60 * second
const kilobyte = 1024
const megabyte = 1024 * kilobyte

export const limits = {
  /** Maximum size of a stored row in bytes; larger values are stored as blobs. */
  valueBytesMax: 256 * kilobyte,
  /** JSON above this leaves its row for a blob; the rest of the row needs room too. */
  inlineBytesMax: 128 * kilobyte,
  largeValueBytesMax: 64 * megabyte,
  /** Content of one change: in rows up to this sum, else its larger pieces are in a blob of their own. */
  changeInlineBytesMax: 64 * kilobyte,
  pieceInlineBytesMax: 512,
  /** Commits that share one sync of the store. */
  groupCommitsMax: 256,
  storeCacheBytes: 64 * megabyte,
  /** Rows of all kinds that the store caches, as bytes. */
  rowCacheBytesMax: 16 * megabyte,
  storeWriteBufferBytes: 16 * megabyte,
  /** Below this much free disk the store takes only what is urgent, so that it never fails in the middle of a write. */
  storeReserveBytes: 64 * megabyte,
  /** Free space with which LevelDB can write everything it has in memory into a table, and begin a log. */
  storeComfortBytes: 32 * megabyte,
  /** Below this much the store takes nothing: refusals of tokens, deletions and other removals are urgent until then. */
  storeUrgentBytes: 2 * megabyte,
  /** Part of it for revocations by tokens of one tenant: thousands of its tokens and shares. */
  storeUrgentBytesOfOne: 2 * megabyte,
  /** Revoking again writes nothing until the revocation has lost this much of its time. */
  revocationRenewedAfterMs: 60 * minute,
  /** Room that is taken beforehand, for what is urgent; and from how little free disk on. */
  reserveFileBytes: 64 * megabyte,
  reserveFileBelowBytes: 4096 * megabyte,
  /** Interval of checks whether a full disk has room again. */
  reserveFileIntervalMs: 10 * second,
  /**
   * Time during which the store assumes that there is room: the rows of one second are far smaller than its reserve.
   */
  freeSpaceRememberedMs: 1 * second,
  /** Hashing so many bytes takes less time than a turn of a worker thread that others use too. */
  hashedHereBytesMax: 256 * kilobyte,
  /** Below this much free disk no blob is begun or goes on. */
  blobReserveBytes: 256 * megabyte,
  /** Time that a removal waits for readers that have the blob open by path; they have deadlines of their own. */
  pinnedBlobWaitMs: 60 * second,
  /** Rows one commit of a deletion removes. */
  sweepRowsMax: 200,
  /** Blobs that a redaction names for removal: all but those of layers with thousands of large changes. */
  withheldBlobsMax: 2000,
  /** Intervals of looking for expired rows, and for blobs that no row names. */
  expiryIntervalMs: minute,
  orphanIntervalMs: 60 * minute,
  /** Time that a create waits for the sweep of a deleted tenant whose document has the same id. */
  sweepWaitMs: 3 * second,
  /** A deletion that failed on the way is tried again after it. */
  sweepRetryMs: minute,
  /** Between two compactions that erase what was deleted passes so many times what the last one took, within these bounds. */
  erasureRestFactor: 9,
  erasureRestMinMs: 30 * second,
  erasureRestMaxMs: 10 * minute,
  /** Keys of rows outside of the deleted tenant or document that are erased one by one; above, whole kinds of row are. */
  erasedKeysMax: 10_000,
  /** Cached rows of all kinds, decoded. */
  decodedRowBytesMax: 32 * megabyte,
  /** Enough for a request with the maximum number of changes and ops of usual size. */
  jsonBodyBytesMax: 16 * megabyte,
  /** Size of requests without a credential: parsing keeps all others waiting. */
  anonymousBodyBytesMax: 64 * kilobyte,
  /** Smaller responses are not compressed: they fit into one or two packets. */
  compressedBytesMin: 2 * kilobyte,
  jsonDepthMax: 100,
  /** Total members of all objects in a body that have more than any schema defines: copying costs time per name. */
  jsonWideMembersMax: 10_000,
  jsonWideObject: 100,
  /**
   * Bytes of a refused body that are read and dropped, and the time for it: a client may read no answer before it has sent
   * all it has.
   */
  droppedBodyBytesMax: 64 * megabyte,
  droppedBodyMs: minute,
  /** Pace at which a client sends a body and takes an answer, at least; slow links of real clients are ten times faster. */
  transferBytesPerSecondMin: kilobyte,
  /** Time for which a client may send or take nothing, before it must keep the pace again. */
  transferReserveMs: minute,
  /** Requests of one connection that wait behind the one that is answered. */
  waitingRequestsMax: 64,
  /** Bytes of answers in memory that clients have not taken, of all connections; then the slowest are cut. */
  unreadAnswerBytesMax: 256 * megabyte,
  unreadAnswerJudgedAfterMs: 5 * second,
  connectionCheckMs: second,
  /** Parts of a multipart body that are files; and those that are not. */
  requestFilesMax: 64,
  /** `resource:<key>`. */
  partNameBytesMax: 300,
  /** Longest path parameter: a field name in token text, or the `@token` of a versioned read. */
  pathParameterCharactersMax: 4096,
  tokenCharactersMax: 8192,
  /** About 10,000 tokens of usual size. */
  verifiedTokenBytesMax: 16 * megabyte,
  /** Bounds of one request for changes, and of one change. */
  changesMax: 64,
  opsMax: 512,
  /** Annotations of the uploaded file, stored inline, that one layer changed: their names stand in the row of the layer. */
  promotedAnnotationsMax: 3000,
  /** Rows written between two turns of the event loop, where a change has many. */
  rowsAtOnce: 500,
  /** Pages of a manifest made between two turns of the event loop. */
  pagesAtOnce: 1000,
  /** Clients that ask for less get less; more is refused. */
  pageSizeMax: 200,
  pageSizeDefault: 100,
  idempotencyKeyCharactersMax: 255,
  /** Client data of a document, as JSON: it is stored in the document's row. */
  documentMetadataBytesMax: 64 * kilobyte,
  documentPasswordBytesMax: 1024,
  /** Cached pictures, texts and JSON. */
  answerCacheBytesMax: 128 * megabyte,
  /** Lists of very many annotations fit. */
  answerCacheEntryBytesMax: 48 * megabyte,
  /** Size from which on an answer that a request adds to is assembled once for all requests. */
  sharedAnswerBytesMin: 256 * kilobyte,
  /** A read of a layer that is changed meanwhile begins again this often before its writers are made to wait. */
  readAttemptsMax: 4,
  /** Proven passwords of encrypted documents, as keyed hashes: about 10,000. */
  provenPasswordBytesMax: 4 * megabyte,
  compressedCacheBytesMax: 32 * megabyte,
  /** Pages of versions, a few of the largest. */
  versionPagesBytesMax: 16 * megabyte,
  /** scrypt takes 128 MB and half a second each. */
  passwordHashesAtOnce: 2,
  /** Queue of one tenant, and the number of full queues before tenants with less than their share are favoured. */
  passwordHashesWaitingMax: 32,
  passwordHashesFullQueuesMax: 8,
  shareAttemptsPerMinute: 10,
  /** Rate of each share and network: hundreds of people behind one address may open a share at once. */
  shareExchangesPerMinute: 300,
  /** Rate of each network. A page of the reference takes about ten requests, a scrape of the metrics one. */
  anonymousRequestsPerMinute: 1200,
  ratedNetworksMax: 50_000,
  /** Time during which the result of a readiness check is reused: the check writes files. */
  readinessRememberedMs: 1 * second,
  uploadTtlDefaultMs: 15 * minute,
  /** Retention of an upload that never arrived, as failed; its id and key can be reused immediately. */
  expiredUploadRetentionMs: 24 * 60 * minute,
  importRedirectsMax: 3,
  importConnectTimeoutMs: 10 * second,
  importIdleTimeoutMs: 30 * second,
  /** A source that was waited for longer than the idle timeout, in sum, and sent less is given up. */
  importBytesPerSecondMin: 16 * kilobyte,
  /** A transfer that trickles ends; shorter than a pending document lives. */
  importDeadlineMs: 10 * minute,
  /** Number of addresses of one host, tried one after the other. */
  importAddressesMax: 4,
  /** Each holds a connection to its source and a file, for as long as the source takes. One tenant: half of what others leave. */
  importsAtOnceMax: 32,
  importsRetryAfterSeconds: 10,
  /** A commit that loses to another one is tried again this often before the caller is told. */
  commitAttemptsMax: 8,
  /**
   * Event streams of this process, and of them those of one token. One tenant holds at most half of what others leave, and
   * in it a share link half of what others leave.
   */
  eventStreamsMax: 1000,
  eventStreamsPerTokenMax: 32,
  /** A reader this many audit rows behind is told to read everything again. */
  eventReplayRowsMax: 1000,
  /** Audit rows in memory for one stream. */
  eventBatchRowsMax: 16,
  /** Changes that follow each other faster are looked for together. */
  eventPauseMs: 25,
  /** Interval at which a stream looks for news, and for the standing of its token, without a message of the bus. */
  eventPollMs: 2 * second,
  eventHeartbeatMs: 15 * second,
  /** A stream ends this long before its token does, so that its reader can come back with another one. */
  eventExpiryNoticeMs: 5 * second,
  eventStallMs: minute,
  eventStreamLifetimeMs: 60 * minute,
  /** Lifetime of a token of this server, from the moment it was issued. */
  tokenLifetimeSecondsMax: 90 * 24 * 60 * 60,
  /** Tolerance for clocks of token issuers. */
  clockToleranceSeconds: 60,
  /** Minimum size of RSA keys that verify tokens. */
  rsaModulusBitsMin: 2048,
  /** Bounds of JWKS URLs: after a failure, a URL is not fetched again for a while, whatever tokens arrive. */
  jwksBytesMax: megabyte,
  jwksTimeoutMs: 5 * second,
  jwksCooldownMs: 5 * second,
  shutdownGraceMs: 20 * second,
  /** `Retry-After` for requests that arrive while the server stops; another process may have taken over by then. */
  closingRetryAfterSeconds: 5,
} as const
