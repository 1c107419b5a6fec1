// Limits of one connection: pipelined requests, unread responses, slow and endless bodies. The limits of the test server are
// small.
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type ConnectionBounds, defaultConnectionBounds } from '../../../server/http/connection-bounds.js'
import { boundedServer } from '../../../server/http/connections.js'

const megabyte = 1024 * 1024
const small: ConnectionBounds = {
  ...defaultConnectionBounds,
  waitingRequestsMax: 4,
  reserveMs: 300,
  bytesPerSecondMin: 1000,
  droppedBodyBytesMax: megabyte,
  droppedBodyMs: 300,
  judgedAfterMs: 60,
  checkMs: 20,
}

interface Started {
  readonly cuts: string[]
  client(): Promise<Socket>
}

async function start(t: Test, serve: RequestListener, bounds: Partial<ConnectionBounds> = {}): Promise<Started> {
  const cuts: string[] = []
  const server = boundedServer(serve, { bounds: { ...small, ...bounds }, onCut: (reason) => void cuts.push(reason) })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const client = async () => {
    const socket = connect(port, '127.0.0.1')
    // Connection errors are expected here.
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  return { cuts, client }
}

/** Resolves with all received bytes when the connection is closed. */
async function ended(socket: Socket): Promise<string> {
  let seen = ''
  socket.setEncoding('latin1').on('data', (text) => (seen += text))
  await new Promise((resolve) => socket.once('close', resolve))
  return seen
}

async function trickle(socket: Socket, { text, everyMs }: { readonly text: string; readonly everyMs: number }) {
  while (!socket.destroyed) {
    socket.write(text)
    await pause(everyMs)
  }
}

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const lastGet = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const post = (length: number, more = '') => `POST / HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${length}\r\n\r\n`
const chunked = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'

t.test('requests of one connection are processed one after the other, and answered in order', async (t) => {
  let [running, most, number] = [0, 0, 0]
  const { client, cuts } = await start(t, async (_request, response) => {
    most = Math.max(most, ++running)
    const own = ++number
    await pause(5)
    running -= 1
    response.end(`<${own}>`)
  })
  const socket = await client()
  socket.write(get.repeat(4) + lastGet)
  const seen = await ended(socket)
  t.same(seen.match(/<\d>/g), ['<1>', '<2>', '<3>', '<4>', '<5>'])
  t.equal(most, 1)
  t.same(cuts, [])
})

t.test('a connection with too many pipelined requests is closed, and no other', async (t) => {
  let served = 0
  const { client, cuts } = await start(t, async (_request, response) => {
    served += 1
    await pause(5)
    response.end('answered')
  })
  const [greedy, other] = [await client(), await client()]
  greedy.write(get.repeat(1000))
  await ended(greedy)
  t.same(cuts, ['pipelined-requests'])
  other.write(lastGet)
  t.match(await ended(other), 'answered')
  t.ok(served < 10, `${served} requests were served`)
})

t.test('further requests of a connection with an unread response are not processed, and it is closed', async (t) => {
  let served = 0
  const answer = Buffer.alloc(32 * megabyte)
  const { client, cuts } = await start(t, (_request, response) => {
    served += 1
    response.end(answer)
  })
  const socket = await client()
  socket.pause()
  socket.write(get.repeat(3))
  while (cuts.length === 0) await pause(10)
  t.same(cuts, ['unread-answer'])
  t.equal(served, 1)
})

t.test('a response that is read slowly but steadily arrives completely, however long it takes', async (t) => {
  const answer = Buffer.alloc(16 * megabyte, 'x')
  const { client, cuts } = await start(t, (_request, response) => response.end(answer))
  const socket = await client()
  socket.write(lastGet)
  let bytes = 0
  for await (const chunk of socket) {
    bytes += chunk.length
    await pause(4)
  }
  t.ok(bytes > answer.length)
  t.same(cuts, [])
})

t.test(
  'if unread responses use too much memory, the slowest clients are disconnected, and others served',
  async (t) => {
    const answer = Buffer.alloc(16 * megabyte, 'x')
    const { client, cuts } = await start(t, (_request, response) => response.end(answer), {
      unreadBytesMax: 24 * megabyte,
      reserveMs: 10_000,
      bytesPerSecondMin: 1,
    })
    const lazy = await Promise.all([client(), client(), client()])
    for (const socket of lazy) socket.pause().write(get)
    while (cuts.length < 2) await pause(10)
    const reader = await client()
    reader.write(lastGet)
    t.ok((await ended(reader)).length > answer.length)
    t.ok(cuts.length < 4 && cuts.every((reason) => reason === 'unread-answer'), String(cuts))
    for (const socket of lazy) socket.destroy()
  },
)

t.test('a body below the minimum rate is answered with 408, and its connection closed', async (t) => {
  let broken: unknown
  const { client, cuts } = await start(t, async (request) => {
    broken = await once(request.resume(), 'end').catch((error: unknown) => error)
  })
  const socket = await client()
  socket.write(post(1000))
  const seen = ended(socket)
  await trickle(socket, { text: 'x', everyMs: 20 })
  t.match(await seen, /^HTTP\/1\.1 408 /)
  t.match(broken, { code: 'ECONNRESET' }, 'who reads the body learns that it does not come')
  t.same(cuts, ['slow-body'])
})

t.test('a body that arrives slowly but at the minimum rate is accepted, however long it takes', async (t) => {
  const { client, cuts } = await start(t, async (request, response) => {
    let bytes = 0
    for await (const chunk of request) bytes += chunk.length
    response.setHeader('Connection', 'close').end(`${bytes} bytes`)
  })
  const socket = await client()
  socket.write(post(4000))
  const seen = ended(socket)
  for (let sent = 0; sent < 4000; sent += 100) {
    socket.write('x'.repeat(100))
    await pause(25)
  }
  t.match(await seen, '4000 bytes')
  t.same(cuts, [])
})

t.test('time in which the server does not read does not count against the client', async (t) => {
  const { client, cuts } = await start(t, async (request, response) => {
    await pause(2 * small.reserveMs)
    for await (const _chunk of request);
    response.setHeader('Connection', 'close').end('whole')
  })
  const socket = await client()
  socket.write(post(megabyte))
  socket.write('x'.repeat(megabyte))
  t.match(await ended(socket), 'whole')
  t.same(cuts, [])
})

t.test('a refused body is read only up to a limit in bytes and time', async (t) => {
  const { client, cuts } = await start(t, (_request, response) => response.writeHead(401).end('refused'))
  const endless = await client()
  endless.write(chunked)
  const seen = ended(endless)
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  let sentBytes = 0
  while (!endless.destroyed && sentBytes < 512 * megabyte) {
    sentBytes += chunk.length
    await new Promise((written) => endless.write(chunk, written))
  }
  t.match(await seen, /^HTTP\/1\.1 401 /)
  t.ok(sentBytes < 64 * megabyte, `${sentBytes} bytes were sent`)
  const slow = await client()
  slow.write(chunked)
  const slowSeen = ended(slow)
  await trickle(slow, { text: '1\r\nx\r\n', everyMs: 20 })
  t.match(await slowSeen, /^HTTP\/1\.1 401 /)
  t.same(cuts, ['refused-body', 'refused-body'])
})

t.test('a body that a handler keeps reading is cut off at its limit', async (t) => {
  const { client, cuts } = await start(t, (request) => void request.resume(), { bodyBytesMax: megabyte })
  const socket = await client()
  socket.write(chunked)
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  while (!socket.destroyed) await new Promise((written) => socket.write(chunk, written))
  t.same(cuts, ['endless-body'])
})

t.test('a client that sends its whole request before it reads, and then closes, gets the refusal', async (t) => {
  const { client, cuts } = await start(t, (_request, response) => response.writeHead(413).end('refused'))
  const socket = await client()
  socket.pause()
  const bytes = megabyte - 1000
  socket.write(post(bytes, 'Connection: close\r\n'))
  // The server answers before the rest is sent.
  for (let sent = 0; sent < bytes; sent += 1000) {
    socket.write('x'.repeat(Math.min(1000, bytes - sent)))
    if (sent % 100_000 === 0) await pause(5)
  }
  const seen = await ended(socket.resume())
  t.match(seen, /^HTTP\/1\.1 413 .*connection: close.*refused/is)
  t.same(cuts, [])
})

t.test('a client that does not close after its last response is disconnected', async (t) => {
  const { client } = await start(t, (request, response) => {
    request.resume()
    response.setHeader('Connection', 'close').end('answered')
  })
  const socket = await client()
  socket.write(chunked)
  t.match(await ended(socket), 'answered')
})
