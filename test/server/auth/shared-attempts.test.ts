// Rate limits that processes share through Redis.
import t from 'tap'
import { systemClock } from '../../../core/ports/clock.js'
import { ratesOf } from '../../../server/auth/rates.js'
import { RedisConnection } from '../../../server/storage/redis/redis-connection.js'
import { needsRedis, startRedis } from '../../support/engines/redis.js'

t.test('processes share one limit, and each keeps it alone while Redis is lost', needsRedis(), async (t) => {
  const redis = await startRedis(t)
  const bounds = { anonymousRequests: 4, shareExchanges: 4, shareGuesses: 4, documentGuesses: 4 }
  const open = async () => {
    const connection = await RedisConnection.open(redis.address)
    t.teardown(() => connection.close())
    const { shareGuesses } = await ratesOf(bounds, systemClock, connection)
    return { connection, shareGuesses }
  }
  const [one, other] = [await open(), await open()]
  for (const { shareGuesses } of [one, other, one, other]) await shareGuesses.count('secret-share-token')
  const refusal = { code: 'TooManyRequests' }
  await t.rejects(one.shareGuesses.count('secret-share-token'), refusal)
  await t.rejects(other.shareGuesses.count('secret-share-token'), refusal)
  await one.shareGuesses.count('b')
  await one.shareGuesses.reset('b')
  const keys = await redis.admin.keys('*')
  t.ok(keys.length > 0)
  t.notMatch(keys.join(' '), 'secret-share-token')
  await redis.stop()
  for (let count = 0; count < 4; count++) await one.shareGuesses.count('c')
  await t.rejects(one.shareGuesses.count('c'), refusal, 'never unlimited')
})
