// The bus on Redis: the conformance suite, and what happens to messages while Redis is lost.
import t, { type Test } from 'tap'
import { limits } from '../../../server/limits.js'
import type { Bus } from '../../../server/storage/bus.js'
import { busConformance, sharedBusConformance } from '../../../server/storage/conformance/bus.js'
import { RedisBus } from '../../../server/storage/redis/redis-bus.js'
import { RedisConnection, type RedisEvent } from '../../../server/storage/redis/redis-connection.js'
import { needsRedis, startRedis } from '../../support/engines/redis.js'
import { eventually } from '../../support/eventually.js'

const needed = needsRedis()
if (needed.skip) t.test('a bus on Redis', needed, async () => {})
else await all()

async function all() {
  const redis = await startRedis(t)
  const { address, admin } = redis

  await t.test('conformance', (t) => busConformance(t, () => opened(address)))
  await t.test('conformance between processes', (t) => sharedBusConformance(t, () => opened(address)))

  await t.test('while Redis is down, listeners of the same process are called, and the others later', async (t) => {
    const [one, other] = [await open(t, address), await open(t, address)]
    await redis.stop()
    await eventually(() => one.events.includes('redis-lost') && other.events.includes('redis-bus-lost'))
    const here = woken(one.bus, 'a')
    one.bus.publish('a')
    await here
    const there = woken(other.bus, 'a')
    await redis.start()
    await there
  })

  await t.test('what was published while only the publisher was cut off arrives when it is back', async (t) => {
    const [one, other] = [await open(t, address), await open(t, address)]
    let calls = 0
    other.bus.subscribe('b', () => {
      calls += 1
    })
    one.connection.client.disconnect(true)
    await eventually(() => one.events.includes('redis-lost'))
    one.bus.publish('b')
    await eventually(() => calls > 0)
    t.notOk(other.events.includes('redis-bus-lost'), 'the other one was never cut off')
  })

  await t.test('a message that no process sends calls all listeners, and takes no time', async (t) => {
    const { bus, connection } = await open(t, address)
    let calls = 0
    bus.subscribe('anything', () => {
      calls += 1
    })
    const channel = `steward:${connection.database}:bus`
    for (let number = 0; number < 5; number++) await admin.publish(channel, '['.repeat(limits.busMessageBytesMax + 1))
    await eventually(() => calls > 0)
    await eventually(() => calls > 1)
    t.ok(calls <= 3, `${calls} calls for five messages`)
  })

  await t.test('a process that was cut off calls its listeners when it is back', async (t) => {
    const one = await open(t, address)
    const heard = woken(one.bus, 'anything')
    await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await heard
    t.ok(one.events.includes('redis-bus-lost'))
  })

  await t.test('publishing never throws or waits, however long Redis is gone and whatever is published', async (t) => {
    const [one, other] = [await open(t, address), await open(t, address)]
    await redis.stop()
    await eventually(() => one.events.includes('redis-lost') && other.events.includes('redis-bus-lost'))
    for (let index = 0; index <= limits.busUnsentTopicsMax + 10; index++) one.bus.publish(`topic-${index}`)
    await redis.start()
    await woken(other.bus, 'topic-3')
    t.pass('topics beyond the bound wake everybody')
  })

  await t.test('messages of other programs are ignored', async (t) => {
    const { bus } = await open(t, address)
    for (const message of ['', '{', '7', '{"a":1}', '[1,2]', '[]']) await admin.publish('steward:0:bus', message)
    const heard = woken(bus, 'a')
    await admin.publish('steward:0:bus', '["other","a"]')
    await heard
  })
}

async function opened(address: string): Promise<Bus> {
  const connection = await RedisConnection.open(address)
  const bus = new RedisBus(connection)
  const close = bus.close.bind(bus)
  bus.close = async () => {
    await close()
    connection.close()
  }
  await connection.commands.run((client) => client.ping())
  return bus
}

async function open(t: Test, address: string) {
  const events: RedisEvent[] = []
  const connection = await RedisConnection.open(address, (event) => events.push(event))
  const bus = new RedisBus(connection)
  t.teardown(async () => {
    await bus.close()
    connection.close()
  })
  return { bus, events, connection }
}

function woken(bus: Bus, topic: string): Promise<void> {
  return new Promise((resolve) => bus.subscribe(topic, resolve))
}
