// Port of leases, which queue the writers of a document. Correctness of writes comes from the `expect` of a commit, so
// that a holder that lost its lease, or a process that reaches no other one, can overwrite nothing.
//
// The leases in use, and what holds without each of them:
// - `document:*` is advice. Changes, signatures, uploads, repairs and expiries commit under expectations, and every
//   attempt writes its blobs under names of its own, so two holders at once cost repeated work only. A sweep waits for
//   the lease so that late blobs are rare; those that are written anyway are collected as orphans.
// - `import:*` is advice: it saves a second transfer.
// - `webhooks:*` is advice: without it a tenant may get a few webhooks more than the limit.
// - `contended-rows` is advice: it serialises retries after a conflict.
// - `sweep:*`, `withhold:*`, `housekeeping:*` are advice: background work that is idempotent runs once.
// - `removals` is more: a backup is complete only if no blob that its rows name is removed meanwhile. It is held
//   exclusively (see `removals.ts`): without it neither backups nor removals run. A removal whose lease is lost is
//   harmless, because no row that a later backup reads names its blobs; a backup whose lease is lost fails.
import { Refusal } from '../refusals/refusal.js'

export interface Leases {
  /**
   * Runs `work` while holding the lease; callers of one process are served in order. If other processes cannot be
   * reached, the lease is held within this process only. Rejects with the signal's reason if it is aborted while
   * waiting.
   */
  hold<T>(name: string, work: (lease: Lease) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Like `hold`, but throws `LeaseUnavailable` instead of running `work` if other processes cannot be reached. */
  holdExclusively<T>(name: string, work: (lease: Lease) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Like `hold`, but returns undefined at once if the lease is held, by whomever. */
  tryHold<T>(name: string, work: (lease: Lease) => Promise<T>): Promise<{ readonly result: T } | undefined>
  /** False while other processes cannot be reached, so that leases are held within this process only. */
  readonly isShared: boolean
  /** Number of callers of this process that wait. */
  readonly waiting: number
  probe(): Promise<void>
  close(): Promise<void>
}

export interface Lease {
  /**
   * Signal that is aborted when the lease was lost; another process may then continue. Reading it compares the clock
   * too, so that it is right after a pause of the whole process.
   */
  readonly signal: AbortSignal
}

export class LeaseUnavailable extends Refusal {
  constructor(message = 'The servers cannot coordinate this request at the moment') {
    super('RuntimeUnavailable', message, { retryAfterSeconds: 2 })
    this.name = 'LeaseUnavailable'
  }
}
