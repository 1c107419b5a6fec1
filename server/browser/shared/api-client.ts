// Requests of a page to its own server, with the token of whoever looks at it. The token stays in memory.
import { ApiError, errorIn } from './api-error.js'
import { randomId } from './random-id.js'

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Body, sent as JSON. */
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface ApiClientOptions {
  /** Folder of the server, which may be below a prefix: `https://example.com/documents/`. */
  readonly base: URL
  readonly token: string
  /** Called when the token is no longer accepted, or says less than is known now. Returns a new one, or undefined if there is none. */
  readonly renew?: () => Promise<string | undefined>
}

/** Length of a body that browsers still send after the window was closed. */
const keptAliveMax = 20_000

export class ApiClient {
  #token: string
  #replacing = new AbortController()
  /** Names the window to the server, in whose events it recognises its own changes. */
  readonly #session = randomId()
  #renewed: Promise<string | undefined> | undefined

  constructor(private readonly options: ApiClientOptions) {
    this.#token = options.token
  }

  /** Headers that every request has. */
  get headers(): Readonly<Record<string, string>> {
    return { Authorization: `Bearer ${this.#token}`, 'X-Engine-Session-Id': this.#session }
  }

  /** Aborted when the present token is replaced: streams that were opened with it show who the reader was. */
  get replaced(): AbortSignal {
    return this.#replacing.signal
  }

  /** Returns the address of a path below the base. */
  address(path: string): URL {
    return new URL(path, this.options.base)
  }

  /** `path`: below the base, without a slash: `v1/docs/…`. Throws `ApiError`. */
  async json<Answer>(path: string, request: ApiRequest = {}): Promise<Answer> {
    const answer = await this.send(path, request)
    return (await answer.json()) as Answer
  }

  async blob(path: string, request: ApiRequest = {}): Promise<Blob> {
    const answer = await this.send(path, request)
    return answer.blob()
  }

  /** Returns the answer with a status below 400. Throws `ApiError`. */
  async send(path: string, request: ApiRequest = {}): Promise<Response> {
    const token = this.#token
    const answer = await this.#fetch(path, request)
    if (answer.ok) return answer
    const error = await errorIn(answer)
    if (answer.status !== 401 || !(await this.#renew(token))) throw error
    const again = await this.#fetch(path, request)
    if (again.ok) return again
    throw await errorIn(again)
  }

  /** Replaces the token; keeps it if there is no other. */
  async renew(): Promise<void> {
    await this.#renew(this.#token)
  }

  async #fetch(path: string, { method = 'GET', json, signal, headers: more = {} }: ApiRequest): Promise<Response> {
    const headers = { ...more, ...this.headers }
    const body: { readonly body?: string } = json === undefined ? {} : { body: JSON.stringify(json) }
    try {
      return await fetch(this.address(path), {
        method,
        headers: json === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
        referrerPolicy: 'no-referrer',
        // A change that is on its way arrives also if the window is closed meanwhile.
        keepalive: method !== 'GET' && (body.body?.length ?? 0) < keptAliveMax,
        ...body,
        ...(signal && { signal }),
      })
    } catch (error) {
      if (signal?.aborted) throw error
      throw new ApiError(0, 'Offline', 'The server does not answer')
    }
  }

  async #replaceToken(): Promise<string | undefined> {
    const token = await this.options.renew?.()
    if (token === undefined) return undefined
    this.#token = token
    this.#replacing.abort()
    this.#replacing = new AbortController()
    return token
  }

  /** Requests that fail at once renew the token once. Returns false if there is no other token. */
  async #renew(refused: string): Promise<boolean> {
    if (this.#token !== refused) return true
    this.#renewed ??= this.#replaceToken().finally(() => {
      this.#renewed = undefined
    })
    return (await this.#renewed) !== undefined
  }
}
