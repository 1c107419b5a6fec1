// An HTTP proxy that holds back the answer to a chosen request, so that its sender is stalled although the request was
// carried out.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send } from 'node:http'
import type { Test } from 'tap'

export interface Held {
  /** Path and query of the request. */
  readonly path: string
  /** Lets the sender go on. */
  release(): void
}

export interface HoldingProxy {
  readonly endpoint: string
  /** Holds the answer of the next request that matches; resolves when the target has answered it. */
  hold(method: string, path: RegExp): Promise<Held>
}

/** `target`: address of an HTTP server on this machine. */
export async function holdingProxy(t: Test, target: string): Promise<HoldingProxy> {
  const { hostname, port } = new URL(target)
  let next: { readonly method: string; readonly path: RegExp; readonly taken: (held: Held) => void } | undefined
  const heldBack = async ({ method, url: path = '' }: IncomingMessage): Promise<void> => {
    if (next === undefined || next.method !== method || !next.path.test(path)) return
    const { taken } = next
    next = undefined
    await new Promise<void>((release) => taken({ path, release }))
  }
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    const passed = send({ hostname, port, method, path: url, headers }, async (answer) => {
      await heldBack(request)
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    request.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    hold: (method, path) =>
      new Promise((taken) => {
        next = { method, path, taken }
      }),
  }
}
