// Conformance suite of message buses.
import { setImmediate } from 'node:timers/promises'
import type { Bus } from '../bus.js'
import type { Tester } from './tester.js'

export type OpenBus = () => Promise<Bus>

export async function busConformance(t: Tester, open: OpenBus): Promise<void> {
  const rule = (title: string, check: (t: Tester, bus: Bus) => Promise<void>) =>
    t.test(title, async (t) => {
      const bus = await open()
      try {
        await check(t, bus)
      } finally {
        await bus.close()
      }
    })

  const woken = (bus: Bus, topic: string) => new Promise<void>((resolve) => bus.subscribe(topic, resolve))

  await rule('all listeners of a topic are called', async (t, bus) => {
    const all = [woken(bus, 'a'), woken(bus, 'a'), woken(bus, 'a')]
    bus.publish('a')
    t.equal((await Promise.all(all)).length, 3)
  })

  await rule('publishing does not wait for listeners, and returns before they run', async (t, bus) => {
    const order: string[] = []
    const heard = new Promise<void>((resolve) => {
      bus.subscribe('a', () => {
        order.push('heard')
        resolve()
      })
    })
    bus.publish('a')
    order.push('published')
    await heard
    t.same(order, ['published', 'heard'])
  })

  await rule('listeners of other topics are not called', async (t, bus) => {
    let wrong = 0
    bus.subscribe('b', () => {
      wrong += 1
    })
    const right = woken(bus, 'a')
    bus.publish('a')
    await right
    await setImmediate()
    t.equal(wrong, 0)
  })

  await rule('an ended subscription is not called any more, and others are', async (t, bus) => {
    const calls = { first: 0, second: 0 }
    const listener = () => {
      calls.first += 1
    }
    const end = bus.subscribe('a', listener)
    bus.subscribe('a', () => {
      calls.second += 1
    })
    bus.publish('a')
    end()
    end()
    const heard = woken(bus, 'a')
    bus.publish('a')
    await heard
    await setImmediate()
    t.equal(calls.first, 0)
    t.equal(calls.second, 2)
  })

  await rule('after closing no listener is called', async (t, bus) => {
    let calls = 0
    bus.subscribe('a', () => {
      calls += 1
    })
    bus.publish('a')
    await bus.close()
    await setImmediate()
    t.equal(calls, 0)
  })
}

/** Two connections to the same bus, as two processes have them. */
export async function sharedBusConformance(t: Tester, open: OpenBus): Promise<void> {
  const rule = (title: string, check: (t: Tester, one: Bus, other: Bus) => Promise<void>) =>
    t.test(title, async (t) => {
      const [one, other] = [await open(), await open()]
      try {
        await check(t, one, other)
      } finally {
        await Promise.all([one.close(), other.close()])
      }
    })
  const woken = (bus: Bus, topic: string) => new Promise<void>((resolve) => bus.subscribe(topic, resolve))

  await rule('listeners of all processes are called', async (t, one, other) => {
    const heard = [woken(one, 'a'), woken(other, 'a')]
    one.publish('a')
    t.equal((await Promise.all(heard)).length, 2)
  })

  await rule('listeners of other topics are not called in other processes', async (t, one, other) => {
    let wrong = 0
    other.subscribe('b', () => {
      wrong += 1
    })
    const right = woken(other, 'a')
    one.publish('a')
    await right
    t.equal(wrong, 0)
  })

  await rule('an ended subscription is not called by another process', async (t, one, other) => {
    let calls = 0
    const end = other.subscribe('a', () => {
      calls += 1
    })
    end()
    const heard = woken(other, 'a')
    one.publish('a')
    await heard
    t.equal(calls, 0)
  })

  await rule('every topic of a burst arrives', async (t, one, other) => {
    const topics = Array.from({ length: 2000 }, (_, index) => `topic-${index}`)
    const heard = topics.map((topic) => woken(other, topic))
    for (const topic of topics) one.publish(topic)
    t.equal((await Promise.all(heard)).length, topics.length)
  })

  await rule('an announcement reaches the other processes as it is, and not its own', async (t, one, other) => {
    let own = 0
    one.onAnnouncement('a', () => {
      own += 1
    })
    const heard = new Promise<string>((resolve) => other.onAnnouncement('a', resolve))
    other.onAnnouncement('b', () => t.fail('the topic is another one'))
    const text = JSON.stringify({ name: 'Ada "Ä" 中' })
    // The other process may not listen yet.
    const again = setInterval(() => one.announce('a', text), 20)
    t.equal(await heard, text)
    clearInterval(again)
    t.equal(own, 0)
  })

  await rule('a subscription to announcements ends', async (t, one, other) => {
    const end = other.onAnnouncement('a', () => t.fail('it has ended'))
    end()
    const heard = new Promise<string>((resolve) => other.onAnnouncement('a', resolve))
    const again = setInterval(() => one.announce('a', 'text'), 20)
    t.equal(await heard, 'text')
    clearInterval(again)
  })
}
