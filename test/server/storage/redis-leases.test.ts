// Leases on Redis: the conformance suite, and what happens when holders die or stall, and when Redis is lost.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { limits } from '../../../server/limits.js'
import { leasesConformance, sharedLeasesConformance } from '../../../server/storage/conformance/leases.js'
import type { Lease, Leases } from '../../../server/storage/leases.js'
import { RedisConnection, type RedisEvent } from '../../../server/storage/redis/redis-connection.js'
import { RedisLeases } from '../../../server/storage/redis/redis-leases.js'
import { childProgram } from '../../support/child-process.js'
import { delayingProxy } from '../../support/engines/delaying-proxy.js'
import { needsRedis, startRedis } from '../../support/engines/redis.js'
import { eventually } from '../../support/eventually.js'

const needed = needsRedis()
if (needed.skip) t.test('leases on Redis', needed, async () => {})
else await all()

async function all() {
  const redis = await startRedis(t)
  const { address, admin } = redis

  await t.test('conformance', (t) => leasesConformance(t, () => opened(address)))
  await t.test('conformance between processes', (t) => sharedLeasesConformance(t, () => opened(address)))

  await t.test('thousands of names at once are all served, and none is left in Redis', async (t) => {
    const [one, other] = [await open(t, address), await open(t, address)]
    let served = 0
    const calls = Array.from({ length: 3000 }, (_, index) =>
      (index % 2 === 0 ? one : other).leases.hold(`name-${index % 1500}`, async () => {
        served += 1
      }),
    )
    await Promise.all(calls)
    t.equal(served, 3000)
    await Promise.all([one.leases.close(), other.leases.close()])
    // The note of a waiting process expires by itself.
    await eventually(async () => (await admin.keys('steward:lease:*:waiting')).length === 0)
    await t.resolves(
      eventually(async () => (await admin.keys('steward:lease:*')).length === 0),
      'nothing is left of them',
    )
  })

  await t.test('a key without an end is waited for, and gets one', async (t) => {
    const { leases } = await open(t, address)
    await admin.set('steward:lease:{endless}', 'somebody')
    const startedAt = performance.now()
    await leases.hold('endless', async () => {})
    t.ok(performance.now() - startedAt > limits.leaseTtlMs / 2, 'the lease was not taken at once')
  })

  await t.test('a killed holder frees its lease after its lifetime', async (t) => {
    const child = await holdingChild(t, address, 'killed')
    child.process.kill('SIGKILL')
    const { leases } = await open(t, address)
    t.equal(await leases.tryHold('killed', async () => 1), undefined, 'at first it is still held')
    t.equal(await leases.hold('killed', async () => 'next'), 'next')
  })

  await t.test('a holder that stalls for longer than the lifetime finds its lease lost when it wakes up', async (t) => {
    const child = await holdingChild(t, address, 'stalled')
    child.process.kill('SIGSTOP')
    const { leases } = await open(t, address)
    await leases.hold('stalled', async (lease) => {
      child.process.kill('SIGCONT')
      t.equal(await child.line(), 'lost')
      t.equal(lease.signal.aborted, false, 'the next holder keeps it')
    })
    t.equal(await leases.hold('stalled', async () => 'again'), 'again')
  })

  await t.test('after FLUSHALL two processes may hold a lease, and the first one learns that it lost it', async (t) => {
    const [one, other] = [await open(t, address), await open(t, address)]
    await one.leases.hold('flushed', async (lease) => {
      await admin.flushall()
      t.same(await other.leases.tryHold('flushed', async () => 'second'), { result: 'second' })
      await aborted(lease)
      t.ok(one.events.includes('lease-lost'))
    })
    await t.rejects(
      one.leases.holdExclusively('flushed', async (lease) => {
        await admin.flushall()
        await aborted(lease)
        lease.signal.throwIfAborted()
      }),
      { code: 'RuntimeUnavailable' },
    )
  })

  await t.test('while Redis is down, leases hold within the process, and exclusive ones are refused', async (t) => {
    const one = await open(t, address)
    await one.leases.hold('kept', async (lease) => {
      await redis.stop()
      await eventually(() => !one.leases.isShared)
      const order: number[] = []
      await Promise.all([1, 2, 3].map((number) => one.leases.hold('a', async () => void order.push(number))))
      t.same(order, [1, 2, 3])
      t.ok(one.events.includes('redis-lost') && one.events.includes('lease-unshared'))
      await t.rejects(
        one.leases.holdExclusively('a', async () => t.fail('it never starts')),
        { code: 'RuntimeUnavailable', retryAfterSeconds: 2 },
      )
      await one.leases.probe()
      await aborted(lease)
    })
    await redis.start()
    await eventually(() => one.leases.isShared)
    t.equal(await one.leases.holdExclusively('a', async () => 'again'), 'again')
    const other = await open(t, address)
    t.equal(await one.leases.hold('a', () => other.leases.tryHold('a', async () => 1)), undefined, 'it is shared again')
  })

  await t.test('a Redis that hangs delays a caller once, and is used again when it answers', async (t) => {
    const one = await open(t, address)
    await admin.client('PAUSE', limits.redisTimeoutMs * 3, 'ALL')
    t.equal(await one.leases.hold('a', async () => 'without'), 'without')
    t.equal(one.leases.isShared, false)
    t.equal(await one.leases.hold('a', async () => 'without'), 'without')
    await eventually(() => one.leases.isShared)
    const other = await open(t, address)
    t.equal(await one.leases.hold('a', () => other.leases.tryHold('a', async () => 1)), undefined)
  })

  await t.test('behind a slow connection leases are slow and exclusive', async (t) => {
    const proxy = await delayingProxy(t, redis.port, 60)
    const [near, far] = [await open(t, address), await open(t, proxy.address)]
    let holders = 0
    const calls = [near, far, near, far, near, far].map(({ leases }) =>
      leases.hold('slow', async () => {
        holders += 1
        t.equal(holders, 1)
        await new Promise(setImmediate)
        holders -= 1
      }),
    )
    await Promise.all(calls)
  })

  await t.test('an answer that comes too late leaves no lease behind', async (t) => {
    const proxy = await delayingProxy(t, redis.port, 0)
    const { leases } = await open(t, proxy.address)
    proxy.delayMs = limits.redisTimeoutMs + 300
    t.equal(await leases.hold('late', async () => 'without'), 'without')
    proxy.delayMs = 0
    await eventually(async () => (await admin.exists('steward:lease:{late}')) === 0)
  })

  await t.test('a wrong password is not in any message', async (t) => {
    const events: string[] = []
    const secret = 'pa55-of-redis'
    const withPassword = await startRedis(t, ['--user', 'steward', 'on', '>other', '~*', '&*', '+@all'])
    const connection = await RedisConnection.open(
      `redis://steward:${secret}@127.0.0.1:${withPassword.port}`,
      (event, detail) => events.push(`${event} ${detail}`),
    )
    t.teardown(() => connection.close())
    t.match(events.join('\n'), /redis-lost.*WRONGPASS/)
    t.notMatch(events.join('\n'), secret)
    await t.rejects(RedisConnection.open(`redis://:${secret}%zz@:bad`), { message: /not a valid URL/ })
  })

  await t.test('the documented rights suffice', async (t) => {
    const rights = ['~steward:*', '&steward:*', '+ping', '+info', '+eval', '+subscribe', '+publish', '+select']
    const commands = [
      '+set',
      '+get',
      '+del',
      '+exists',
      '+pttl',
      '+pexpire',
      '+evalsha',
      '+incrby',
      '+expire',
      '+hello',
    ]
    const least = await startRedis(t, ['--user', 'steward', 'on', '>right', ...rights, ...commands])
    const [one, other] = [0, 1].map(() => open(t, `redis://steward:right@127.0.0.1:${least.port}`))
    const [first, second] = [await one, await other]
    t.equal(await first?.leases.holdExclusively('a', async () => second?.leases.tryHold('a', async () => 1)), undefined)
    const calls = [first, second, first, second].map((process) => process?.leases.holdExclusively('b', async () => 1))
    t.same(await Promise.all(calls), [1, 1, 1, 1])
    t.same(new Set(first?.events), new Set(['redis-up', 'redis-bus-up']))
  })
}

async function opened(address: string): Promise<Leases> {
  const connection = await RedisConnection.open(address)
  const leases = new RedisLeases(connection)
  const close = leases.close.bind(leases)
  leases.close = async () => {
    await close()
    connection.close()
  }
  return leases
}

async function open(t: Test, address: string) {
  const events: RedisEvent[] = []
  const connection = await RedisConnection.open(address, (event) => events.push(event))
  const leases = new RedisLeases(connection)
  t.teardown(async () => {
    await leases.close()
    connection.close()
  })
  return { leases, events }
}

/** A process that holds a lease until it loses it. */
async function holdingChild(t: Test, address: string, name: string) {
  const program = childProgram(new URL('support/lease-holder.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [...program, address, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  if (child.stdout === null) throw new Error('No output')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => (await lines.next()).value
  t.equal(await line(), 'held')
  return { process: child, line, exited: once(child, 'exit') }
}

async function aborted(lease: Lease): Promise<void> {
  await eventually(() => lease.signal.aborted)
}
