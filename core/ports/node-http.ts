// The network, through Node's `http`, because `fetch` takes three times the processor time per request (the row "apply
// of … new agents" of `npm run bench`).
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http'
import { request as tlsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Connections } from './connections.js'
import { answerOf } from './exchange-bodies.js'
import { type Http, HttpFailure, type HttpProgress, type HttpRequest, type HttpStream, textBytesMax } from './http.js'
import { LongBodies } from './long-bodies.js'
import { networkFailure, refusedByProxy } from './network-failure.js'
import type { Environment, ProxyServer } from './proxies.js'
import { Turns } from './turns.js'

export interface Network {
  readonly http: Http
  readonly httpStream: HttpStream
}

/** Returns the network of this machine. `environment` may name proxies, see `proxyFor`. */
export function nodeNetwork(environment: Environment): Network {
  const shared: Shared = {
    connections: new Connections(environment),
    turns: new Turns(),
    bodies: new LongBodies(),
    reached: new Set(),
  }
  return {
    async http(request) {
      const exchange = new Exchange(request, shared)
      const onRead = (receivedBytes: number) => exchange.report({ receivedBytes })
      try {
        const { status, headers, body } = await exchange.send()
        if (request.bytesMax !== undefined && status === 200) {
          const bytes = await shared.bodies.read(body, request.bytesMax, onRead)
          return { status, headers, text: '', ...(bytes ? { bytes } : {}) }
        }
        const bytes = await shared.bodies.read(body, textBytesMax, onRead)
        await shared.turns.next()
        return bytes ? { status, headers, text: decodedText(bytes) } : { status, headers, text: '', isCut: true }
      } catch (error) {
        throw exchange.failureOf(error)
      }
    },
    async httpStream(request) {
      const exchange = new Exchange(request, shared)
      try {
        const { status, headers, body } = await exchange.send()
        return { status, headers, chunks: decoded(body, exchange) }
      } catch (error) {
        throw exchange.failureOf(error)
      }
    },
  }
}

export const { http: nodeHttp, httpStream: nodeHttpStream } = nodeNetwork(process.env)

interface Shared {
  readonly connections: Connections
  /** Turns of requests to process their complete answers. */
  readonly turns: Turns
  readonly bodies: LongBodies
  /** Hosts that have answered. */
  readonly reached: Set<string>
}

interface Answer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** Decompressed body. It is destroyed when its reader stops early, which closes the connection. */
  readonly body: Readable
}

/** One request on a connection that is also used by others before and after it. */
class Exchange {
  /** True once the connection was established, so that the request may have arrived. */
  #wasConnected = false
  #proxy: ProxyServer | undefined
  /** True once there is a connection through the proxy, if there is one. */
  #isThrough = false
  #progress: HttpProgress = { sentBytes: 0, totalBytes: 0, receivedBytes: 0 }

  constructor(
    private readonly request: HttpRequest,
    private readonly shared: Shared,
  ) {}

  async send(): Promise<Answer> {
    const { method } = this.request
    const url = sendableUrl(this.request)
    const { bytes, headers } = await encoded(this.request)
    const { agent, proxy } = await this.shared.connections.to(url)
    this.#proxy = proxy
    const sent = (url.protocol === 'https:' ? tlsRequest : httpRequest)(url, { method, headers, agent })
    this.#watch(sent)
    this.#abortWith(sent)
    const totalBytes = bytes?.length ?? 0
    const message = await answerOf(sent, bytes, (sentBytes) => this.report({ sentBytes, totalBytes }))
    this.shared.reached.add(url.hostname)
    return {
      status: message.statusCode ?? 0,
      headers: { get: (name) => headerText(message.headers[name.toLowerCase()]) },
      body: unpacked(message),
    }
  }

  /** Reports how far the bodies have come. */
  report(moved: Partial<HttpProgress>): void {
    this.#progress = { ...this.#progress, ...moved }
    this.request.onProgress?.(this.#progress)
  }

  /** Returns why the request was aborted, or that no complete answer arrived. */
  failureOf(error: unknown): unknown {
    const { signal } = this.request
    if (signal?.aborted) return signal.reason
    if (error instanceof HttpFailure) return error
    const { hostname: host } = new URL(this.request.url)
    return networkFailure(error, {
      host,
      proxy: this.#proxy?.name,
      isThrough: this.#isThrough,
      wasConnected: this.#wasConnected,
      wasReached: this.shared.reached.has(host),
    })
  }

  /**
   * Aborts the request with the signal, like the option `signal` but without the overhead of Node's streams. The
   * connection of a complete answer may serve other requests already, so only the rest of the answer is given up.
   */
  #abortWith(sent: ClientRequest): void {
    const { signal } = this.request
    if (!signal) return
    let answer: IncomingMessage | undefined
    sent.once('response', (message) => {
      answer = message
    })
    const abort = () => void (answer?.complete ? answer.destroy() : sent.destroy(new Error('aborted')))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    sent.once('close', () => signal.removeEventListener('abort', abort))
  }

  #watch(sent: ClientRequest): void {
    sent.once('socket', (socket: Socket) => {
      this.#isThrough = true
      const isSecure = 'secureConnecting' in socket
      if (!socket.connecting && !(isSecure && socket.secureConnecting)) this.#wasConnected = true
      else
        socket.once(isSecure ? 'secureConnect' : 'connect', () => {
          this.#wasConnected = true
        })
    })
    // What a proxy answers instead of making the connection would be taken for the answer of the provider.
    sent.once('proxyConnect', ({ statusCode = 200 }: { readonly statusCode?: number }) => {
      if (statusCode !== 200) sent.destroy(refusedByProxy(this.#proxy?.name ?? '', statusCode))
    })
  }
}

interface EncodedBody {
  readonly bytes: Uint8Array | string | undefined
  readonly headers: Readonly<Record<string, string>>
}

async function encoded({ headers, body }: HttpRequest): Promise<EncodedBody> {
  const usual = { accept: '*/*', 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'steward', ...headers }
  if (body === undefined) return { bytes: undefined, headers: usual }
  if (typeof body === 'string') {
    return { bytes: body, headers: { ...usual, 'content-length': String(Buffer.byteLength(body)) } }
  }
  const form = new Response(body)
  const bytes = Buffer.from(await form.arrayBuffer())
  const contentType = form.headers.get('content-type') ?? ''
  return { bytes, headers: { ...usual, 'content-type': contentType, 'content-length': String(bytes.length) } }
}

/**
 * Throws a permanent `HttpFailure`. Neither the address nor the header is shown, because they may contain passwords and
 * keys.
 */
function sendableUrl({ url, headers }: HttpRequest): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol)) throw unsendable('the address is no http:// or https:// one')
  if (parsed.username !== '' || parsed.password !== '') throw unsendable('the address holds a user or a password')
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    } catch {
      throw unsendable(`the header ${name} holds characters that headers cannot hold`)
    }
  }
  return parsed
}

const unsendable = (reason: string): HttpFailure => new HttpFailure(reason, false, { isPermanent: true })

const headerText = (value: string | readonly string[] | undefined): string | null =>
  value === undefined ? null : typeof value === 'string' ? value : value.join(', ')

function unpacked(message: IncomingMessage): Readable {
  const unpack = unpackers[message.headers['content-encoding']?.trim().toLowerCase() ?? '']
  // The reader of the body must receive the errors of both streams.
  return unpack ? pipeline(message, unpack(), () => {}) : message
}

const unpackers: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

const decodedText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

async function* decoded(body: AsyncIterable<Uint8Array>, exchange: Exchange): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  try {
    for await (const bytes of body) yield decoder.decode(bytes, { stream: true })
  } catch (error) {
    throw exchange.failureOf(error)
  }
}
