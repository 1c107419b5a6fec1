// A process that holds a lease until it is lost, for tests that kill or stop it: prints `held`, then `lost`.
import { RedisConnection } from '../../../../server/storage/redis/redis-connection.js'
import { RedisLeases } from '../../../../server/storage/redis/redis-leases.js'

const [, , address = '', name = ''] = process.argv
const leases = new RedisLeases(await RedisConnection.open(address))
await leases.hold(name, async (lease) => {
  console.log('held')
  while (!lease.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 50))
  console.log('lost')
})
process.exit(0)
