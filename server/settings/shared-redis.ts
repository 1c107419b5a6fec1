// Processes that share a store must coordinate through the same Redis; without Redis there may be one. Each records in the
// store what it coordinates through, and the one that came first stays.
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Problem } from '../../core/diagnostic.js'
import { limits } from '../limits.js'
import { isRunning, type ProcessRecord, type ProcessRecords } from '../storage/process-records.js'
import type { RedisConnection } from '../storage/redis/redis-connection.js'
import { redisIdentity } from '../storage/redis/redis-identity.js'
import { RedisLost } from '../storage/redis/watched-client.js'
import { serveProblem } from './problems.js'

export interface SharedRedisOptions {
  readonly records: ProcessRecords
  readonly redis: RedisConnection | undefined
  /** Called once if other processes turn out to coordinate elsewhere. */
  readonly onConflict: (problem: Problem) => void
}

/**
 * Joins the processes that run on the store. Waits a while for one that coordinates elsewhere, which may be about to end; throws
 * `serve.other-redis` if it stays. Returns a function that leaves.
 */
export async function joinProcesses({ records, redis, onConflict }: SharedRedisOptions): Promise<() => Promise<void>> {
  const process = new JoiningProcess(records, redis)
  while (await process.meetsOthers()) {
    const problem = process.problem()
    if (problem) {
      await process.leave()
      throw problem
    }
    await setTimeout(limits.processJoinStepMs)
  }
  let looking: Promise<unknown> | undefined
  const watch = async () => {
    if (looking !== undefined) return
    looking = process.meetsOthers().catch(() => process.forget())
    await looking
    looking = undefined
    const problem = process.problem()
    if (problem === undefined) return
    clearInterval(timer)
    onConflict(problem)
  }
  const timer = setInterval(() => void watch(), limits.processRecordMs).unref()
  return async () => {
    clearInterval(timer)
    await looking
    await process.leave()
  }
}

/** Coordination through a Redis that does not answer; followed by its identity where it does. */
const unknownRedis = 'redis'

class JoiningProcess {
  private readonly id = randomUUID()
  /** Identity of the Redis; suggested where it has none, such as after it lost its data. */
  private identity: string = randomUUID()
  /** `redis` while the identity is unknown. */
  private coordination: string
  private other: ProcessRecord | undefined
  private metAt = 0

  constructor(
    private readonly records: ProcessRecords,
    private readonly redis: RedisConnection | undefined,
  ) {
    this.coordination = redis ? unknownRedis : `alone ${this.id}`
  }

  /** Records this process. Returns true if one that came before it coordinates elsewhere. */
  async meetsOthers(): Promise<boolean> {
    if (this.redis) await this.identify(this.redis)
    const all = await this.records.record(this.id, this.coordination)
    const own = all.find(({ id }) => id === this.id)
    const other = all.find((one) => own && this.isElsewhere(one) && cameBefore(one, own))
    if (other && this.other === undefined) this.metAt = performance.now()
    this.other = other
    return other !== undefined
  }

  private async identify(redis: RedisConnection): Promise<void> {
    try {
      this.identity = await redisIdentity(redis, this.identity)
      this.coordination = `${unknownRedis} ${this.identity}`
    } catch (error) {
      if (!(error instanceof RedisLost)) throw error
      // Others may have gone on with another identity: one that was cut off must not end them.
      this.coordination = unknownRedis
    }
  }

  /** The store did not answer: what was seen before says nothing any more. */
  forget(): void {
    this.other = undefined
  }

  /** Returns the problem once the others have stayed for long enough: after a loss of Redis they agree within seconds. */
  problem(): Problem | undefined {
    if (this.other === undefined || performance.now() - this.metAt < limits.processJoinMs) return undefined
    return serveProblem('serve.other-redis', {
      detail: this.redis
        ? 'Another server on the database coordinates through another Redis, or through none.'
        : 'Another server runs on the database, and this one has no --redis.',
    })
  }

  /** A record that cannot be removed expires. */
  leave(): Promise<void> {
    return this.records.remove(this.id).catch(() => {})
  }

  private isElsewhere(record: ProcessRecord): boolean {
    const { coordination } = this
    const isUnknown = [coordination, record.coordination].includes(unknownRedis)
    const mayBeSame = isUnknown && [coordination, record.coordination].every((one) => one.startsWith(unknownRedis))
    return record.coordination !== coordination && !mayBeSame && isRunning(record)
  }
}

function cameBefore(one: ProcessRecord, other: ProcessRecord): boolean {
  if (one.joinedAtMs !== other.joinedAtMs) return one.joinedAtMs < other.joinedAtMs
  return one.id < other.id
}
