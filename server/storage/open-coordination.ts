// Opens what processes coordinate through, leases and bus: within this process, or through the Redis at an address.
import type { Bus } from './bus.js'
import type { Leases } from './leases.js'
import { MemoryBus } from './memory-bus.js'
import { MemoryLeases } from './memory-leases.js'
import type { OnRedisEvent, RedisConnection } from './redis/redis-connection.js'

export interface Coordination {
  readonly leases: Leases
  readonly bus: Bus
  /** Undefined = this process is alone. */
  readonly redis: RedisConnection | undefined
}

export interface OpenCoordinationOptions {
  readonly address: string | undefined
  readonly onEvent?: OnRedisEvent | undefined
}

export async function openCoordination({ address, onEvent }: OpenCoordinationOptions): Promise<Coordination> {
  if (address === undefined) return { leases: new MemoryLeases(), bus: new MemoryBus(), redis: undefined }
  const { RedisConnection } = await import('./redis/redis-connection.js')
  const { RedisLeases } = await import('./redis/redis-leases.js')
  const { RedisBus } = await import('./redis/redis-bus.js')
  const redis = await RedisConnection.open(address, onEvent)
  return { leases: new RedisLeases(redis), bus: new RedisBus(redis), redis }
}
