// HTTP client for servers under test: complete responses, and no exceptions for error statuses.

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
  json(): unknown
  /** Returns the member at a JSON pointer such as `/document/state`, or undefined. */
  at(pointer: string): unknown
  /** Returns the string at a JSON pointer; throws if there is none. */
  word(pointer: string): string
  /** Error code such as `InvalidArg`; undefined if the body is not an error. */
  readonly code: string | undefined
}

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Body, sent as JSON. */
  readonly json?: unknown
  readonly body?: string | Uint8Array | FormData
}

export class Client {
  constructor(
    readonly url: string,
    /** Credential; undefined = none. */
    readonly token?: string,
  ) {}

  /** Returns a client of the same server with another credential. */
  as(token: string | undefined): Client {
    return new Client(this.url, token)
  }

  async send(path: string, { method = 'GET', headers = {}, json, body }: Sent = {}): Promise<Answer> {
    const content = json === undefined ? body : JSON.stringify(json)
    const answer = await fetch(new URL(path, this.url), {
      method,
      headers: {
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    })
    return answerOf(answer, await bodyOf(answer))
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send(path, { headers })
  }

  post(path: string, json: unknown = {}, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send(path, { method: 'POST', json, headers })
  }

  patch(path: string, json: unknown): Promise<Answer> {
    return this.send(path, { method: 'PATCH', json })
  }

  delete(path: string): Promise<Answer> {
    return this.send(path, { method: 'DELETE' })
  }

  /** Sends a multipart body with one file part `file`. */
  sendFile(path: string, bytes: Uint8Array): Promise<Answer> {
    const body = new FormData()
    body.set('file', new Blob([Buffer.from(bytes)], { type: 'application/pdf' }), 'document.pdf')
    return this.send(path, { method: 'POST', body })
  }
}

/** Response. Event streams are closed after their headers: use `events.ts` to read events. */
async function bodyOf(answer: Response): Promise<Buffer> {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream'))
    return Buffer.from(await answer.arrayBuffer())
  await answer.body?.cancel()
  return Buffer.alloc(0)
}

function answerOf({ status, headers }: Response, bytes: Buffer): Answer {
  const text = bytes.toString('utf8')
  const at = (pointer: string) => pointed(parsed(text), pointer)
  const code = at('/error/code')
  return {
    status,
    headers,
    bytes,
    text,
    json: () => JSON.parse(text),
    at,
    word(pointer) {
      const value = at(pointer)
      if (typeof value === 'string') return value
      throw new Error(`The response has no text at ${pointer}: ${text}`)
    },
    code: typeof code === 'string' ? code : undefined,
  }
}

/** Returns undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function pointed(value: unknown, pointer: string): unknown {
  let at = value
  for (const name of pointer.split('/').slice(1)) at = Object(at)[name]
  return at
}
