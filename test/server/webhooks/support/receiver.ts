// HTTP endpoint of webhooks on this machine, which records what it receives and answers as the test says. Signatures are
// verified by the library `standardwebhooks`.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Test } from 'tap'

export interface Received {
  readonly path: string
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly event: ReceivedEvent
}

export interface ReceivedEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, string | number | null>>
}

/** Answer of the endpoint. `hang`: none at all. */
export type Reply =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'hang'

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Decides the answer to what arrives from now on. Default: 204. */
  answer: (received: Received) => Reply
  /** Resolves when the number of received requests that fit is reached. */
  until(count: number, fits?: (received: Received) => boolean): Promise<readonly Received[]>
}

export async function startReceiver(t: Pick<Test, 'teardown'>): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const receiver: Receiver = {
    url: '',
    received,
    answer: () => ({ status: 204 }),
    until: (count, fits = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          const fitting = received.filter(fits)
          if (fitting.length < count) return
          waiting.delete(look)
          resolve(fitting)
        }
        waiting.add(look)
        look()
      }),
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const one: Received = {
      path: request.url ?? '',
      id: headers['webhook-id'] ?? '',
      headers,
      body,
      event: JSON.parse(body || '{}'),
    }
    received.push(one)
    const reply = receiver.answer(one)
    if (reply !== 'hang') response.writeHead(reply.status, reply.headers).end(reply.body)
    for (const look of [...waiting]) look()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return Object.assign(receiver, { url: `http://127.0.0.1:${port}` })
}

/** Verifies the signature. Throws unless the secret signed it. */
export const verify = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, { ...headers })
