// A TCP proxy that passes bytes on after a delay, in order, for tests of slow engines.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

export interface DelayingProxy {
  readonly address: string
  /** Delay of what arrives from now on, in each direction. */
  delayMs: number
}

/** Returns a proxy of a Redis on this machine. */
export async function delayingProxy(t: Test, port: number, delayMs: number): Promise<DelayingProxy> {
  const sockets = new Set<Socket>()
  const state = { delayMs }
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from)
      let last = Promise.resolve()
      const later = (pass: () => void) => {
        const due = new Promise<void>((resolve) => setTimeout(resolve, state.delayMs))
        last = last.then(() => due).then(pass)
      }
      from.on('data', (bytes) => later(() => void (to.destroyed || to.write(bytes))))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        later(() => to.destroy())
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return Object.assign(state, { address: `redis://127.0.0.1:${address.port}` })
}
