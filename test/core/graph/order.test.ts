import fc from 'fast-check'
import t from 'tap'
import { orderOf } from '../../../core/graph/order.js'

type Graph = ReadonlyMap<string, readonly string[]>

/** Any graph, cycles and unknown dependencies included. */
const anyGraph: fc.Arbitrary<Graph> = fc
  .array(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 2 }), { maxLength: 9 })
  .map((all) => new Map(all.map((after, index) => [`n${index}`, after.map((other) => `n${other}`)])))

/** True if all nodes can be removed from the leaves on: an independent check for cycles. */
function hasCycle(graph: Graph): boolean {
  const left = new Set(graph.keys())
  for (let size = -1; size !== left.size; ) {
    size = left.size
    for (const id of left) if ((graph.get(id) ?? []).every((other) => !left.has(other))) left.delete(id)
  }
  return left.size > 0
}

t.test('every node comes once, and after its dependencies', async () => {
  fc.assert(
    fc.property(anyGraph, (graph) => {
      const order = orderOf(graph)
      if (order.type === 'cycle') return hasCycle(graph)
      const at = new Map(order.ids.map((id, index) => [id, index]))
      const isComplete = order.ids.length === graph.size && at.size === graph.size
      const isSorted = [...graph].every(([id, after]) =>
        after.every((other) => !at.has(other) || (at.get(other) ?? 0) < (at.get(id) ?? 0)),
      )
      return isComplete && isSorted && !hasCycle(graph)
    }),
    { numRuns: 500 },
  )
})

t.test('a cycle is reported as its path', async () => {
  fc.assert(
    fc.property(anyGraph.filter(hasCycle), (graph) => {
      const order = orderOf(graph)
      if (order.type !== 'cycle') return false
      const { path } = order
      const isClosed = path.length > 1 && path[0] === path.at(-1)
      const isSimple = new Set(path).size === path.length - 1
      return isClosed && isSimple && path.slice(1).every((id, index) => graph.get(path[index] ?? '')?.includes(id))
    }),
  )
})

t.test('nodes that do not depend on each other stay in the order they came in', async (t) => {
  const ids = ['c', 'a', 'b']
  t.strictSame(orderOf(new Map(ids.map((id) => [id, []]))), { type: 'order', ids })
  t.strictSame(
    orderOf(
      new Map([
        ['c', ['b']],
        ['a', []],
        ['b', []],
      ]),
    ),
    { type: 'order', ids: ['b', 'c', 'a'] },
  )
})

t.test('a chain of 100,000 is ordered without running out of stack', async (t) => {
  const ids = Array.from({ length: 100_000 }, (_, index) => `n${index}`)
  const order = orderOf(new Map(ids.map((id, index) => [id, index + 1 < ids.length ? [`n${index + 1}`] : []])))
  t.equal(order.type === 'order' && order.ids[0], 'n99999')
})
