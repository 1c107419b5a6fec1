// Limits of event streams, without a server: their number, and the buffer of a client that does not read.
import t from 'tap'
import { EventStreams, type StreamReader } from '../../../server/concurrency/event-streams.js'

const tenant = (name: string) => ({ name, weight: 1 })
const api: StreamReader = { account: [tenant('globex')], token: undefined }
const bearer = (token: string): StreamReader => ({ account: [tenant('acme')], token })
const visitor = (share: string, token: string): StreamReader => ({
  account: [tenant('acme'), { name: share, weight: 1 }],
  token,
})
const never = new AbortController().signal
const bounds = { streamsMax: 4, streamsPerTokenMax: 1, stallMs: 20 }
const ended = (stream: NodeJS.ReadableStream) => new Promise((resolve) => stream.once('close', resolve))

async function* untilAborted(signal: AbortSignal): AsyncGenerator<string> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
}

t.test('the number of streams is limited, in total and per token', async (t) => {
  const streams = new EventStreams(bounds)
  const first = streams.start(bearer('a'), never, untilAborted)
  t.throws(() => streams.start(bearer('a'), never, untilAborted), { code: 'TooManyRequests', message: /token/ })
  streams.start(bearer('b'), never, untilAborted)
  streams.start(api, never, untilAborted)
  const late: StreamReader = { account: [tenant('initech')], token: 'd' }
  streams.start(late, never, untilAborted)
  t.throws(() => streams.start({ ...late, token: 'e' }, never, untilAborted), {
    code: 'RuntimeUnavailable',
    retryAfterSeconds: 5,
  })
  const gone = ended(first)
  first.destroy()
  await gone
  t.equal(streams.count, 3, 'a closed stream frees its place')
  streams.start({ account: [tenant('umbrella')], token: 'e' }, never, untilAborted)
  streams.close()
})

t.test('neither one tenant nor the visitors of one share can use all streams', async (t) => {
  const streams = new EventStreams({ ...bounds, streamsMax: 100 })
  const openAll = (reader: (index: number) => StreamReader): number => {
    for (let index = 0; ; index++) {
      try {
        streams.start(reader(index), never, untilAborted)
      } catch (error) {
        t.match(error, { code: 'TooManyRequests' })
        return index
      }
    }
  }
  t.equal(
    openAll((index) => visitor('public', `session-${index}`)),
    25,
    'visitors of one share',
  )
  t.equal(
    openAll((index) => bearer(`token-${index}`)),
    25,
    'other tokens of the tenant',
  )
  t.equal(
    openAll(() => api),
    25,
    'another tenant can use half of the rest',
  )
  streams.close()
  await new Promise((resolve) => setImmediate(resolve))
})

t.test('frames are produced as fast as the client reads; a client that reads none is disconnected', async (t) => {
  const streams = new EventStreams(bounds)
  let made = 0
  async function* endless(signal: AbortSignal): AsyncGenerator<string> {
    while (!signal.aborted) {
      made += 1
      yield 'x'.repeat(1024)
    }
  }
  const stream = streams.start(api, never, endless)
  // The client reads nothing after the stream has filled its buffer.
  stream.read(0)
  await ended(stream)
  t.ok(made < 200, `${made} frames were produced without a reader`)
  t.equal(streams.count, 0)
})

t.test('a stream ends when its client disconnects, and all streams when the server stops', async (t) => {
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

t.test('a stream ends after its lifetime, whether its client is connected or not', async (t) => {
  const streams = new EventStreams({ ...bounds, lifetimeMs: 20 })
  async function* quiet(signal: AbortSignal): AsyncGenerator<string> {
    yield 'heartbeat'
    yield* untilAborted(signal)
  }
  const stream = streams.start(api, never, quiet)
  let seen = ''
  stream.on('data', (text) => {
    seen += String(text)
  })
  // Keeps the process alive like a server: the timer of a stream does not.
  const alive = setInterval(() => {}, 1000)
  await ended(stream)
  clearInterval(alive)
  t.equal(seen, 'heartbeat')
  t.ok(stream.readableEnded, 'the stream ends regularly')
  t.equal(streams.count, 0)
})
