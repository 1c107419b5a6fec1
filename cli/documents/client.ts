// A small client on the public API of the document server. Refusals become problems with the server's own words.
import type { Readable } from 'node:stream'
import { documentsProblem } from './problems.js'
import type { ServerAddress } from './server-address.js'

export interface DocumentRecord {
  readonly id: string
  readonly state: string
  readonly failureReason: string | null
  readonly storageSizeBytes: number | null
  readonly createdAt: number
}

type Query = Readonly<Record<string, string | number | undefined>>

interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly query?: Query
  readonly json?: unknown
  readonly form?: FormData
  readonly headers?: Readonly<Record<string, string>>
}

export class DocumentsClient {
  constructor(private readonly server: ServerAddress) {}

  /** The server's answers have the shapes of its reference (`/openapi.json`). */
  async json<Answer>(path: string, call: Call = {}): Promise<Answer> {
    const response = await this.send(path, call)
    return (await response.json()) as Answer
  }

  async none(path: string, call: Call): Promise<void> {
    await (await this.send(path, call)).arrayBuffer()
  }

  async bytes(path: string, call: Call = {}): Promise<Uint8Array> {
    return new Uint8Array(await (await this.send(path, call)).arrayBuffer())
  }

  async stream(path: string, call: Call = {}): Promise<Readable> {
    const { Readable } = await import('node:stream')
    const { body } = await this.send(path, call)
    return body === null ? Readable.from([]) : Readable.from(body)
  }

  private async send(path: string, { method = 'GET', query = {}, json, form, headers = {} }: Call): Promise<Response> {
    const url = new URL(path.startsWith('http') ? path : `${this.server.url}${path}`)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const body = form ?? (json === undefined ? undefined : JSON.stringify(json))
    const response = await this.fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${this.server.token}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    if (!response.ok) throw await refused(response)
    return response
  }

  private async fetch(url: URL, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, init)
    } catch (error) {
      throw documentsProblem('documents.unreachable', {
        detail: `${url.origin} does not answer: ${reasonOf(error)}.`,
        cause: error,
      })
    }
  }
}

/** fetch says "fetch failed" and hides the reason. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message : String(cause)
}

async function refused(response: Response) {
  // Errors of both planes carry code and message under `error`; a proxy's page does not.
  const body = (await response.json().catch(() => ({}))) as { readonly error?: Readonly<Record<string, unknown>> }
  const { code = response.status, message = response.statusText } = body.error ?? {}
  return documentsProblem('documents.refused', { detail: `${code}: ${message}.` })
}
