// The first process of a server asks the others whether they still answer, so that one that hangs is ended and replaced.
import { limits } from '../limits.js'
import type { Channel } from './channel.js'

const ping = 'ping'

/** Lets the first process know that this one answers. */
export function answerPings(channel: Channel): void {
  channel.handle(ping, () => {})
}

/**
 * Calls `onSilence` once when the process has answered nothing for `limits.processSilenceMs`, also while it starts. Returns a
 * function that ends the watch.
 */
export function watchProcess(channel: Channel, onSilence: () => void): () => void {
  const silencesMax = limits.processSilenceMs / limits.processPingMs
  // Checks are counted instead of time: a first process that was stopped itself reads late answers before its next check.
  let silences = 0
  const timer = setInterval(() => {
    silences += 1
    if (silences > silencesMax) {
      clearInterval(timer)
      return onSilence()
    }
    const answered = () => {
      silences = 0
    }
    // Each check asks again, because a process that has just started may have missed the question before.
    channel.call(ping).then(answered, () => {}) // The watch of a process that ended is ended too.
  }, limits.processPingMs)
  timer.unref()
  return () => clearInterval(timer)
}
