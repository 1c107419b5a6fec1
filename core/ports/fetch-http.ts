// The real network, by the platform's own fetch.
import { type Http, HttpFailure, type HttpRequest, type HttpStream } from './http.js'

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
    return { status: response.status, headers: response.headers, text: await response.text() }
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

function send({ method, url, headers, body, signal }: HttpRequest): Promise<Response> {
  return fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  })
}

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
