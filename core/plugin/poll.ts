// Reads until a service has finished what it accepted.
import type { Clock } from '../ports/clock.js'

export interface Delays {
  readonly firstDelayMs: number
  readonly longestDelayMs: number
  readonly timeoutMs: number
}

/**
 * Returns the first result of `read` that is not undefined; undefined if there was none within the time limit. The
 * delay before each read is twice the one before it.
 */
export async function poll<Result>(
  read: () => Promise<Result | undefined>,
  { firstDelayMs, longestDelayMs, timeoutMs }: Delays,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): Promise<Result | undefined> {
  const startedAtMs = clock.now()
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
    const result = await read()
    if (result !== undefined || clock.now() - startedAtMs >= timeoutMs) return result
    await clock.sleep(delayMs, signal)
  }
}
