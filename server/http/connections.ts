// HTTP server that enforces the connection limits, independent of routes.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { Connection, type ConnectionOptions } from './connection.js'
import type { ConnectionBounds } from './connection-bounds.js'

export interface ConnectionsOptions {
  readonly bounds: ConnectionBounds
  readonly onCut: ConnectionOptions['onCut']
}

/** Creates the server. `serve` handles a request when its turn comes. */
export function boundedServer(serve: RequestListener, { bounds, onCut }: ConnectionsOptions): Server {
  const connections = new Map<Socket, Connection>()
  const connectionOf = (socket: Socket) => {
    const existing = connections.get(socket)
    if (existing) return existing
    const connection = new Connection(socket, { bounds, serve, onCut })
    connections.set(socket, connection)
    socket.once('close', () => connections.delete(socket))
    return connection
  }
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    connectionOf(request.socket).take(request, response)
  })
  server.on('connection', connectionOf)
  // Node would respond to these requests itself, bypassing the limits.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.once('listening', () => {
    const stop = everyTick(bounds.checkMs, (elapsedMs) => {
      for (const connection of connections.values()) connection.check(elapsedMs)
      cutSlowest([...connections.values()], bounds)
    })
    server.once('close', stop)
  })
  return server
}

/** Calls a function every `ms` with the elapsed time, excluding time in which the event loop was blocked. */
function everyTick(ms: number, call: (elapsedMs: number) => void): () => void {
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    call(Math.min(now - last, 2 * ms))
    last = now
  }, ms)
  timer.unref()
  return () => clearInterval(timer)
}

/** Closes the slowest connections while unread responses exceed the limit. */
function cutSlowest(connections: readonly Connection[], { unreadBytesMax, reserveMs }: ConnectionBounds): void {
  let unreadBytes = connections.reduce((sum, connection) => sum + connection.unreadBytes, 0)
  if (unreadBytes <= unreadBytesMax) return
  const slow = connections
    .map((connection) => ({ connection, secondsLeft: connection.secondsLeft, bytes: connection.unreadBytes }))
    .filter(({ secondsLeft }) => secondsLeft * 1000 > reserveMs)
    .toSorted((one, other) => other.secondsLeft - one.secondsLeft)
  for (const { connection, bytes } of slow) {
    if (unreadBytes <= unreadBytesMax) return
    connection.cut('unread-answer')
    unreadBytes -= bytes
  }
}
