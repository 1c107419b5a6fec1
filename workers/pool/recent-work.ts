// What the pool remembers of the recent past: whether more than one party has wanted anything, and how long the jobs of each
// took. Both decide where a task runs, never whether it does.
import { LRUCache } from 'lru-cache'
import { limits } from '../limits.js'
import { type Account, accountText } from '../messages/account.js'

/** How fast the estimate follows when all tasks take longer than it; when one takes less, it follows at once. */
const growth = 1.2
/** Tenant, and token or share. */
const levels = 2

export class RecentWork {
  readonly #lastAtMs = new Map<string, number>()
  readonly #expectedMs = new LRUCache<string, number>({ max: limits.debtorsMax })

  seen(account: Account, nowMs: number): void {
    this.#lastAtMs.set(accountText(account, levels), nowMs)
  }

  /** More than one tenant, token or share has had work lately. */
  isShared(nowMs: number): boolean {
    if (this.#lastAtMs.size < 2) return false
    for (const [name, atMs] of this.#lastAtMs) {
      if (nowMs - atMs > limits.sharedForMs) this.#lastAtMs.delete(name)
    }
    return this.#lastAtMs.size > 1
  }

  /**
   * About the least that one of the last tasks of this kind took, because others on the machine only ever add to that;
   * 0 = none yet.
   */
  expectedMs(account: Account, job: string): number {
    return this.#expectedMs.get(keyOf(account, job)) ?? 0
  }

  took(account: Account, job: string, elapsedMs: number): void {
    const key = keyOf(account, job)
    const before = this.#expectedMs.get(key) ?? elapsedMs
    this.#expectedMs.set(key, Math.min(elapsedMs, before * growth))
  }
}

const keyOf = (account: Account, job: string): string => `${job} ${accountText(account, levels)}`
