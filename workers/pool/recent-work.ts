// Recent activity in the pool: whether more than one party had tasks, and how long the jobs of each took. It determines
// where a task runs, never whether it does.
import { LRUCache } from 'lru-cache'
import { limits } from '../limits.js'
import { type Account, accountText } from '../messages/account.js'

/** Growth factor of an estimate that all tasks exceed; a task that takes less lowers it at once. */
const growth = 1.2
/** Levels of an account that are distinguished: tenant, and token or share. */
const levels = 2

export class RecentWork {
  readonly #lastAtMs = new Map<string, number>()
  readonly #expectedMs = new LRUCache<string, number>({ max: limits.debtorsMax })

  noteTask(account: Account, nowMs: number): void {
    this.#lastAtMs.set(accountText(account, levels), nowMs)
  }

  /** True if more than one tenant, token or share had tasks recently. */
  isShared(nowMs: number): boolean {
    if (this.#lastAtMs.size < 2) return false
    for (const [name, atMs] of this.#lastAtMs) {
      if (nowMs - atMs > limits.sharedForMs) this.#lastAtMs.delete(name)
    }
    return this.#lastAtMs.size > 1
  }

  /**
   * Returns approximately the shortest duration of recent tasks of this kind, because other load can only lengthen
   * them; 0 = no task yet.
   */
  expectedMs(account: Account, job: string): number {
    return this.#expectedMs.get(keyOf(account, job)) ?? 0
  }

  recordDuration(account: Account, job: string, elapsedMs: number): void {
    const key = keyOf(account, job)
    const before = this.#expectedMs.get(key) ?? elapsedMs
    this.#expectedMs.set(key, Math.min(elapsedMs, before * growth))
  }
}

const keyOf = (account: Account, job: string): string => `${job} ${accountText(account, levels)}`
