// Limits of what is stored because of requests, in bytes, numbers and milliseconds. Those that operators choose are settings.
const minute = 60 * 1000
const megabyte = 1024 * 1024

export const storageLimits = {
  /** Refused changes that are remembered for each layer and credential: a fraction of what the smallest change stores. */
  refusalsMax: 16,
  /** Bytes that a remembered refusal counts: two digests, a number and a code. */
  refusalBytes: 96,
  /** Time after the last refusal for which they are remembered; and the time that its end may lag behind. */
  refusalsKeptMs: 24 * 60 * minute,
  refusalsRenewedAfterMs: 60 * minute,
  /** Memory for the texts of refused changes, which no row has. */
  refusalTextBytesMax: 4 * megabyte,
  /** Length of a message, and of a text, number of items of a list, and bytes of all, in details of a refused change. */
  refusalMessageMax: 400,
  refusalTextMax: 120,
  refusalItemsMax: 16,
  refusalDetailsBytesMax: 1024,
  /**
   * Password sessions of the windows of one token; and of all visitors of one share, of whom each has one for the token and
   * one for the window. The oldest one ends for another.
   */
  sessionsOfTokenMax: 16,
  sessionsOfShareMax: 256,
  /** Bytes of the small rows of a change beside its audit row: response, pins and authors. */
  changeRowsBytes: 512,
  /** Bytes that a failed document counts for its tenant, and time for which its reason can be read. */
  failedDocumentBytes: 512,
  failedDocumentRetentionMs: 24 * 60 * minute,
  /** Bytes of the rows that lead to a share, beside its own. */
  shareRowsBytes: 512,
  /** Shares of one document, and revoked tokens of one tenant that the tenant's own tokens may add. */
  sharesOfDocumentMax: 10_000,
  revocationsOfTenantMax: 20_000,
  /** Time for which the stored bytes of a tenant are remembered, and number of tenants. */
  totalRememberedMs: 1000,
  totalsMax: 10_000,
} as const
