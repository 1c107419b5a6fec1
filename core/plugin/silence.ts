// Requests without an answer: whoever waits for one learns which it is, and for how long.
import type { ConnectEnvironment } from './provider.js'

/** A request is reported after this time, and each time it has passed again. */
const silenceMs = 8_000

/** Reports that the request has no answer, until the returned function is called. */
export function reportSilence({ onSilence }: ConnectEnvironment, operation: string): () => void {
  if (!onSilence) return () => {}
  let silentMs = 0
  const timer = setInterval(() => {
    silentMs += silenceMs
    onSilence({ operation, silentMs })
  }, silenceMs).unref()
  return () => clearInterval(timer)
}
