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
    let isDone = false
    const first = leases.hold('a', async () => {
      await current
      isDone = true
    })
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
