// Reads the time after which a service accepts another request.
import type { HttpResponse } from '../ports/http.js'

const longestMs = 60_000

/** Reads `Retry-After` and its variant in milliseconds; undefined = neither is present. `nowMs` is needed for dates. */
export function retryAfterMs(headers: HttpResponse['headers'], nowMs: number): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(exact)) return clamp(exact)
  const given = headers.get('retry-after')
  if (given === null) return undefined
  const seconds = Number(given)
  if (Number.isFinite(seconds)) return clamp(seconds * 1000)
  const date = Date.parse(given)
  return Number.isFinite(date) ? clamp(date - nowMs) : undefined
}

function clamp(ms: number): number {
  return Math.min(Math.max(0, ms), longestMs)
}
