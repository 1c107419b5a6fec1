// A small client on the public API of the document server. Refusals become problems with the server's own words.
import type { ReceivedAnswer } from './receive.js'
import { codeOf, noId, redirected, refusal, unreachable } from './refusal.js'
import type { ServerAddress } from './server-address.js'

export interface DocumentRecord {
  readonly id: string
  readonly state: string
  readonly failureReason: string | null
  readonly storageSizeBytes: number | null
  readonly thumbnailState: string
  readonly baseSha: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly createdAt: number
  readonly createdBy: string | null
}

type Query = Readonly<Record<string, string | number | undefined>>

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly query?: Query
  readonly json?: unknown
  /** Body that is sent unchanged, with its media type. */
  readonly body?: { readonly bytes: ReadableStream<Uint8Array>; readonly contentType: string }
}

export class DocumentsClient {
  constructor(
    private readonly server: ServerAddress,
    private readonly documentPassword?: string,
  ) {}

  /** Returns the address of a page for people, wherever they are. */
  pageAddress(path: string): string {
    return `${this.server.publicUrl}${path}`
  }

  /** Sends a request and parses the answer, whose shape is that in the server's reference (`/openapi.json`). */
  async json<Answer>(path: string, call: Call = {}): Promise<Answer> {
    const response = await this.send(path, call)
    return (await this.readToEnd(response, () => response.json())) as Answer
  }

  /** Works like `json`, and says whether the answer is that of an earlier identical request. */
  async replayable<Answer>(path: string, call: Call): Promise<{ readonly answer: Answer; readonly isReplay: boolean }> {
    const response = await this.send(path, call)
    const answer = (await this.readToEnd(response, () => response.json())) as Answer
    return { answer, isReplay: response.headers.has('idempotency-replayed') }
  }

  /** Returns undefined for 404 of the document server. */
  async jsonIfFound<Answer>(path: string, call: Call = {}): Promise<Answer | undefined> {
    const response = await this.ask(path, call)
    if (response.ok) return (await this.readToEnd(response, () => response.json())) as Answer
    const body = await response.text().catch(() => '')
    // A 404 that is not the server's own comes from another program at this address.
    if (codeOf(body) === 'NotFound') return undefined
    throw refusal(response.status, body)
  }

  async expectNone(path: string, call: Call): Promise<void> {
    await (await this.send(path, call)).arrayBuffer()
  }

  async bytes(path: string, call: Call = {}): Promise<Uint8Array> {
    const response = await this.send(path, call)
    return new Uint8Array(await this.readToEnd(response, () => response.arrayBuffer()))
  }

  /** Streams the bytes of the answer. There is no time limit before the first one. */
  async stream(path: string, call: Pick<Call, 'method'> = {}): Promise<ReceivedAnswer> {
    const { receive } = await import('./receive.js')
    return receive(this.addressOf(path), { method: call.method ?? 'GET', headers: this.credentials })
  }

  /** An address takes `.` and `..` for what is above, however they are encoded. Throws a problem for them. */
  private addressOf(path: string): URL {
    const dots = path.split('/').find((segment) => /^\.{1,2}$/.test(segment))
    if (dots !== undefined) throw noId(dots)
    return new URL(`${this.server.url}${path}`)
  }

  private get credentials(): Readonly<Record<string, string>> {
    const { documentPassword: password, server } = this
    return {
      authorization: `Bearer ${server.token}`,
      ...(password === undefined ? {} : { 'x-document-password': Buffer.from(password).toString('base64') }),
    }
  }

  private async send(path: string, call: Call): Promise<Response> {
    return requireSuccess(await this.ask(path, call))
  }

  private async ask(path: string, { method = 'GET', query = {}, json, body }: Call): Promise<Response> {
    const url = this.addressOf(path)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const contentType = body?.contentType ?? (json === undefined ? undefined : 'application/json')
    const content = body?.bytes ?? (json === undefined ? undefined : JSON.stringify(json))
    return this.fetch(url, {
      method,
      headers: { ...this.credentials, ...(contentType === undefined ? {} : { 'content-type': contentType }) },
      ...(content === undefined ? {} : { body: content, duplex: 'half' }),
    })
  }

  private async fetch(url: URL, init: RequestInit): Promise<Response> {
    const response = await fetch(url, { ...init, redirect: 'manual' }).catch((error: unknown) => {
      throw unreachable(url, error)
    })
    const target = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && target !== null) throw redirected(url, target)
    return response
  }

  /** Reads an answer to its end. A connection that breaks before that becomes a problem. */
  private async readToEnd<Value>({ url }: Response, read: () => Promise<Value>): Promise<Value> {
    try {
      return await read()
    } catch (error) {
      throw unreachable(new URL(url), error)
    }
  }
}

async function requireSuccess(response: Response): Promise<Response> {
  if (response.ok) return response
  throw refusal(response.status, await response.text().catch(() => ''))
}
