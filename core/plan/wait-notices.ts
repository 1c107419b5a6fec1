// Reports long waits for a provider: a run that seems to hang states the reason, once instead of for every request.
import type { RequestWait } from '../plugin/provider.js'
import type { Clock } from '../ports/clock.js'

/** Shorter waits are not reported, unless they follow one another. */
const longMs = 5_000
const manyAttempts = 3

/** Returns the `onWait` callback for one provider. */
export function noticesOf(clock: Clock, say: (line: string) => void): (wait: RequestWait) => void {
  let silentUntilMs = 0
  return ({ operation, reason, attempts, waitMs }) => {
    const nowMs = clock.now()
    if ((waitMs < longMs && attempts < manyAttempts) || nowMs < silentUntilMs) return
    silentUntilMs = nowMs + Math.max(waitMs, longMs)
    say(`${operation} failed ${times(attempts)} (${reason}); sent again in ${Math.ceil(waitMs / 1000)} s.`)
  }
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
