// Deadlines: a signal that aborts after a while or with another one, until it is ended.
import t from 'tap'
import { Deadline } from '../../../core/ports/deadline.js'

const aborted = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }))

t.test('its signal aborts when the time is up', async (t) => {
  const waiting = setInterval(() => {}, 1_000) // A deadline alone keeps no program running.
  const deadline = new Deadline(1, new AbortController().signal)
  t.match(await aborted(deadline.signal), { name: 'TimeoutError' })
  t.equal(deadline.hasPassed, true)
  clearInterval(waiting)
})

t.test('its signal aborts with the other one, for the same reason', async (t) => {
  const sooner = new AbortController()
  const deadline = new Deadline(60_000, sooner.signal)
  const reason = aborted(deadline.signal)
  sooner.abort('stopped')
  t.equal(await reason, 'stopped')
  t.equal(deadline.hasPassed, false)
  t.equal(new Deadline(60_000, sooner.signal).signal.reason, 'stopped', 'one that was aborted before')
})

t.test('ended, it aborts no more, and many at one signal are no leak', async (t) => {
  const warnings: string[] = []
  const note = ({ name }: Error) => warnings.push(name)
  process.on('warning', note)
  const sooner = new AbortController()
  const deadlines = Array.from({ length: 30 }, () => new Deadline(60_000, sooner.signal))
  for (const deadline of deadlines) deadline.end()
  sooner.abort()
  await new Promise(setImmediate)
  process.off('warning', note)
  t.strictSame(warnings, [])
  t.notOk(deadlines.some(({ signal }) => signal.aborted))
})
