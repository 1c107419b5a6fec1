// The bounds of event streams, without a server: how many there are, and what a reader that takes nothing may cost.
import t from 'tap'
import type { Caller } from '../../../server/auth/caller.js'
import { EventStreams } from '../../../server/events/event-streams.js'

const api: Caller = { kind: 'api' }
const bearer = (jti: string): Caller => ({
  kind: 'document',
  sub: 'ada',
  tenantId: 'acme',
  jti,
  issuedAt: 1,
  expiresAt: 2,
  origins: undefined,
  resourceId: undefined,
  docId: 'report',
  layerName: 'default',
  scope: { isEverything: true, followsPdf: false, capabilities: [], collab: [] },
  person: {},
})
const never = new AbortController().signal
const bounds = { streamsMax: 3, streamsPerTokenMax: 2, stallMs: 20 }
const ended = (stream: NodeJS.ReadableStream) => new Promise((resolve) => stream.once('close', resolve))

async function* untilAborted(signal: AbortSignal): AsyncGenerator<string> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
}

t.test('there are so many streams and no more, and so many of one token', async (t) => {
  const streams = new EventStreams(bounds)
  const first = streams.start(bearer('a'), never, untilAborted)
  streams.start(bearer('a'), never, untilAborted)
  t.throws(() => streams.start(bearer('a'), never, untilAborted), { code: 'TooManyRequests' })
  streams.start(api, never, untilAborted)
  t.throws(() => streams.start(bearer('b'), never, untilAborted), { code: 'RuntimeUnavailable', retryAfterSeconds: 5 })
  const gone = ended(first)
  first.destroy()
  await gone
  t.equal(streams.count, 2, 'who leaves makes room')
  streams.start(bearer('b'), never, untilAborted)
  streams.close()
})

t.test('frames are made as fast as they are taken; a reader that takes none is cut off', async (t) => {
  const streams = new EventStreams(bounds)
  let made = 0
  async function* endless(signal: AbortSignal): AsyncGenerator<string> {
    while (!signal.aborted) {
      made += 1
      yield 'x'.repeat(1024)
    }
  }
  const stream = streams.start(api, never, endless)
  // Filled as far as a stream fills itself, and then left alone.
  stream.read(0)
  await ended(stream)
  t.ok(made < 200, `${made} frames were made for nobody`)
  t.equal(streams.count, 0)
})

t.test('a stream ends when its reader has gone, and all of them when the server stops', async (t) => {
  const streams = new EventStreams(bounds)
  const leaving = new AbortController()
  const left = streams.start(api, leaving.signal, untilAborted).resume()
  const other = streams.start(api, never, untilAborted).resume()
  const gone = ended(left)
  leaving.abort()
  await gone
  t.equal(streams.count, 1)
  const stopped = ended(other)
  streams.close()
  await stopped
  t.equal(streams.count, 0)
})
