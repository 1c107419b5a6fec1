// Fetches a JWKS for `jose` with a size limit, and with a delay after failures, because any incoming token can trigger a
// fetch.
import { createLocalJWKSet } from 'jose'
import { limits } from '../limits.js'

type FetchKeys = (url: string, options: RequestInit) => Promise<Response>

/**
 * Returns a `fetch` with these limits. `now`: a clock in milliseconds with any origin. `jose` itself limits fetches to
 * one at a time, with a timeout.
 */
export function boundedFetch(now: () => number): FetchKeys {
  let failure: { readonly error: unknown; readonly until: number } | undefined
  return async (url, options) => {
    if (failure !== undefined && now() < failure.until) throw failure.error
    try {
      const keys = await fetchKeys(url, options)
      failure = undefined
      return keys
    } catch (error) {
      failure = { error, until: now() + limits.jwksCooldownMs }
      throw error
    }
  }
}

async function fetchKeys(url: string, options: RequestInit): Promise<Response> {
  const answer = await fetch(url, options)
  if (answer.status !== 200) {
    await answer.body?.cancel()
    throw new Error(`The JWKS was answered with ${answer.status}`)
  }
  const text = await boundedText(answer)
  // `jose` validates the key set here, because one that it refused later would be fetched again for every token.
  createLocalJWKSet(JSON.parse(text))
  return new Response(text)
}

async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let remaining: number = limits.jwksBytesMax
  for await (const chunk of body ?? []) {
    remaining -= chunk.length
    if (remaining < 0) throw new Error(`The JWKS has more than ${limits.jwksBytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
