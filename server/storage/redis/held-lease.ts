// A lease that this process holds in Redis: it is renewed until it is released, and is lost when it could not be renewed
// in time by the clock of this process.
import { randomUUID } from 'node:crypto'
import { limits } from '../../limits.js'
import { type Lease, LeaseUnavailable } from '../leases.js'
import type { RedisConnection } from './redis-connection.js'

/** Takes a free lease: -1, or the milliseconds until the lease expires, after noting that somebody waits. */
const take = `
if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  if redis.call('get', KEYS[2]) == ARGV[3] then redis.call('del', KEYS[2]) end
  return -1
end
if ARGV[4] ~= '0' then redis.call('set', KEYS[2], ARGV[3], 'PX', ARGV[4]) end
local left = redis.call('pttl', KEYS[1])
if left >= 0 then return left end
-- A key without an end was not written by a server.
redis.call('pexpire', KEYS[1], ARGV[2])
return tonumber(ARGV[2])`

const renew = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('pexpire', KEYS[1], ARGV[2])`

/** Releases the lease and wakes those that wait: 1 if there are any. */
const release = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('del', KEYS[1])
if redis.call('exists', KEYS[2]) == 0 then return 0 end
redis.call('publish', ARGV[2], ARGV[3])
return 1`

export const leaseChannel = ({ database }: RedisConnection): string => `steward:${database}:leases`

const keysOf = (name: string): [string, string] => [`steward:lease:{${name}}`, `steward:lease:{${name}}:waiting`]

export interface TakeOptions {
  /** True if the caller asks again when the lease is not free. */
  readonly isWaiting: boolean
}

export class HeldLease implements Lease {
  private readonly controller = new AbortController()
  private readonly timer: NodeJS.Timeout
  private isRenewing = false

  private constructor(
    private readonly connection: RedisConnection,
    private readonly name: string,
    private readonly token: string,
    /** Time of the last successful renewal, before it was sent. */
    private renewedAt: number,
  ) {
    this.timer = setInterval(() => void this.renew(), limits.leaseTtlMs / 3).unref()
  }

  /** Returns the lease; or the milliseconds until it expires, if it is held elsewhere. Throws `RedisLost`. */
  static async take(
    connection: RedisConnection,
    name: string,
    { isWaiting }: TakeOptions,
  ): Promise<HeldLease | number> {
    const token = randomUUID()
    const sentAt = performance.now()
    const waitsMs = isWaiting ? limits.leaseWaitingMs : 0
    const left = await connection.commands.run(
      (client) => client.eval(take, 2, ...keysOf(name), token, limits.leaseTtlMs, connection.id, waitsMs),
      // Nobody waits for this answer any more.
      (late) => void (Number(late) < 0 && new HeldLease(connection, name, token, sentAt).release()),
    )
    return Number(left) < 0 ? new HeldLease(connection, name, token, sentAt) : Number(left)
  }

  get signal(): AbortSignal {
    if (performance.now() - this.renewedAt >= limits.leaseTtlMs) this.lose()
    return this.controller.signal
  }

  /** Releases the lease; resolves with true if other processes wait for it. Never rejects. */
  async release(): Promise<boolean> {
    clearInterval(this.timer)
    if (this.controller.signal.aborted) return false
    const { commands } = this.connection
    try {
      const others = await commands.run((client) =>
        client.eval(release, 2, ...keysOf(this.name), this.token, leaseChannel(this.connection), this.name),
      )
      return Number(others) === 1
    } catch {
      return false // It expires by itself.
    }
  }

  private async renew(): Promise<void> {
    if (this.isRenewing || this.signal.aborted) return
    this.isRenewing = true
    const sentAt = performance.now()
    try {
      const isOurs = await this.connection.commands.run((client) =>
        client.eval(renew, 1, keysOf(this.name)[0], this.token, limits.leaseTtlMs),
      )
      if (Number(isOurs) === 1) this.renewedAt = sentAt
      else this.lose()
    } catch {
      // Tried again until the lease has expired.
    } finally {
      this.isRenewing = false
    }
  }

  private lose(): void {
    clearInterval(this.timer)
    if (this.controller.signal.aborted) return
    this.connection.onEvent('lease-lost')
    this.controller.abort(new LeaseUnavailable('The lease was lost'))
  }
}
