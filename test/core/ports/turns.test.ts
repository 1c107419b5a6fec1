// Turns of the event loop: one per waiter, in order.
import t from 'tap'
import { Turns } from '../../../core/ports/turns.js'

t.test('waiters resume in order, each in its own turn of the event loop', async (t) => {
  const turns = new Turns()
  const seen: string[] = []
  let turn = 0
  const count = () => {
    turn++
    if (seen.length < 4) setImmediate(count)
  }
  setImmediate(count)
  const take = async (name: string) => {
    await turns.next()
    seen.push(`${name} ${turn}`)
    await null // Work of the same turn.
    if (name === 'a') await turns.next().then(() => seen.push(`again ${turn}`))
  }
  await Promise.all(['a', 'b', 'c'].map(take))
  const names = seen.map((line) => line.split(' ')[0])
  t.strictSame(names, ['a', 'b', 'c', 'again'])
  t.equal(new Set(seen.map((line) => line.split(' ')[1])).size, 4, seen.join(', '))
})
