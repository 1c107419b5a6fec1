// Conformance suite of leases.
import { setImmediate } from 'node:timers/promises'
import type { Leases } from '../leases.js'
import type { Tester } from './tester.js'

export type OpenLeases = () => Promise<Leases>

export async function leasesConformance(t: Tester, open: OpenLeases): Promise<void> {
  const rule = (title: string, check: (t: Tester, leases: Leases) => Promise<void>) =>
    t.test(title, async (t) => {
      const leases = await open()
      try {
        await check(t, leases)
      } finally {
        await leases.close()
      }
    })

  await rule('a lease has one holder at a time, in the order of requests', async (t, leases) => {
    const order: number[] = []
    let holders = 0
    const all = [1, 2, 3, 4].map((number) =>
      leases.hold('document', async () => {
        holders += 1
        t.equal(holders, 1)
        await setImmediate()
        order.push(number)
        holders -= 1
      }),
    )
    await Promise.all(all)
    t.same(order, [1, 2, 3, 4])
  })

  await rule('leases of other names do not wait', async (t, leases) => {
    const found = await leases.hold('a', () => leases.hold('b', async () => 'both'))
    t.equal(found, 'both')
  })

  await rule('work that fails releases the lease and rejects with its error', async (t, leases) => {
    const failing = leases.hold('a', async () => {
      throw new Error('no')
    })
    await t.rejects(failing, { message: 'no' })
    const throwing = leases.hold('a', () => {
      throw new Error('at once')
    })
    await t.rejects(throwing, { message: 'at once' })
    t.equal(await leases.hold('a', async () => 1), 1)
  })

  await rule('a waiting caller can abort, and those after it move up', async (t, leases) => {
    const { promise: current, resolve: release } = gate()
    const first = leases.hold('a', () => current)
    const impatient = new AbortController()
    const second = leases.hold('a', async () => t.ok(false, 'it never starts'), impatient.signal)
    const third = leases.hold('a', async () => 'third')
    impatient.abort(new Error('gave up'))
    await t.rejects(second, { message: 'gave up' })
    release()
    await first
    t.equal(await third, 'third')
  })

  await rule('a call with an aborted signal is refused at once', async (t, leases) => {
    await t.rejects(
      leases.hold('a', async () => 1, AbortSignal.abort(new Error('gone'))),
      { message: 'gone' },
    )
    t.equal(await leases.hold('a', async () => 2), 2)
  })

  await rule('a signal that is aborted after the start does not affect the work', async (t, leases) => {
    const client = new AbortController()
    const found = leases.hold(
      'a',
      async () => {
        client.abort()
        await setImmediate()
        return 'done'
      },
      client.signal,
    )
    t.equal(await found, 'done')
  })

  await rule('closing waits for holders and refuses the others', async (t, leases) => {
    const { promise: current, resolve: release } = gate()
    const { promise: started, resolve: start } = gate()
    let isDone = false
    const first = leases.hold('a', async () => {
      start()
      await current
      isDone = true
    })
    await started
    const waiting = leases.hold('a', async () => t.ok(false, 'it never starts'))
    const refused = t.rejects(waiting)
    await setImmediate()
    const closing = leases.close()
    await refused
    t.equal(isDone, false)
    release()
    await closing
    t.equal(isDone, true)
    await first
    await t.rejects(leases.hold('a', async () => 1))
    await t.rejects(leases.probe())
  })

  await rule('an attempt to take a lease runs if it is free, and returns at once if it is held', async (t, leases) => {
    t.same(await leases.tryHold('a', async () => 1), { result: 1 })
    const found = await leases.hold('a', () => leases.tryHold('a', async () => t.ok(false, 'it never starts')))
    t.equal(found, undefined)
    t.same(await leases.tryHold('a', async () => 2), { result: 2 }, 'a lease that was refused is not left behind')
    await t.rejects(
      leases.tryHold('a', async () => {
        throw new Error('no')
      }),
      { message: 'no' },
    )
    t.equal(await leases.hold('a', async () => 3), 3)
  })

  await rule('an exclusive holder excludes the others, and they it', async (t, leases) => {
    const order: string[] = []
    const { promise: current, resolve: release } = gate()
    const first = leases.holdExclusively('a', async ({ signal }) => {
      await current
      t.equal(signal.aborted, false)
      order.push('exclusive')
    })
    const second = leases.hold('a', async () => void order.push('advice'))
    const third = leases.holdExclusively('a', async () => void order.push('exclusive'))
    release()
    await Promise.all([first, second, third])
    t.same(order, ['exclusive', 'advice', 'exclusive'])
  })

  await rule('callers that wait are counted', async (t, leases) => {
    const { promise: current, resolve: release } = gate()
    const all = [1, 2, 3].map(() => leases.hold('a', () => current))
    await setImmediate()
    t.ok(leases.waiting >= 2)
    release()
    await Promise.all(all)
    t.equal(leases.waiting, 0)
  })

  await rule('a probe of working leases succeeds', async (t, leases) => {
    t.equal(await leases.probe(), undefined)
  })
}

function gate() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

/** Two connections to the same leases, as two processes have them. */
export async function sharedLeasesConformance(t: Tester, open: OpenLeases): Promise<void> {
  const rule = (title: string, check: (t: Tester, one: Leases, other: Leases) => Promise<void>) =>
    t.test(title, async (t) => {
      const [one, other] = [await open(), await open()]
      try {
        await check(t, one, other)
      } finally {
        await Promise.all([one.close(), other.close()])
      }
    })

  await rule('processes exclude each other, and each gets its turn', async (t, one, other) => {
    const order: string[] = []
    let holders = 0
    const calls = (leases: Leases, by: string) =>
      Array.from({ length: 10 }, () =>
        leases.hold('a', async () => {
          holders += 1
          t.equal(holders, 1)
          await setImmediate()
          order.push(by)
          holders -= 1
        }),
      )
    await Promise.all([...calls(one, 'one'), ...calls(other, 'other')])
    t.equal(order.length, 20)
    t.ok(order.indexOf('other') < 10 && order.indexOf('one') < 10, 'neither waits for all of the other')
  })

  await rule('leases of other names do not wait for another process', async (t, one, other) => {
    t.equal(await one.hold('a', () => other.hold('b', async () => 'both')), 'both')
  })

  await rule('a lease that another process holds is not taken by an attempt', async (t, one, other) => {
    t.equal(await one.hold('a', () => other.tryHold('a', async () => 1)), undefined)
    t.same(await other.hold('a', async () => 1), 1)
  })

  await rule('a caller that waits for another process can abort', async (t, one, other) => {
    const { promise: current, resolve: release } = gate()
    const { promise: started, resolve: start } = gate()
    const first = one.hold('a', () => {
      start()
      return current
    })
    await started
    const impatient = new AbortController()
    const second = other.hold('a', async () => t.ok(false, 'it never starts'), impatient.signal)
    await setImmediate()
    impatient.abort(new Error('gave up'))
    await t.rejects(second, { message: 'gave up' })
    release()
    await first
    t.equal(await other.hold('a', async () => 'next'), 'next')
  })

  await rule('closing releases for other processes, and refuses those that wait for them', async (t, one, other) => {
    const { promise: current, resolve: release } = gate()
    const { promise: started, resolve: start } = gate()
    const first = one.hold('a', () => {
      start()
      return current
    })
    await started
    const refused = t.rejects(other.hold('a', async () => t.ok(false, 'it never starts')))
    await setImmediate()
    await other.close()
    await refused
    release()
    await first
    await one.close()
  })
}
