// Connections that never sent a request: browsers open some ahead. Node counts them as busy when a server closes, and would
// wait for each of them until it gives up.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export class UnusedConnections {
  private readonly sockets = new Set<Socket>()

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket)
      socket.once('close', () => this.sockets.delete(socket))
    })
    server.on('request', ({ socket }) => this.sockets.delete(socket))
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy()
  }
}
