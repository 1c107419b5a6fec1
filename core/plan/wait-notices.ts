// Reports long waits for a provider, so that a run that seems to hang states the reason: once instead of for every
// request.
import type { ConnectEnvironment } from '../plugin/provider.js'
import type { Clock } from '../ports/clock.js'
import type { HttpProgress } from '../ports/http.js'

/** Minimum length of a wait that is reported by itself; shorter waits are reported if they follow one another. */
const longMs = 5_000
const manyAttempts = 3

/** Returns the callbacks for one provider; together they print at most one line every few seconds. */
export function noticesOf(
  clock: Clock,
  report: (line: string) => void,
): Required<Pick<ConnectEnvironment, 'onWait' | 'onSilence'>> {
  let silentUntilMs = 0
  const reportFor = (waitMs: number, line: string) => {
    const nowMs = clock.now()
    if (nowMs < silentUntilMs) return
    silentUntilMs = nowMs + Math.max(waitMs, longMs)
    report(line)
  }
  return {
    onWait({ operation, reason, attempts, waitMs }) {
      if (waitMs < longMs && attempts < manyAttempts) return
      reportFor(
        waitMs,
        `${operation} failed ${times(attempts)} (${reason}); sent again in ${Math.ceil(waitMs / 1000)} s.`,
      )
    },
    onSilence({ operation, silentMs, progress }) {
      const silent = silentMs === 0 ? [] : [`no answer for ${Math.round(silentMs / 1000)} s`]
      reportFor(0, `${operation}: ${[...(progress ? [transferred(progress)] : []), ...silent].join(', ')}.`)
    },
  }
}

function transferred({ sentBytes, totalBytes, receivedBytes }: HttpProgress): string {
  if (receivedBytes > 0) return `${megabytes(receivedBytes)} MB received`
  return `${megabytes(sentBytes)} of ${megabytes(totalBytes)} MB sent`
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
