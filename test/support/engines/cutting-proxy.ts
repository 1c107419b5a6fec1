// A TCP proxy that holds bytes back and cuts connections, for tests of lost requests and lost answers.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

export interface CuttingProxy {
  readonly port: number
  /** Direction whose bytes are lost from now on. Undefined = none. */
  loses: 'requests' | 'answers' | undefined
  /** Ends all connections. */
  cut(): void
}

/** Returns a proxy of a port of this machine. */
export async function cuttingProxy(t: Test, port: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const state: { loses: CuttingProxy['loses'] } = { loses: undefined }
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1')
    for (const [from, to, direction] of [
      [client, target, 'requests'],
      [target, client, 'answers'],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => void (state.loses === direction || to.destroyed || to.write(bytes)))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    cut()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return Object.assign(state, { port: address.port, cut })
}
