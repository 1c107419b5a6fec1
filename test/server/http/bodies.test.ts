// Slow bodies, and bodies that continue after a refusal, on every kind of route, with and without a credential.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { limits } from '../../../server/limits.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { done, runServer } from '../support/running-server.js'
import { announced } from '../support/uploads.js'

const megabyte = 1024 * 1024
const connectionBounds = { reserveMs: 300, droppedBodyBytesMax: megabyte, droppedBodyMs: 300, checkMs: 20 }
const server = await runServer(t, { connectionBounds })
const pdf = onePage('0 0 10 10 re f')
done(await server.api.post('/v1/tenants', { id: 'acme' }))
const { url: upload } = await announced(server.api, pdf, { docId: 'slow' })

const json = 'Content-Type: application/json\r\n'
const multipart = 'Content-Type: multipart/form-data; boundary=part\r\n'
const authorization = `Authorization: Bearer ${server.apiToken}\r\n`
const chunked = 'Transfer-Encoding: chunked\r\n'
const head = (line: string, headers: string) => `${line} HTTP/1.1\r\nHost: x\r\n${headers}${chunked}\r\n`

const heads = [
  head('POST /v1/share-sessions', json),
  head('POST /v1/tenants', json),
  head('POST /v1/tenants', json + authorization),
  head(`POST ${upload}`, multipart),
  head(`POST ${upload}`, multipart + authorization),
  head('GET /healthz', ''),
  head('POST /healthz', json),
  head('POST /docs', json),
  head('POST /nothing', json),
  head('POST /openapi.json', 'Content-Encoding: br\r\n'),
  // Response that Node sends by itself.
  head('GET /healthz', 'Expect: nothing\r\n'),
  head('GET /healthz', 'Expect: 100-continue\r\n'),
  head('GET /healthz', '').replace('Host: x\r\n', ''),
  head('POST /nothing', 'Upgrade: websocket\r\nConnection: Upgrade\r\n'),
  head('CONNECT localhost:80', ''),
]

async function connected(): Promise<Socket> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

t.test('a body below the minimum rate is cut off, for every caller and path', async (t) => {
  const sockets = await Promise.all(
    heads.map(async (text) => {
      const socket = (await connected()).resume()
      socket.write(text)
      while (!socket.destroyed) {
        socket.write('1\r\n \r\n')
        await pause(25)
      }
      return socket
    }),
  )
  t.equal(sockets.length, heads.length)
})

t.test('an endless body is read no further than its limit, for every caller and path', async (t) => {
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
  for (const text of heads) {
    const isUpload = text.includes('multipart') && text.includes('Authorization')
    // Multipart bodies are read up to the size limit of documents.
    if (isUpload) continue
    const socket = (await connected()).resume()
    socket.write(text)
    let sentBytes = 0
    while (!socket.destroyed && sentBytes < 512 * megabyte) {
      sentBytes += chunk.length
      await new Promise((written) => socket.write(chunk, written))
    }
    // One of the bodies is accepted: JSON with a credential.
    const mostBytes = text.includes('Authorization') ? 128 : 16
    t.ok(socket.destroyed && sentBytes < mostBytes * megabyte, `${sentBytes} bytes: ${text.split('\r\n')[0]}`)
  }
})

t.test(
  'a client that sends a body above the limit with Connection: close, and reads only afterwards, gets the 413',
  async (t) => {
    const roomy = await runServer(t)
    const { hostname, port } = new URL(roomy.url)
    const socket = connect(Number(port), hostname).pause()
    await once(socket, 'connect')
    const length = 2 * limits.jsonBodyBytesMax
    const credential = `Authorization: Bearer ${roomy.apiToken}\r\n`
    socket.write(
      `POST /v1/tenants HTTP/1.1\r\nHost: x\r\n${credential}${json}Connection: close\r\nContent-Length: ${length}\r\n\r\n`,
    )
    const piece = Buffer.alloc(megabyte, ' ')
    for (let sent = 0; sent < length; sent += piece.length) await new Promise((written) => socket.write(piece, written))
    let seen = ''
    for await (const text of socket.setEncoding('utf8')) seen += text
    t.match(seen, /^HTTP\/1\.1 413 /)
    t.match(seen, /PayloadTooLarge/)
  },
)
