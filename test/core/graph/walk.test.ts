import fc from 'fast-check'
import t from 'tap'
import { type WalkEnd, type WalkNode, type WalkResult, walk } from '../../../core/graph/walk.js'

interface Case {
  readonly nodes: ReadonlyMap<string, WalkNode>
  readonly results: ReadonlyMap<string, WalkResult>
  readonly limits: Readonly<Record<string, number>>
}

const anyResult = fc.oneof(
  { weight: 6, arbitrary: fc.constant('done' as const) },
  { weight: 1, arbitrary: fc.constant('failed' as const) },
  { weight: 1, arbitrary: fc.constant('waiting' as const) },
)
const anyLimit = fc.integer({ min: 1, max: 3 })

/** Nodes that depend on earlier ones only, in three groups. */
const anyCase: fc.Arbitrary<Case> = fc
  .record({
    drawn: fc.array(fc.tuple(fc.array(fc.nat(11), { maxLength: 3 }), fc.constantFrom('a', 'b', 'c'), anyResult), {
      maxLength: 12,
    }),
    limits: fc.record({ a: anyLimit, b: anyLimit, c: anyLimit }),
  })
  .map(({ drawn, limits }) => ({
    limits,
    nodes: new Map(
      drawn.map(([after, group], index) => [
        `n${index}`,
        { group, after: after.filter((other) => other < index).map((other) => `n${other}`) },
      ]),
    ),
    results: new Map(drawn.map(([, , result], index) => [`n${index}`, result])),
  }))

/** Walks and records all events; steps end in the order chosen by the scheduler. */
async function observe(
  { nodes, results, limits }: Case,
  scheduler: fc.Scheduler,
  stopAfter = Number.POSITIVE_INFINITY,
) {
  const stop = new AbortController()
  const started: string[] = []
  const returned = new Map<string, WalkResult>()
  const skipped = new Map<string, { end: WalkEnd; because: string | undefined }>()
  const complaints: string[] = []
  const running = new Map<string, number>()
  const count = (group: string, by: number) => running.set(group, (running.get(group) ?? 0) + by).get(group) ?? 0

  const run = async (id: string): Promise<WalkResult> => {
    const { group = '', after = [] } = nodes.get(id) ?? {}
    started.push(id)
    if (stop.signal.aborted) complaints.push(`${id} started after the stop`)
    if (count(group, 1) > (limits[group] ?? 0)) complaints.push(`${group} is over its limit`)
    for (const other of after) if (returned.get(other) !== 'done') complaints.push(`${id} started before ${other}`)
    await scheduler.schedule(Promise.resolve(), id)
    count(group, -1)
    const result = results.get(id) ?? 'done'
    returned.set(id, result)
    if (returned.size === stopAfter) stop.abort()
    return result
  }
  const onSkipped = (id: string, end: WalkEnd, because: string | undefined) => {
    if (skipped.has(id)) complaints.push(`${id} was skipped twice`)
    skipped.set(id, { end, because })
  }
  const whole = walk(nodes, { limit: (group) => limits[group] ?? 0, signal: stop.signal, run, onSkipped })
  const ends = await scheduler.waitFor(whole)

  if (started.length !== new Set(started).size) complaints.push('a node ran twice')
  for (const id of nodes.keys()) {
    const skip = skipped.get(id)
    if (ends.get(id) !== (returned.get(id) ?? skip?.end)) complaints.push(`${id} ended as ${ends.get(id)}`)
    if (returned.has(id) === skipped.has(id)) complaints.push(`${id} has not exactly one outcome`)
    const { because } = skip ?? {}
    if (because !== undefined && ![...(nodes.get(id)?.after ?? [])].includes(because))
      complaints.push(`${id} was skipped because of ${because}, which it does not need`)
  }
  if (ends.size !== nodes.size) complaints.push('there are ends of unknown nodes')
  return { ends, skipped, complaints }
}

t.test(
  'no node starts before its dependencies are done, no group exceeds its limit, every node has one outcome',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, fc.scheduler(), async (drawn, scheduler) => {
        const { ends, complaints } = await observe(drawn, scheduler)
        for (const [id, { after }] of drawn.nodes) {
          const needed = [...after].map((other) => ends.get(other))
          const isStopped = needed.some((end) => end !== 'done')
          const allowed = isStopped ? needed.map(consequence) : [drawn.results.get(id)]
          if (!allowed.includes(ends.get(id))) complaints.push(`${id} ended as ${ends.get(id)} after ${needed}`)
        }
        if (complaints.length > 0) throw new Error(complaints.join('\n'))
      }),
      { numRuns: 500 },
    )
  },
)

function consequence(end: WalkEnd | undefined): WalkEnd | undefined {
  return end === 'failed' ? 'skipped' : end === 'done' ? undefined : end
}

t.test('after a stop no node starts, running nodes are awaited, and the rest is interrupted', async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, fc.scheduler(), fc.integer({ min: 1, max: 6 }), async (drawn, scheduler, stopAfter) => {
      const { complaints } = await observe(drawn, scheduler, stopAfter)
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
    }),
    { numRuns: 300 },
  )
})

const node = (after: readonly string[] = [], group = 'g'): WalkNode => ({ after, group })

function deferred() {
  let resolve: (result: WalkResult) => void = () => {}
  const promise = new Promise<WalkResult>((settle) => {
    resolve = settle
  })
  return { promise, resolve: (result: WalkResult) => resolve(result) }
}

t.test('a node starts as soon as its own dependencies are done, whatever else still runs', async (t) => {
  const slow = deferred()
  const started: string[] = []
  const nodes = new Map([
    ['slow', node()],
    ['a', node()],
    ['b', node(['a'])],
    ['c', node(['b'])],
    ['d', node(['slow'])],
  ])
  const whole = walk(nodes, {
    limit: () => 2,
    run: async (id) => {
      started.push(id)
      if (id === 'c') slow.resolve('done') // Only possible because c does not wait for its level.
      return id === 'slow' ? slow.promise : 'done'
    },
  })
  t.strictSame([...(await whole).values()], ['done', 'done', 'done', 'done', 'done'])
  t.strictSame(started, ['slow', 'a', 'b', 'c', 'd'])
})

t.test('limits of groups are independent', async (t) => {
  const current = deferred()
  const nodes = new Map([
    ['a', node([], 'full')],
    ['b', node([], 'full')],
    ['c', node([], 'free')],
  ])
  const whole = walk(nodes, {
    limit: () => 1,
    run: async (id) => {
      if (id === 'c') current.resolve('done')
      return id === 'a' ? current.promise : 'done'
    },
  })
  t.equal((await whole).get('b'), 'done')
})

t.test('a walk that was stopped before it began runs nothing', async (t) => {
  const nodes = new Map([
    ['a', node()],
    ['b', node(['a'])],
  ])
  const run = () => Promise.reject(new Error('ran'))
  const ends = await walk(nodes, { limit: () => 1, signal: AbortSignal.abort(), run })
  t.strictSame(
    [...ends],
    [
      ['a', 'interrupted'],
      ['b', 'interrupted'],
    ],
  )
})

t.test('an empty graph is walked at once, and unknown dependencies count as done', async (t) => {
  const run = async () => 'done' as const
  t.equal((await walk(new Map(), { limit: () => 1, run })).size, 0)
  t.strictSame([...(await walk(new Map([['a', node(['elsewhere', 'a'])]]), { limit: () => 1, run }))], [['a', 'done']])
})

t.test('a node that can never start is reported as a bug instead of a wait without end', async (t) => {
  const run = async () => 'done' as const
  const circle = new Map([
    ['a', node(['b'])],
    ['b', node(['a'])],
    ['c', node()],
  ])
  await t.rejects(walk(circle, { limit: () => 1, run }), { message: 'walk: these can never start: a, b' })
  await t.rejects(walk(new Map([['a', node()]]), { limit: () => 0, run }), /never start: a/)
})

t.test('a rejected step ends the walk with its error after the running nodes, and no node starts', async (t) => {
  const later = deferred()
  const started: string[] = []
  const nodes = new Map([
    ['a', node()],
    ['b', node()],
    ['c', node(['b'])],
  ])
  const whole = walk(nodes, {
    limit: () => 2,
    run: (id) => {
      started.push(id)
      return id === 'a' ? Promise.reject(new Error('a bug')) : later.promise
    },
  })
  const ended: string[] = []
  whole.catch(() => ended.push('the walk'))
  await new Promise(setImmediate)
  t.strictSame(ended, [], 'running nodes may still record results')
  later.resolve('done')
  await t.rejects(whole, { message: 'a bug' })
  t.strictSame(started, ['a', 'b'])
})
