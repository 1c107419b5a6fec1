// Refusals of failed imports. A URL is a capability, so no message or cause contains any part of one: of network
// errors, which name hosts and addresses, only the code is reported.
import { Refusal } from '../refusals/refusal.js'

/** Returns the refusal by the policy of the deployment; repeating the request does not help. */
export const refused = (message: string) => new Refusal('ImportRefused', message)

/** Returns the refusal of a source that failed; repeating the request with the same key may succeed. */
export const upstreamFailed = (message: string) => new Refusal('UpstreamFailed', message)

/**
 * Returns the refusal of a source that does not provide the file and will not later; the client may know another URL.
 */
export const sourceRefused = (message: string) => new Refusal('SourceRefused', message)

/** Returns the same refusal for every key that leads to no file, so that it does not reveal what is there instead. */
export const noSuchFile = () => sourceRefused('The connection has no file under this key')

/** The source did not respond in time. */
export class SourceTooSlow extends Refusal {
  constructor(seconds: number) {
    super('UpstreamFailed', `The source did not respond within ${seconds} s`)
  }
}

/** The source has more bytes than documents of this deployment may have. */
export class SourceTooLarge extends Refusal {
  constructor(sizeBytesMax: number) {
    super('ImportRefused', `Documents above ${sizeBytesMax} bytes are not imported`)
  }
}

export const tooLarge = (sizeBytesMax: number) => new SourceTooLarge(sizeBytesMax)

/** Returns the error to throw for any failure of an import. Bugs are returned unchanged. */
export function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof Refusal || !hasCode(error)) return error
  return upstreamFailed(`The source cannot be read (${error.code})`)
}

/** True for errors with a code: `ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`, `HPE_INVALID_CONSTANT`, ... */
function hasCode(error: unknown): error is { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
