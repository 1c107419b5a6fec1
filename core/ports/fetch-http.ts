// The real network, by the platform's own fetch.
import { type Http, HttpFailure, type HttpRequest, type HttpStream, textBytesMax } from './http.js'

const notSentCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export const fetchHttp: Http = async (request) => {
  try {
    const response = await send(request)
    const { status, headers } = response
    if (request.bytesMax !== undefined && status === 200) {
      const bytes = await bytesOf(response.body, request.bytesMax)
      return { status, headers, text: '', ...(bytes ? { bytes } : {}) }
    }
    const bytes = await bytesOf(response.body, textBytesMax)
    return bytes ? { status, headers, text: decodedText(bytes) } : { status, headers, text: '', isCut: true }
  } catch (error) {
    throw failureOf(error, request)
  }
}

export const fetchHttpStream: HttpStream = async (request) => {
  try {
    const { status, headers, body } = await send(request)
    return { status, headers, chunks: decoded(body, request) }
  } catch (error) {
    throw failureOf(error, request)
  }
}

async function send({ method, url, headers, body, signal }: HttpRequest): Promise<Response> {
  refuseUnsendable(url, headers)
  return fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  })
}

/** Neither the address nor the header is shown: passwords and keys may stand there. */
function refuseUnsendable(url: string, headers: HttpRequest['headers']): void {
  const { protocol, username, password } = URL.parse(url) ?? { protocol: '', username: '', password: '' }
  if (!/^https?:$/.test(protocol)) throw unsendable('the address is no http:// or https:// one')
  if (username !== '' || password !== '') throw unsendable('the address holds a user or a password')
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]])
    } catch {
      throw unsendable(`the header ${name} holds characters that headers cannot hold`)
    }
  }
}

const unsendable = (reason: string): HttpFailure => new HttpFailure(reason, false, { isPermanent: true })

/** Undefined as soon as there are too many, unpacked ones included. */
async function bytesOf(body: Response['body'], bytesMax: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of body ?? []) {
    sizeBytes += chunk.length
    if (sizeBytes > bytesMax) return undefined // Leaving the loop closes the connection.
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const decodedText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

async function* decoded(body: Response['body'], request: HttpRequest): AsyncGenerator<string> {
  if (!body) return
  const decoder = new TextDecoder()
  try {
    for await (const bytes of body) yield decoder.decode(bytes, { stream: true })
  } catch (error) {
    throw failureOf(error, request)
  }
}

function failureOf(error: unknown, { signal }: HttpRequest): unknown {
  if (signal?.aborted) return signal.reason
  if (error instanceof HttpFailure) return error
  const { reason, code } = deepestCause(error)
  return new HttpFailure(reason, !notSentCodes.has(code), { cause: error })
}

function deepestCause(error: unknown): { reason: string; code: string } {
  let current = error
  while (current instanceof Error && current.cause instanceof Error) current = current.cause
  const reason = current instanceof Error ? current.message : String(current)
  const code = current instanceof Error && 'code' in current ? String(current.code) : ''
  return { reason: reason || code, code }
}
