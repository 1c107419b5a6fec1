// Limits of webhooks: how many there are, how often and how long a delivery is tried, how much an endpoint may answer.

const second = 1000
const minute = 60 * second
const hour = 60 * minute

export const webhookLimits = {
  perTenantMax: 16,
  urlCharactersMax: 2048,
  /** Number of waiting deliveries of a webhook above which further events are not recorded for it, nor sent again. */
  waitingMax: 10_000,
  /** Deliveries that one process sends at once, in all and to one webhook. */
  atOnceMax: 32,
  perWebhookAtOnceMax: 4,
  connectTimeoutMs: 5 * second,
  /** Maximum duration of one attempt; shorter than a claim, so that a claim needs no renewal. */
  attemptMs: 15 * second,
  claimMs: 30 * second,
  /** An endpoint's answer is read up to here; what follows is not received. */
  answerBytesMax: 16 * 1024,
  /** Interval at which each process searches for due deliveries, if no bus message arrives. */
  pollMs: 2 * second,
  /** Delay before the second attempt; each later one is three times as long, up to the maximum. */
  retryMinMs: 5 * second,
  retryMaxMs: 4 * hour,
  /** Time after which a delivery is given up, and after which an endpoint without a success pauses its webhook. */
  giveUpMs: 72 * hour,
  /** Retention of deliveries that are over, and their number for one webhook. */
  logRetentionMs: 72 * hour,
  loggedMax: 1000,
  /** Number of deliveries of a webhook that a process ends between two cleanings of its log. */
  loggedBetweenCleanings: 100,
  /** Interval at which waiting deliveries are counted, and those of paused webhooks given up. */
  careIntervalMs: minute,
  /** Deliveries that one transaction removes or gives up. */
  rowsAtOnce: 50,
  /** Time for which the secret before a rotation signs too: default and maximum. */
  overlapSecondsDefault: 24 * 60 * 60,
  overlapSecondsMax: 7 * 24 * 60 * 60,
  secretBytes: 32,
} as const
