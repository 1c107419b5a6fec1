// Repeats requests that failed temporarily, after random delays (full jitter).
import { isFailure } from './failure.js'
import type { ConnectEnvironment } from './provider.js'

export const repeatLimits = {
  attemptsMax: 8,
  firstBackoffMs: 500,
  longestBackoffMs: 8_000,
} as const

export interface RepeatOptions {
  /** Method and path, `POST /agents`. */
  readonly operation: string
  /** True if it may be sent again although it may have taken effect. */
  readonly isRepeatable: boolean
  readonly environment: ConnectEnvironment
  readonly signal: AbortSignal | undefined
}

/** Repeats a call. Rejects with the last failure if another attempt would not help, is not allowed, or has to stop. */
export async function repeat<Answer>(
  attempt: () => Promise<Answer>,
  { operation, isRepeatable, environment, signal }: RepeatOptions,
): Promise<Answer> {
  const { clock, random, stopping } = environment
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      const mayRepeat = isFailure(error, 'retry') && (isRepeatable || !error.isAmbiguous)
      if (!mayRepeat || attempts >= repeatLimits.attemptsMax || stopping?.aborted) throw error
      const backoffMs = Math.min(repeatLimits.longestBackoffMs, repeatLimits.firstBackoffMs * 2 ** (attempts - 1))
      const waitMs = (error.retryAfterMs ?? 0) + random.fraction() * backoffMs
      environment.trace?.(`${operation}: ${error.message}; again in ${Math.round(waitMs)} ms`)
      environment.onWait?.({ operation, reason: error.message, attempts, waitMs })
      const signals = [signal, stopping].filter((each) => each !== undefined)
      try {
        await clock.sleep(waitMs, signals.length === 0 ? undefined : AbortSignal.any(signals))
      } catch (aborted) {
        throw stopping?.aborted && !signal?.aborted ? error : aborted
      }
    }
  }
}
