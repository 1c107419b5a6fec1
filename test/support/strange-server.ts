// Server that answers in place of a provider, over real HTTP, like a login page, a gateway or a broken proxy.
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

const megabyte = 1024 * 1024
const json = 'application/json'

interface Shape {
  readonly type?: string
  readonly encoding?: string
  readonly body: string | Buffer | 'endless'
}

const shapes = {
  'a page': { type: 'text/html; charset=utf-8', body: '<!doctype html><html><title>Please log in</title></html>' },
  nothing: { body: '' },
  null: { body: 'null' },
  'an empty object': { body: '{}' },
  'an empty list': { body: '[]' },
  'an object of something else': { body: '{"status":"ok","message":"maintenance until 6:00"}' },
  'an object that breaks off': { body: '{"id":"obj_1","name":"x' },
  'an object that calls itself a page': { type: 'text/html', body: '{"id":"obj_1","data":[]}' },
  'a body without end': { body: 'endless' },
  'a few bytes that unpack to 300 MB': { encoding: 'gzip', body: gzipSync(Buffer.alloc(300 * megabyte, ' ')) },
} as const satisfies Readonly<Record<string, Shape>>

export type ShapeName = keyof typeof shapes
// The names are those of the table.
export const shapeNames = Object.keys(shapes) as readonly ShapeName[]

/** Expected text of the error: host, status, type and first words. */
export function describeShape(name: ShapeName, status: number): RegExp {
  const { type, body }: Shape = shapes[name]
  const words =
    body === ''
      ? '\\(empty\\)'
      : typeof body === 'string' && body !== 'endless'
        ? `\\("${escaped(body.slice(0, 20))}`
        : '\\('
  return new RegExp(`127\\.0\\.0\\.1:\\d+ answered ${status} ${escaped((type ?? json).split(';')[0] ?? '')} ${words}`)
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

export interface StrangeServer {
  /** Address at which every request gets this response. */
  at(shape: ShapeName, status: number): string
  /** Number of bytes sent of endless bodies. */
  readonly pouredBytes: number
  close(): void
}

export async function startStrangeServer(): Promise<StrangeServer> {
  const counter = { bytes: 0 }
  const answer: RequestListener = (request, response) => {
    const [, status = '', name = ''] = (request.url ?? '').split('/')
    const shape: Shape = shapes[shapeNames.find((known) => known === decodeURIComponent(name)) ?? 'nothing']
    request.resume()
    response.writeHead(Number(status), {
      'content-type': shape.type ?? json,
      ...(shape.encoding ? { 'content-encoding': shape.encoding } : {}),
    })
    if (shape.body === 'endless') pour(response, counter)
    else response.end(shape.body)
  }
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // Address of a server that listens on a port.
  return {
    at: (shape, status) => `http://127.0.0.1:${port}/${status}/${encodeURIComponent(shape)}`,
    get pouredBytes() {
      return counter.bytes
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function pour(response: ServerResponse, counter: { bytes: number }): void {
  const chunk = Buffer.alloc(megabyte, ' ')
  const more = () => {
    while (!response.destroyed) {
      counter.bytes += chunk.length
      if (!response.write(chunk)) return
    }
  }
  response.on('drain', more)
  more()
}
