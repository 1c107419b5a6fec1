// Sends the body of a request in parts, and stops when it is answered before its end.
import type { ClientRequest, IncomingMessage } from 'node:http'

const partBytes = 64 * 1024

/** Sends the request and returns its answer, whose body has not been read. `onSent` is told the bytes sent so far. */
export function answerOf(
  sent: ClientRequest,
  body: Uint8Array | string | undefined,
  onSent: (sentBytes: number) => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined
    sent.once('response', (message) => {
      answer = message
      // A connection on which a request stopped halfway, as uploads do that are too large, is of no further use.
      message.once('end', () => {
        if (!sent.writableEnded) sent.destroy()
      })
      resolve(message)
    })
    sent.once('error', reject)
    // The answer has arrived or the request has failed, so a later error has no effect.
    sent.on('error', () => {})
    if (typeof body !== 'object' || body.length <= partBytes) sent.end(body)
    else sendParts(sent, body, { onSent, isAnswered: () => answer !== undefined })
  })
}

interface Sending {
  readonly onSent: (sentBytes: number) => void
  readonly isAnswered: () => boolean
}

function sendParts(sent: ClientRequest, body: Uint8Array, sending: Sending, sentBytes = 0): void {
  if (sent.destroyed || sending.isAnswered()) return
  const end = Math.min(sentBytes + partBytes, body.length)
  sent.write(body.subarray(sentBytes, end), () => {
    sending.onSent(end)
    if (end < body.length) sendParts(sent, body, sending, end)
    else sent.end()
  })
}
