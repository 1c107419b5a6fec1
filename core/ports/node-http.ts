// The network, through Node's `http`, because `fetch` takes three times the processor time per request (the row "apply
// of … new agents" of `npm run bench`).
import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type Http, HttpFailure, type HttpRequest, type HttpStream, textBytesMax } from './http.js'
import { LongBodies } from './long-bodies.js'
import { Turns } from './turns.js'

export const nodeHttp: Http = async (request) => {
  const exchange = new Exchange(request)
  try {
    const { status, headers, body } = await exchange.send()
    if (request.bytesMax !== undefined && status === 200) {
      const bytes = await exchange.bytesOf(body, request.bytesMax)
      return { status, headers, text: '', ...(bytes ? { bytes } : {}) }
    }
    const bytes = await exchange.bytesOf(body, textBytesMax)
    await exchange.turn()
    return bytes ? { status, headers, text: decodedText(bytes) } : { status, headers, text: '', isCut: true }
  } catch (error) {
    throw exchange.failureOf(error)
  }
}

export const nodeHttpStream: HttpStream = async (request) => {
  const exchange = new Exchange(request)
  try {
    const { status, headers, body } = await exchange.send()
    return { status, headers, chunks: decoded(body, exchange) }
  } catch (error) {
    throw exchange.failureOf(error)
  }
}

/**
 * Time in which idle connections are kept open. Servers keep them open for longer, so that no request is sent on a
 * connection that is being closed.
 */
const idleMs = 4_000

interface Answer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** Decompressed body. It is destroyed when its reader stops early, which closes the connection. */
  readonly body: Readable
}

/** One request on a connection that is also used by others before and after it. */
class Exchange {
  static readonly #agents = {
    'http:': new Agent({ keepAlive: true, timeout: idleMs }),
    'https:': new TlsAgent({ keepAlive: true, timeout: idleMs }),
  }

  static readonly #turns = new Turns()

  static readonly #bodies = new LongBodies()

  /** True once the connection was established, so that the request may have arrived. */
  #wasConnected = false

  constructor(private readonly request: HttpRequest) {}

  async send(): Promise<Answer> {
    const { method } = this.request
    const url = sendableUrl(this.request)
    const { bytes, headers } = await encoded(this.request)
    const options = { method, headers }
    const sent =
      url.protocol === 'https:'
        ? tlsRequest(url, { ...options, agent: Exchange.#agents['https:'] })
        : httpRequest(url, { ...options, agent: Exchange.#agents['http:'] })
    this.#watch(sent, url.protocol === 'https:' ? 'secureConnect' : 'connect')
    this.#abortWith(sent)
    const message = await answerOf(sent, bytes)
    return {
      status: message.statusCode ?? 0,
      headers: { get: (name) => headerText(message.headers[name.toLowerCase()]) },
      body: unpacked(message),
    }
  }

  /** Resolves when it is this request's turn to process its complete answer. */
  turn(): Promise<void> {
    return Exchange.#turns.next()
  }

  /** Reads the body of the answer, see `LongBodies`. */
  bytesOf(body: Readable, bytesMax: number): Promise<Uint8Array | undefined> {
    return Exchange.#bodies.read(body, bytesMax)
  }

  /** Returns why the request was aborted, or that no complete answer arrived. */
  failureOf(error: unknown): unknown {
    const { signal } = this.request
    if (signal?.aborted) return signal.reason
    if (error instanceof HttpFailure) return error
    return new HttpFailure(reasonOf(error), this.#wasConnected, { cause: error })
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

  #watch(sent: ClientRequest, event: 'connect' | 'secureConnect'): void {
    sent.once('socket', (socket) => {
      if (!socket.connecting) this.#wasConnected = true
      else
        socket.once(event, () => {
          this.#wasConnected = true
        })
    })
  }
}

function answerOf(sent: ClientRequest, bytes: Uint8Array | string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
    // The answer has arrived or the request has failed, so a later error has no effect.
    sent.on('error', () => {})
    sent.end(bytes)
  })
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

function reasonOf(error: unknown): string {
  // If several addresses were tried, the error of the first one is reported.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return String(first)
  return first.message || ('code' in first ? String(first.code) : first.name)
}
