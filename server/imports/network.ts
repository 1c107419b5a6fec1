// Network port of imports: name resolution, trusted certificate authorities, timeouts. Replaceable by tests.
import { limits } from '../limits.js'
import { SourceTooSlow } from './failures.js'
import { nameResolver } from './name-resolver.js'
import type { Resolve } from './resolve.js'

export interface ImportTimeouts {
  /** Limit from connecting to the end of the TLS handshake, and for one response of the resolver. */
  readonly connectMs: number
  /** Limit for the head of the response, and between two pieces of its body. */
  readonly idleMs: number
  /** Limit for the whole import, redirects included. */
  readonly totalMs: number
  /** Minimum average rate of the body, applied once the time spent waiting for the source exceeds `idleMs`. */
  readonly bytesPerSecondMin: number
}

export interface Network {
  /** Resolves all addresses of a host name. */
  readonly resolve: Resolve
  /** PEM of certificate authorities to trust instead of the system's. */
  readonly authorities?: string
  readonly timeouts: ImportTimeouts
}

export const systemNetwork: Network = {
  resolve: nameResolver(),
  timeouts: {
    connectMs: limits.importConnectTimeoutMs,
    idleMs: limits.importIdleTimeoutMs,
    totalMs: limits.importDeadlineMs,
    bytesPerSecondMin: limits.importBytesPerSecondMin,
  },
}

/** Rejects after the limit; the work is not stopped. */
export async function withTimeout<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new SourceTooSlow(ms / 1000)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
