// Limits of requests and responses over HTTP: sizes and shapes of bodies, and the pace of clients.

const second = 1000
const minute = 60 * second
const kilobyte = 1024
const megabyte = 1024 * kilobyte

export const httpLimits = {
  /** Maximum size of a JSON body: enough for a request with the maximum number of changes and ops of usual size. */
  jsonBodyBytesMax: 16 * megabyte,
  /** Maximum size of a JSON body that does not change a document. */
  plainBodyBytesMax: megabyte,
  /** Maximum number of values and containers in a JSON body: parsing more blocks all other requests for too long. */
  jsonValuesMax: 1_000_000,
  /** Maximum size of all bodies together that are in memory while they arrive and are handled. */
  receivedBodyBytesMax: 512 * megabyte,
  bodiesRetryAfterSeconds: 5,
  /** Maximum body size of requests without a credential, because parsing blocks all other requests. */
  anonymousBodyBytesMax: 64 * kilobyte,
  /** Smaller responses are not compressed: they fit into one or two packets. */
  compressedBytesMin: 2 * kilobyte,
  jsonDepthMax: 100,
  /**
   * Maximum number of members of all objects in a body that have more members than any schema defines: copying them
   * costs time per name.
   */
  jsonWideMembersMax: 10_000,
  jsonWideObject: 100,
  /**
   * Maximum number of bytes of a refused body that are read and discarded, and the time for it: some clients read the
   * response only after they have sent the whole body.
   */
  droppedBodyBytesMax: 64 * megabyte,
  droppedBodyMs: minute,
  /**
   * Minimum rate at which a client must send a body and read a response; slow links of real clients are ten times
   * faster.
   */
  transferBytesPerSecondMin: kilobyte,
  /** Time for which a client may send or read nothing before the minimum rate applies again. */
  transferReserveMs: minute,
  /** Maximum number of pipelined requests of one connection that wait behind the current one. */
  waitingRequestsMax: 64,
  /**
   * Maximum number of unread response bytes in memory, over all connections; above it, the slowest connections are
   * closed.
   */
  unreadAnswerBytesMax: 256 * megabyte,
  unreadAnswerJudgedAfterMs: 5 * second,
  connectionCheckMs: second,
  /** Maximum number of file parts of a multipart body; and of other parts. */
  requestFilesMax: 64,
  /** Maximum length of the name of a part, such as `resource:<key>`. */
  partNameBytesMax: 300,
  /** Maximum length of a path parameter: a field name in token text, or the `@token` of a versioned read. */
  pathParameterCharactersMax: 4096,
} as const
