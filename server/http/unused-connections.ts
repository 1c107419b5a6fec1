// Connections that never sent a request, which browsers open in advance. Node treats them as busy when a server closes,
// so they are closed here.
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
