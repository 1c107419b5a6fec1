// Reports long waits for a provider, so that a run that seems to hang states the reason: once instead of for every
// request.
import type { ConnectEnvironment } from '../plugin/provider.js'
import type { Clock } from '../ports/clock.js'

/** Minimum length of a wait that is reported by itself; shorter waits are reported if they follow one another. */
const longMs = 5_000
const manyAttempts = 3

/** Returns the callbacks for one provider; together they print at most one line every few seconds. */
export function noticesOf(
  clock: Clock,
  say: (line: string) => void,
): Required<Pick<ConnectEnvironment, 'onWait' | 'onSilence'>> {
  let silentUntilMs = 0
  const sayFor = (waitMs: number, line: string) => {
    const nowMs = clock.now()
    if (nowMs < silentUntilMs) return
    silentUntilMs = nowMs + Math.max(waitMs, longMs)
    say(line)
  }
  return {
    onWait({ operation, reason, attempts, waitMs }) {
      if (waitMs < longMs && attempts < manyAttempts) return
      sayFor(waitMs, `${operation} failed ${times(attempts)} (${reason}); sent again in ${Math.ceil(waitMs / 1000)} s.`)
    },
    onSilence({ operation, silentMs }) {
      sayFor(0, `${operation}: no answer for ${Math.round(silentMs / 1000)} s.`)
    },
  }
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
