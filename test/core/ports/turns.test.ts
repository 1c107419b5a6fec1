// Turns of the event loop: one for each that waits, in order.
import t from 'tap'
import { Turns } from '../../../core/ports/turns.js'

t.test('those that wait resume in order, each in a turn of the event loop of its own', async (t) => {
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
