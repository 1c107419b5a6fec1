// The real network, by the platform's own fetch.
import { type Http, HttpFailure } from './http.js'

const notSentCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export const fetchHttp: Http = async ({ method, url, headers, body, signal }) => {
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    const { reason, code } = deepestCause(error)
    throw new HttpFailure(reason, !notSentCodes.has(code), { cause: error })
  }
}

function deepestCause(error: unknown): { reason: string; code: string } {
  let current = error
  while (current instanceof Error && current.cause instanceof Error) current = current.cause
  const reason = current instanceof Error ? current.message : String(current)
  const code = current instanceof Error && 'code' in current ? String(current.code) : ''
  return { reason: reason || code, code }
}
