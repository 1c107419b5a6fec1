// Proxies of three kinds that lead every host to one local port, and record what they were asked for.
import { once } from 'node:events'
import { createServer, type RequestListener, request } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { Test } from 'tap'

export interface ProxyServer {
  /** `127.0.0.1:3128`. */
  readonly address: string
  /** What was asked for: `CONNECT api.example:443`, `GET http://api.example/x`, `SOCKS api.example:80`. */
  readonly asked: readonly string[]
  /** Values of `proxy-authorization`. */
  readonly logins: readonly (string | undefined)[]
}

/** An HTTP proxy. With `refusal` it answers every request with that status. */
export async function httpProxy(t: Test, targetPort: number, refusal?: number): Promise<ProxyServer> {
  const asked: string[] = []
  const logins: (string | undefined)[] = []
  const handOn: RequestListener = (incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    logins.push(incoming.headers['proxy-authorization'])
    if (refusal !== undefined) return void response.writeHead(refusal, { 'content-type': 'text/html' }).end('<html>No')
    const { pathname, search } = new URL(incoming.url ?? '')
    const out = request(
      { port: targetPort, method: incoming.method, path: pathname + search, headers: incoming.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      },
    )
    incoming.pipe(out)
  }
  const server = createServer(handOn)
  server.on('connect', (incoming, socket: Socket) => {
    asked.push(`CONNECT ${incoming.url}`)
    logins.push(incoming.headers['proxy-authorization'])
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal} No\r\ncontent-length: 0\r\n\r\n`)
    const target = connect(targetPort, '127.0.0.1', () => socket.write('HTTP/1.1 200 Established\r\n\r\n'))
    joined(socket, target)
  })
  return { address: await listening(t, server), asked, logins }
}

/** A SOCKS 5 proxy without login, for names. */
export async function socksProxy(t: Test, targetPort: number): Promise<ProxyServer> {
  const asked: string[] = []
  const server = createTcpServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]))
      socket.once('data', (wanted) => {
        const length = wanted[4] ?? 0
        asked.push(`SOCKS ${wanted.subarray(5, 5 + length)}:${wanted.readUInt16BE(5 + length)}`)
        const target = connect(targetPort, '127.0.0.1', () =>
          socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0])),
        )
        joined(socket, target)
      })
    })
    socket.on('error', () => {})
  })
  return { address: await listening(t, server), asked, logins: [] }
}

function joined(one: Socket, other: Socket): void {
  one.on('error', () => other.destroy())
  other.on('error', () => one.destroy())
  one.pipe(other).pipe(one)
}

async function listening(t: Test, server: Server): Promise<string> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}` // Address of a server that listens on a port.
}
