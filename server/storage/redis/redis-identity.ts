// Identity of a Redis: an id in it, by which processes find that they coordinate through the same one.
import { limits } from '../../limits.js'
import type { RedisConnection } from './redis-connection.js'

const recordOnce = `
local id = redis.call('get', KEYS[1]) or ARGV[1]
redis.call('set', KEYS[1], id, 'PX', ARGV[2])
return id`

/** Returns the id, and records `suggested` where there is none. Throws `RedisLost`. */
export async function redisIdentity({ commands }: RedisConnection, suggested: string): Promise<string> {
  return String(
    await commands.run((client) => client.eval(recordOnce, 1, 'steward:identity', suggested, limits.redisIdentityMs)),
  )
}
