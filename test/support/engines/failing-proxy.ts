// An HTTP proxy that answers some requests with 503 SlowDown, resets connections and cuts bodies short, chosen by a seed.
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { Test } from 'tap'

export interface FailingProxy {
  readonly endpoint: string
  /** Share of requests that fail, 0 to 1. */
  share: number
  /** Number of failures so far, by kind. */
  readonly failures: Map<string, number>
}

const kinds = ['slow-down', 'reset-before', 'reset-after', 'short-body'] as const

/** `target`: address of an HTTP server on this machine. */
export async function failingProxy(t: Test, target: string, seed: number): Promise<FailingProxy> {
  const { hostname, port } = new URL(target)
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const settings = { share: 0 }
  const failures = new Map<string, number>()
  const server = createServer((request, response) => {
    const kind = random() < settings.share ? kinds[Math.floor(random() * kinds.length)] : undefined
    if (kind !== undefined) failures.set(kind, (failures.get(kind) ?? 0) + 1)
    if (kind === 'reset-before') return void request.socket.destroy()
    if (kind === 'slow-down') {
      request.resume()
      response.writeHead(503, { 'content-type': 'application/xml' })
      return void response.end('<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>')
    }
    const { method, url: path, headers } = request
    const passed = send({ hostname, port, method, path, headers }, (answer) => {
      if (kind === 'reset-after') return void request.socket.destroy()
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      if (kind !== 'short-body') return void answer.pipe(response)
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const body = Buffer.concat(chunks)
        response.write(body.subarray(0, Math.floor(body.length / 2)), () => request.socket.destroy())
      })
    })
    passed.on('error', () => response.destroy())
    request.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return Object.assign(settings, { endpoint: `http://127.0.0.1:${address.port}`, failures })
}
