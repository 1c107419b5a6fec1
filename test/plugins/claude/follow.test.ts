// A followed session: the stream is a hint, the history has everything, and no disturbance of the stream ends it.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import type { Call } from '../../../core/plugin/handler.js'
import { nodeHttp, nodeHttpStream } from '../../../core/ports/node-http.js'
import type { JsonObject } from '../../../core/value/tree.js'
import { type ClaudeClient, connect } from '../../../plugins/claude/client.js'
import { sessions } from '../../../plugins/claude/sessions.js'

const first = { id: 'sevt_1', type: 'agent.message' }
const second = { id: 'sevt_2', type: 'agent.message' }
const last = { id: 'sevt_3', type: 'session.status_terminated' }
const all = [first, second, last]
const written = (event: object) => `data: ${JSON.stringify(event)}\n\n`

type Stream = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>

/** Follows a session whose streams are answered in turn, by the last one for ever; `known` is its history. */
async function follow(
  t: Test,
  streams: readonly Stream[],
  known: (url: string) => readonly object[],
): Promise<JsonObject[]> {
  let connections = 0
  const server = createServer((request, response) => {
    if (request.url?.includes('/events/stream')) {
      const stream = streams[Math.min(connections, streams.length - 1)]
      connections += 1
      return void stream?.(response, request)
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data: known(request.url ?? ''), next_page: null }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // Address of a server that listens on a port.
  // Waits end at once, but the one for silence, which would read the history instead of the stream.
  const sleep = (ms: number, signal?: AbortSignal) =>
    ms < 15_000
      ? Promise.resolve()
      : new Promise<void>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  const client = connect(
    { api_key: 'key', base_url: `http://127.0.0.1:${port}` },
    {
      http: nodeHttp,
      httpStream: nodeHttpStream,
      clock: { now: () => 0, sleep },
      random: { uuid: () => 'a nonce', fraction: () => 0 },
    },
  )
  const call: Call<ClaudeClient> = {
    client,
    signal: new AbortController().signal,
    content: () => Promise.reject(new Error('there is no source')),
    report: () => {},
  }
  const events: JsonObject[] = []
  for await (const event of sessions.events(call, 'sesn_1', { follow: true })) events.push(event)
  return events
}

function open(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
}

t.test('a stream that ends together with its last event ends it', async (t) => {
  for (let round = 0; round < 5; round++) {
    const stream: Stream = (response) => {
      open(response)
      response.write(written(first))
      setImmediate(() => response.end(written(second) + written(last)))
    }
    t.same(await follow(t, [stream], () => []), all)
  }
})

t.test('what is no event is skipped, and a stream that breaks or is refused is opened again', async (t) => {
  const refuse =
    (status: number): Stream =>
    (response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}')
    }
  const page: Stream = (response) => {
    response.writeHead(502, { 'content-type': 'text/html' })
    response.end('<html>Bad gateway')
  }
  const login: Stream = (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<html>Sign in')
  }
  const reset: Stream = (_, request) => void request.socket.destroy()
  const rest: Stream = (response) => {
    open(response)
    response.end(written(last))
  }
  const disturbances: Readonly<Record<string, { readonly text?: string; readonly streams?: readonly Stream[] }>> = {
    'a mark of the end': { text: 'data: [DONE]\n\n' },
    'an event that was cut off': { text: 'data: {"id":"sevt_2","type":"agent.mess\n\n' },
    'signs of life': { text: 'event: ping\ndata: {}\n\ndata: {"type":"ping"}\n\n' },
    'a number, a list and a text': { text: 'data: 1\n\ndata: []\n\ndata: "a"\n\n' },
    'status 429': { streams: [refuse(429)] },
    'status 529, twice': { streams: [refuse(529), refuse(529)] },
    'a page of a gateway': { streams: [page] },
    'a reset connection': { streams: [reset, reset] },
    'a login page': { streams: [login] },
    'an outage that is longer than a request is repeated': { streams: Array.from({ length: 20 }, () => refuse(503)) },
  }
  for (const [name, { text = '', streams = [] }] of Object.entries(disturbances)) {
    let known: readonly object[] = []
    const broken: Stream = (response, request) => {
      open(response)
      known = [first]
      response.write(written(first) + text, () => {
        known = [first, second]
        request.socket.destroySoon()
      })
    }
    t.same(await follow(t, [broken, ...streams, rest], () => known), all, name)
  }
})

t.test('a stream that never was one is an error at once', async (t) => {
  const page: Stream = (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<html>Sign in')
  }
  await t.rejects(
    follow(t, [page], () => [first]),
    { class: 'unexpected' } as never,
  )
})

t.test('events without an id are all shown', async (t) => {
  const said = { type: 'agent.message', content: [{ type: 'text', text: 'a' }] }
  const stream: Stream = (response) => {
    open(response)
    response.end(written(said) + written(said) + written(last))
  }
  t.same(await follow(t, [stream], () => []), [said, said, last])
})

t.test('the history is read from its last known event on, not from what a stream said', async (t) => {
  const at = (event: object, second: number) => ({ ...event, processed_at: `2026-11-21T09:00:0${second}Z` })
  const asked: (string | null)[] = []
  let known: readonly object[] = [at(first, 1)]
  let hasRead = () => {}
  const read = new Promise<void>((resolve) => {
    hasRead = resolve
  })
  const broken: Stream = async (response, request) => {
    open(response)
    response.flushHeaders()
    await read
    response.write(written(at({ id: 'sevt_9', type: 'agent.message' }, 9)), () => {
      known = [at(first, 1), at(second, 2), at(last, 3)]
      request.socket.destroySoon()
    })
  }
  const events = await follow(t, [broken, open], (url) => {
    asked.push(new URL(url, 'http://api.example').searchParams.get('created_at[gte]'))
    setImmediate(hasRead)
    return known
  })
  t.same(
    events.map(({ id }) => id),
    ['sevt_1', 'sevt_9', 'sevt_2', 'sevt_3'],
  )
  t.same(asked, [null, '2026-11-21T09:00:01Z'])
})
