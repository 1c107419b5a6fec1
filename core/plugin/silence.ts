// Reports requests that have no answer yet, with the time that they have waited.
import type { ConnectEnvironment } from './provider.js'

/** Time in milliseconds after which a request is reported, and reported again. */
const silenceMs = 8_000

/** Reports that the request has no answer until the returned function is called. */
export function reportSilence({ onSilence }: ConnectEnvironment, operation: string): () => void {
  if (!onSilence) return () => {}
  let silentMs = 0
  const timer = setInterval(() => {
    silentMs += silenceMs
    onSilence({ operation, silentMs })
  }, silenceMs).unref()
  return () => clearInterval(timer)
}
