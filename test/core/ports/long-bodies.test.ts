// Bodies of answers that arrive at the same time: short ones are read at once, long ones one after the other.
import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { LongBodies } from '../../../core/ports/long-bodies.js'

const megabyte = 1024 * 1024
const limit = 4 * megabyte

function arriving(bodies: LongBodies) {
  const body = new PassThrough({ highWaterMark: 64 * 1024 })
  return { body, read: bodies.read(body, limit).catch((error: Error) => error.message) }
}

t.test(
  'one long body is read at a time; the next one continues when it has ended, failed or was too long',
  async (t) => {
    const bodies = new LongBodies()
    const [ended, failed, tooLong, last] = [1, 2, 3, 4].map(() => arriving(bodies))
    if (!ended || !failed || !tooLong || !last) throw new Error('four of them')
    for (const { body } of [ended, failed, tooLong, last]) body.write(Buffer.alloc(megabyte))
    await turn()
    const paused = () => [failed, tooLong, last].map(({ body }) => body.isPaused())
    t.same([ended.body.isPaused(), ...paused()], [false, true, true, true])

    const short = arriving(bodies)
    short.body.end('short')
    t.equal(String(await short.read), 'short', 'a short one waits for nobody')

    ended.body.end(Buffer.alloc(1))
    t.equal((await ended.read)?.length, megabyte + 1)
    await turn()
    t.same(paused(), [false, true, true])
    failed.body.destroy()
    t.match(await failed.read, 'before the end of the answer')
    await turn()
    t.same(paused().slice(1), [false, true])
    tooLong.body.write(Buffer.alloc(limit))
    t.equal(await tooLong.read, undefined)
    await turn()
    last.body.end()
    t.equal((await last.read)?.length, megabyte)
  },
)

t.test('a body that is given up while it waits lets the others continue', async (t) => {
  const bodies = new LongBodies()
  const [first, second, third] = [1, 2, 3].map(() => arriving(bodies))
  if (!first || !second || !third) throw new Error('three of them')
  for (const { body } of [first, second, third]) body.write(Buffer.alloc(megabyte))
  await turn()
  second.body.destroy()
  t.match(await second.read, 'before the end of the answer')
  for (const { body } of [first, third]) body.end()
  t.equal((await first.read)?.length, megabyte)
  t.equal((await third.read)?.length, megabyte)
})
