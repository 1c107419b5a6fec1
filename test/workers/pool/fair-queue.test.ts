// Order in which the fair queue hands out tasks, with a simulated clock and tasks of given duration.
import t from 'tap'
import type { Account } from '../../../workers/messages/account.js'
import { FairQueue, type FairQueueBounds } from '../../../workers/pool/fair-queue.js'

interface Task {
  readonly name: string
  readonly ms: number
}

const account = (...names: readonly (string | [name: string, weight: number])[]): Account =>
  names.map((party) => {
    const [name, weight] = typeof party === 'string' ? [party, 1] : party
    return { name, weight }
  })

const bounds: FairQueueBounds = { tenantQueuedMax: 1000, queuedMax: 8000, allowance: 1, tenantInFlightMax: 2 }

/** Simulates threads that run tasks of a queue, each for its given duration. */
class Simulation {
  readonly order: string[] = []
  readonly usedMs = new Map<string, number>()
  readonly queue: FairQueue<Task>
  nowMs = 0
  readonly #running: { readonly task: Task; readonly endsAtMs: number }[] = []

  constructor(
    readonly threads = 1,
    more: Partial<FairQueueBounds> = {},
  ) {
    this.queue = new FairQueue({ ...bounds, allowance: threads, tenantInFlightMax: threads + 1, ...more })
  }

  get running(): readonly string[] {
    return this.#running.map(({ task }) => task.name)
  }

  add(name: string, ms: number, of: Account, times = 1): boolean {
    return Array.from({ length: times }, () => this.queue.add({ name, ms }, of, this.nowMs)).every(Boolean)
  }

  begin(): void {
    while (this.#running.length < this.threads) {
      const taken = this.queue.take(this.nowMs, () => true)
      if (taken === undefined) return
      this.#running.push({ task: taken.task, endsAtMs: this.nowMs + taken.task.ms })
    }
  }

  /** Runs until this number of tasks has ended. */
  run(tasks: number): void {
    for (let ended = 0; ended < tasks; ended++) {
      this.begin()
      this.#running.sort((a, b) => a.endsAtMs - b.endsAtMs)
      const first = this.#running.shift()
      if (first === undefined) return
      this.nowMs = first.endsAtMs
      const { name, ms } = first.task
      this.queue.finish(first.task, this.nowMs)
      this.order.push(name)
      this.usedMs.set(name, (this.usedMs.get(name) ?? 0) + ms)
    }
  }
}

t.test('tasks of one account run in order of arrival', async (t) => {
  const { queue } = new Simulation()
  for (const name of ['a', 'b', 'c']) queue.add({ name, ms: 1 }, account('acme'), 0)
  t.equal(queue.take(0, () => true)?.task.name, 'a')
  t.equal(
    queue.first(0, ({ name }) => (name === 'c' ? name : undefined)),
    undefined,
    'later tasks are not offered while the limit of running tasks is reached',
  )
})

t.test('tenants get equal running time, however long their tasks are', async (t) => {
  const scene = new Simulation()
  scene.add('long', 10_000, account('greedy'), 40)
  scene.add('short', 10, account('small'), 400)
  scene.run(401)
  t.equal(scene.order.indexOf('long'), 0, 'the first task runs first')
  t.equal(scene.order.filter((name) => name === 'long').length, 1)
  t.equal(
    scene.order.filter((name) => name === 'short').length,
    400,
    'all tasks of the other tenant before a second long one',
  )
})

t.test('a task of another tenant waits for at most one task, whatever the backlog', async (t) => {
  const scene = new Simulation()
  scene.add('long', 1_000, account('greedy'), 100)
  scene.run(5)
  scene.begin()
  scene.add('short', 1, account('small'))
  scene.run(2)
  t.same(scene.order.slice(5), ['long', 'short'])
})

t.test('an idle tenant accumulates no credit, and a short absence clears no debt', async (t) => {
  const scene = new Simulation()
  scene.add('early', 100, account('early'), 50)
  scene.run(40)
  scene.add('late', 100, account('late'), 20)
  scene.run(10)
  t.equal(scene.usedMs.get('late'), 500, 'a tenant that arrives late gets half of the time, without catching up')
  const debtor = new Simulation()
  debtor.add('other', 10, account('other'), 100)
  debtor.add('long', 1_000, account('in turn'))
  debtor.run(5)
  t.ok(debtor.order.includes('long'))
  debtor.add('long', 1_000, account('in turn'))
  debtor.run(50)
  t.equal(
    debtor.order.filter((name) => name === 'long').length,
    1,
    'a queue that is empty between tasks clears no debt',
  )
})

t.test('within a tenant, tokens get equal time, and all visitors of a share together that of one share', async (t) => {
  const scene = new Simulation()
  for (let visitor = 0; visitor < 20; visitor++) {
    scene.add('visitor', 100, account('acme', ['share', 1], `session-${visitor}`), 10)
  }
  scene.add('owner', 100, account('acme', ['token', 4]), 100)
  scene.run(100)
  t.equal(scene.usedMs.get('owner'), 8_000, 'time is proportional to weight')
  t.equal(scene.usedMs.get('visitor'), 2_000)
})

t.test('one tenant may use all threads until others have tasks', async (t) => {
  const scene = new Simulation(4)
  scene.add('greedy', 1_000, account('greedy'), 50)
  scene.begin()
  t.same(scene.running, ['greedy', 'greedy', 'greedy', 'greedy'])
  scene.add('small', 10, account('small'), 4)
  t.equal(
    scene.queue.first(scene.nowMs, ({ name }) => name),
    'small',
    'an account without running tasks is next',
  )
  scene.run(4)
  scene.begin()
  t.same(scene.running.toSorted(), ['greedy', 'greedy', 'small', 'small'])
})

t.test('an account at its limit gets no more threads, even if one is idle', async (t) => {
  const { queue } = new Simulation(2)
  const take = () => queue.take(0, () => true)?.task.name
  for (let time = 0; time < 5; time++) queue.add({ name: 'greedy', ms: 1 }, account('greedy', 'token'), 0)
  t.same([take(), take(), take()], ['greedy', 'greedy', undefined])
  queue.add({ name: 'other token', ms: 1 }, account('greedy', 'other'), 0)
  t.equal(take(), 'other token', 'another token of the tenant may run one task')
  queue.add({ name: 'third token', ms: 1 }, account('greedy', 'third'), 0)
  t.equal(take(), undefined, 'the tenant is at its limit')
  queue.add({ name: 'small', ms: 1 }, account('small', 'token'), 0)
  t.equal(take(), 'small')
})

t.test('long-running tasks do not count against the allowance of queued ones', async (t) => {
  const { queue } = new Simulation(1)
  const slow = { name: 'slow', ms: 1 }
  for (const task of [slow, { name: 'next', ms: 1 }]) queue.add(task, account('acme'), 0)
  t.equal(queue.take(0, () => true)?.task, slow)
  t.equal(
    queue.take(0, () => true),
    undefined,
  )
  queue.markSlow(slow)
  t.equal(queue.take(0, () => true)?.task.name, 'next')
})

t.test('a full queue refuses only the account that filled it', async (t) => {
  const scene = new Simulation(1, { tenantQueuedMax: 10, queuedMax: 20 })
  t.equal(scene.add('visitor', 1, account('acme', ['share', 1], 'session'), 10), true)
  t.equal(scene.add('visitor', 1, account('acme', ['share', 1], 'session')), false)
  t.equal(
    scene.add('visitor', 1, account('acme', ['share', 1], 'other session')),
    false,
    'another session of the share',
  )
  t.equal(scene.add('owner', 1, account('acme', ['token', 4]), 5), true, 'a token of the same tenant')
  t.equal(scene.add('owner', 1, account('globex', ['token', 4]), 10), true, 'another tenant')
  t.equal(scene.add('owner', 1, account('globex', ['token', 4])), false)
  t.equal(
    scene.add('owner', 1, account('initech', ['token', 4])),
    true,
    'a third tenant, although the queues of others are full',
  )
})

t.test('a withdrawn task is not run and leaves no entry', async (t) => {
  const { queue } = new Simulation()
  const [first, second] = [
    { name: 'first', ms: 1 },
    { name: 'second', ms: 1 },
  ]
  for (const task of [first, second]) queue.add(task, account('acme'), 0)
  queue.remove(first, 0)
  t.equal(queue.size, 1)
  t.equal(queue.take(0, () => true)?.task, second)
  queue.remove(second, 0)
  t.equal(queue.size, 0)
  queue.addAgain(second, 5)
  t.same(queue.drain(5), [second])
  t.equal(queue.size, 0)
})
