// The first process of a server asks the others whether they still answer, so that one that hangs is ended and replaced.
import { limits } from '../limits.js'
import type { Channel } from './channel.js'

const ping = 'ping'

/** Lets the first process know that this one answers. */
export function answerPings(channel: Channel): void {
  channel.handle(ping, () => {})
}

/**
 * Calls `onSilence` once when the process has left a ping unanswered for `limits.processSilenceMs`. Returns a function
 * that ends the watch.
 */
export function watchProcess(channel: Channel, onSilence: () => void): () => void {
  const silencesMax = limits.processSilenceMs / limits.processPingMs
  // Checks are counted instead of time: a first process that was stopped itself reads late answers before its next check.
  let silences = 0
  let isAsked = false
  const timer = setInterval(() => {
    if (!isAsked) {
      isAsked = true
      silences = 0
      const answered = () => {
        isAsked = false
      }
      channel.call(ping).then(answered, () => {}) // The watch of a process that ended is ended too.
    } else if (++silences >= silencesMax) {
      clearInterval(timer)
      onSilence()
    }
  }, limits.processPingMs)
  timer.unref()
  return () => clearInterval(timer)
}
