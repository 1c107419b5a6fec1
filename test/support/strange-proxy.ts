// Proxy between the program and an emulator: limits lists to pages of two, and replaces the response to one call.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

export interface StrangeProxy {
  readonly url: string
  /** Calls since the last `answer`: `GET /claude/v1/sessions`. */
  readonly calls: readonly string[]
  /** Sets the number of the call, from 1, that is answered by the given address; without a number, none is. */
  answer(number?: number, address?: string): Promise<void>
  close(): void
}

const pageSize = 2
const notHandedOn: ReadonlySet<string> = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive'])

export async function startStrangeProxy(emulatorUrl: string): Promise<StrangeProxy> {
  let calls: string[] = []
  let strange: { readonly number: number; readonly address: string } | undefined
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', emulatorUrl)
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (!url.pathname.startsWith('/_emulator')) calls.push(`${request.method} ${url.pathname}${url.search}`)
    if (url.searchParams.has('limit')) url.searchParams.set('limit', String(pageSize))
    const isStrange = strange !== undefined && calls.length === strange.number
    const { host: _, ...headers } = request.headers
    const answered = await fetch(isStrange && strange ? strange.address : url, {
      method: request.method ?? 'GET',
      headers: Object.entries(headers)
        .filter(([name]) => !notHandedOn.has(name))
        .map(([name, value]) => [name, String(value)]),
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    })
    response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? 'text/plain' })
    await pipeline(answered.body ?? [], response)
  }
  const open = new Set<Promise<void>>()
  const server = createServer((request, response) => {
    const answering = answer(request, response).catch(() => void response.destroy())
    open.add(answering)
    void answering.finally(() => open.delete(answering))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // Address of a server that listens on a port.
  return {
    url: `http://127.0.0.1:${port}`,
    get calls() {
      return calls
    },
    async answer(number, address) {
      while (open.size > 0) await Promise.all(open) // A page that an ended command requested ahead.
      calls = []
      strange = number !== undefined && address !== undefined ? { number, address } : undefined
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
